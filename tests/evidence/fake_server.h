// A server that a test starts, on a port of the system's choice; it ends with its object.
#pragma once

#include <sys/types.h>

#include <string>

namespace cairn::cli_test {

class FakeServer {
 public:
  /// As fake_server.py names them: plain, no-usage, refuse, early.
  explicit FakeServer(const std::string& behaviour);
  ~FakeServer();
  FakeServer(const FakeServer&) = delete;
  FakeServer& operator=(const FakeServer&) = delete;

  /// "http://127.0.0.1:PORT/v1"; ends in ":/v1" when it did not start.
  const std::string& url() const { return url_; }

 private:
  pid_t pid_ = -1;
  int input_ = -1;  // its standard input: closing it ends the server
  std::string url_ = "http://127.0.0.1:/v1";
};

}  // namespace cairn::cli_test

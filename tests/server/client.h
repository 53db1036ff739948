// A client of raw sockets: what it sends and reads is in the hands of the test, byte by byte.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "base/file_descriptor.h"

namespace cairn::server {

/// A response as it came; `ok` is false when it did not come whole within the client's patience.
struct Received {
  bool ok = false;
  int status = 0;
  std::string head = {};
  std::string body = {};  // without the frames of chunks

  /// The value of a header; empty without one.
  std::string header(std::string_view name) const;
};

class Client {
 public:
  /// Connects to "http://127.0.0.1:PORT" or "unix:PATH".
  explicit Client(const std::string& address);

  /// Whether all of it was taken.
  bool send(std::string_view bytes);
  /// The next response, of a request by GET or POST.
  Received receive();
  /// The next response to a HEAD.
  Received receive_head();
  /// Sends a whole request with that body and reads its response.
  Received ask(std::string_view method, std::string_view path, std::string_view body = {},
               std::string_view headers = {});
  /// All bytes up to the end of the connection; `ended()` tells whether that came in time.
  std::string read_to_end();
  /// Bytes until `text` stands in them; what was read.
  std::string read_until(std::string_view text);
  bool ended() const { return ended_; }

  /// No more will be sent.
  void shutdown_send();
  /// Ends the connection as programs do.
  void close();
  /// Ends the connection with a reset.
  void reset();
  int descriptor() const { return socket_.get(); }

 private:
  bool fill();
  std::string take(std::size_t bytes);
  bool read_chunks(std::string& body);

  FileDescriptor socket_;
  std::string buffer_;
  bool ended_ = false;
};

/// Waits up to 10 s for `condition`; whether it came true.
template <typename Condition>
bool eventually(const Condition& condition);

/// Sleeps.
void pause_ms(int milliseconds);

template <typename Condition>
bool eventually(const Condition& condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    pause_ms(2);
  }
  return true;
}

}  // namespace cairn::server

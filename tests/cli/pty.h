// Runs the cairn binary in a terminal of its own, as a person would.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

namespace cairn::cli_test {

class Pty {
 public:
  /// Starts the binary with `arguments` and CAIRN_HOME=`home`.
  Pty(const std::vector<std::string>& arguments, const std::string& home);
  ~Pty();
  Pty(const Pty&) = delete;
  Pty& operator=(const Pty&) = delete;

  void type(std::string_view text) const;
  /// Waits until `text` is shown behind everything that was waited for before; false after a
  /// minute.
  bool shows(std::string_view text);
  /// What was shown since the last call of shows() that was true.
  const std::string& rest() const { return rest_; }
  /// The exit code, 128 + N after signal N, -1 when it did not end within a minute.
  int wait();

 private:
  /// Reads what is there within 100 ms; false once there is nobody left to write.
  bool read_some();

  int terminal_ = -1;
  pid_t pid_ = -1;
  std::string rest_;
};

}  // namespace cairn::cli_test

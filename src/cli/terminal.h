// Standard output and standard error as cairn uses them: answers on the one, figures, bars and
// errors on the other.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace cairn::cli {

/// Standard output. Every write is checked, so that a full disk or a closed pipe is an error that
/// the command sees. Not thread safe.
class Output {
 public:
  /// Writes all of `text` at once. Errors: kIo with the system's reason.
  Status write(std::string_view text);
};

/// Writes `text` to standard error; a failure there has nowhere to be told.
void note(std::string_view text);

/// `text` as a terminal may show it, where it can hold names out of files: control characters and
/// bytes that are no UTF-8 as \xNN. A line break stays before an indented line, which is how
/// messages list things.
std::string safe(std::string_view text);

/// Makes SIGBUS, which a mapped file that was cut short raises, end the program with a line that
/// says so.
void explain_bus_errors();

/// True when standard error is a terminal.
bool stderr_is_terminal();

/// Reads standard input to its end. Errors: kTooLarge beyond `bytes_max`, kIo, kCancelled after
/// Ctrl-C.
Result<std::string> read_standard_input(std::size_t bytes_max);

/// One line on standard error that fills up, for work that takes more than a second. Shows nothing
/// when standard error is no terminal.
class ProgressBar {
 public:
  /// Counts bytes, or what `noun` says: "requests".
  explicit ProgressBar(std::string label, std::string noun = {});
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// `done` of `total`; a total of 0 is unknown.
  void show(std::uint64_t done, std::uint64_t total);

 private:
  std::string amount(std::uint64_t count) const;

  std::string label_;
  std::string noun_;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point shown_;
  bool visible_ = false;
};

/// Watches for Ctrl-C from watch() on; before, and in commands that never call it, Ctrl-C ends the
/// program. One per process: signals are the process's.
class Interrupt {
 public:
  enum class Woken : std::uint8_t { kInput, kInterrupt };

  /// From now on Ctrl-C is only noted; a second one still ends the program.
  void watch();

  /// True once Ctrl-C came since the last clear().
  bool requested() const;
  void clear();

  /// Waits until standard input has something to read (also its end) or Ctrl-C has come since the
  /// last clear(). Errors: kIo.
  Result<Woken> wait_for_input() const;
};

}  // namespace cairn::cli

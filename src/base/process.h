// Child processes: starting one, waiting for it, and the signals that arrive meanwhile.
//
// Purpose     the one place that starts a process. The child reads the null device and both its
//             outputs go to this process's standard error, so standard output stays free for an
//             answer; it leads a process group of its own.
// Invariants  a child is reaped exactly once, by poll(). A signal that came while SignalBlock lives
//             is returned by wait_until or dropped at its end, never handled by default.
// Threads     one thread; SignalBlock works on the thread that made it, which should be the only
//             one of the program.
#pragma once

#include <sys/types.h>

#include <csignal>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/status.h"

namespace cairn {

/// Opens the null device in the place of each of the files 0, 1 and 2 that was closed at the start:
/// no file that is opened later can then be taken for standard output. It is opened the wrong way
/// round, so that reading the closed input and writing to a closed output still fail.
void hold_standard_files();

/// The file of the program that runs. Errors: kIo where the system does not say.
Result<std::string> program_path();

/// Keeps SIGINT, SIGTERM, SIGHUP and SIGCHLD from acting while it lives.
class SignalBlock {
 public:
  SignalBlock();
  ~SignalBlock();
  SignalBlock(const SignalBlock&) = delete;
  SignalBlock& operator=(const SignalBlock&) = delete;

  /// Sleeps until one of those signals comes or the steady clock reaches `time_ns`; nothing at the
  /// time. A signal that is already there is returned even when the time has passed.
  std::optional<int> wait_until(std::int64_t time_ns);

 private:
  sigset_t before_ = {};
};

/// How a child ended.
struct ChildEnd {
  enum class Kind : std::uint8_t { kExited, kSignalled };
  Kind kind = Kind::kExited;
  int number = 0;  // the exit code or the signal

  /// What a shell calls it: the code, or 128 + the signal.
  int code() const { return kind == Kind::kExited ? number : 128 + number; }
};

/// A child that was started. Destroying this neither ends nor reaps it.
class ChildProcess {
 public:
  /// Starts `command` (a name is looked for in PATH) with `command[0]` as the program and the
  /// variables of `environment`, which ends with a null pointer. Errors: kInvalidArgument for no
  /// command, else kIo or kNotFound with the system's reason; nothing runs then.
  static Result<ChildProcess> start(std::span<const std::string> command, char* const* environment);

  pid_t pid() const { return pid_; }

  /// Reaps the child when it has ended; nothing while it runs. Errors: kIo when the system knows no
  /// such child.
  Result<std::optional<ChildEnd>> poll();

  /// Sends `signal` to the child's whole group, as long as the child is not reaped.
  void signal_group(int signal) const;

 private:
  explicit ChildProcess(pid_t pid) : pid_(pid) {}

  pid_t pid_ = -1;
  bool reaped_ = false;
};

}  // namespace cairn

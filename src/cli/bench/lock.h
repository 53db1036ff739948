// The one lock of all benchmarks on a machine (native-performance.md M-28).
//
// Purpose     two series never overlap: each would measure the other.
// Invariants  one fixed path; no flag moves it. It is held as long as this object lives and goes
//             with the process, however that ends.
// Threads     one.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <string>

#include "base/file_descriptor.h"
#include "base/status.h"

namespace cairn::cli {

/// Where it stands.
std::string bench_lock_path();

class BenchLock {
 public:
  /// Takes the lock, waiting up to `wait` for another series to end. Errors: kUnavailable naming
  /// the holder's process when it does not, kCancelled, kIo.
  static Result<BenchLock> take(std::chrono::milliseconds wait,
                                const std::function<bool()>& cancelled);

  /// Succeeds where process `holder`, a parent of this one, holds the lock: a child of a series
  /// needs none of its own. Errors: kInvalidArgument where it does not.
  static Status held_by(pid_t holder);

 private:
  explicit BenchLock(FileDescriptor file) : file_(std::move(file)) {}

  FileDescriptor file_;
};

}  // namespace cairn::cli

// The order of events of one capture (native-performance.md 7.3): quiet window, start, command
// window, end. What the clock, the samples and the child are is the caller's, so that tests can
// give their own.
//
// Purpose     decides when to sample, what to forward and what ends the command; computes nothing.
// Invariants  ticks are fixed multiples of the interval after a window's first sample and lie
//             strictly before its end; one that was missed is not made up for. The last sample of
//             a window is taken at its end: for the command, after it was reaped.
// Threads     one.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/host/snapshot.h"
#include "base/process.h"
#include "base/status.h"
#include "evidence/attestation/build.h"

namespace cairn::evidence::attestation {

/// Exit code of a command that the time limit ended.
constexpr std::int64_t kTimeoutCode = 124;

/// The clock, the host and the child.
class CaptureSource {
 public:
  virtual ~CaptureSource() = default;

  /// The steady clock.
  virtual std::int64_t now_ns() = 0;
  virtual host::Snapshot sample() = 0;
  /// Sleeps until a signal comes or the clock reaches the time; the signal, or nothing.
  virtual std::optional<int> wait_until(std::int64_t time_ns) = 0;
  /// Starts the command; its pid. Errors: it cannot start.
  virtual Result<std::int64_t> start() = 0;
  /// How the child ended, nothing while it runs. Errors: there is no such child.
  virtual Result<std::optional<ChildEnd>> poll() = 0;
  /// Sends a signal to the child's group.
  virtual void forward(int signal) = 0;
};

/// How long and how often.
struct Schedule {
  std::int64_t interval_ns = 250'000'000;
  std::int64_t baseline_ns = 1'000'000'000;
  std::int64_t timeout_ns = 0;  // 0 is none
};

struct Capture {
  std::vector<host::Snapshot> baseline = {};
  std::vector<host::Snapshot> command = {};
  std::int64_t root_pid = 0;
  std::int64_t exit_code = 0;
  bool timed_out = false;
  /// The signal that came in the quiet window: nothing was started then.
  std::optional<int> stopped_by = {};

  /// The view that build() takes.
  Samples samples(std::int64_t interval_ns) const;
};

/// Runs one capture. Errors: only that the command cannot start.
Result<Capture> capture(CaptureSource& source, const Schedule& schedule);

}  // namespace cairn::evidence::attestation

#include "evidence/attestation/capture.h"

#include <algorithm>
#include <csignal>
#include <limits>
#include <utility>

namespace cairn::evidence::attestation {
namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

/// The times of a window's samples between its ends.
class Ticks {
 public:
  Ticks(std::int64_t begin_ns, std::int64_t interval_ns)
      : interval_ns_(std::max<std::int64_t>(interval_ns, 1)), next_ns_(begin_ns + interval_ns_) {}

  std::int64_t next_ns() const { return next_ns_; }

  /// Moves to the first tick after `now_ns`.
  void pass(std::int64_t now_ns) {
    if (now_ns < next_ns_) return;
    next_ns_ += ((now_ns - next_ns_) / interval_ns_ + 1) * interval_ns_;
  }

 private:
  std::int64_t interval_ns_;
  std::int64_t next_ns_;
};

/// Waits through the quiet window's ticks; the signal that came, or nothing.
std::optional<int> quiet_window(CaptureSource& source, const Schedule& schedule,
                                std::vector<host::Snapshot>& samples) {
  const std::int64_t begin_ns = source.now_ns();
  const std::int64_t end_ns = begin_ns + schedule.baseline_ns;
  Ticks ticks(begin_ns, schedule.interval_ns);
  samples.push_back(source.sample());
  ticks.pass(source.now_ns());
  for (;;) {
    const std::int64_t wake_ns = std::min(ticks.next_ns(), end_ns);
    while (source.now_ns() < wake_ns) {
      const std::optional<int> signal = source.wait_until(wake_ns);
      if (signal && *signal != SIGCHLD) return signal;
    }
    samples.push_back(source.sample());
    if (wake_ns == end_ns) return std::nullopt;
    ticks.pass(source.now_ns());
  }
}

/// The child between its start and its end.
class CommandWindow {
 public:
  CommandWindow(CaptureSource& source, const Schedule& schedule, Capture& capture)
      : source_(source),
        capture_(capture),
        ticks_(source.now_ns(), schedule.interval_ns),
        limit_ns_(schedule.timeout_ns > 0 ? source.now_ns() + schedule.timeout_ns : kNever) {}

  void run() {
    capture_.command.push_back(source_.sample());
    ticks_.pass(source_.now_ns());
    while (!ended()) wait();
    capture_.command.push_back(source_.sample());
  }

 private:
  /// Whether the child has ended; notes its exit code.
  bool ended() {
    const Result<std::optional<ChildEnd>> end = source_.poll();
    if (!end.ok()) {  // somebody else took it: how it ended is lost
      capture_.exit_code = 1;
      return true;
    }
    if (!*end) return false;
    const ChildEnd& how = **end;
    // A child that ended by itself just before the limit's signal is not one that it ended.
    capture_.timed_out = killed_ && how.kind == ChildEnd::Kind::kSignalled && how.number == SIGKILL;
    capture_.exit_code = capture_.timed_out ? kTimeoutCode : how.code();
    return true;
  }

  void wait() {
    const std::optional<int> signal = source_.wait_until(std::min(ticks_.next_ns(), limit_ns_));
    if (signal) {
      if (*signal != SIGCHLD) source_.forward(*signal);
      return;
    }
    if (source_.now_ns() >= limit_ns_) {
      source_.forward(SIGKILL);
      killed_ = true;
      limit_ns_ = kNever;
    }
    if (source_.now_ns() >= ticks_.next_ns()) {
      capture_.command.push_back(source_.sample());
      ticks_.pass(source_.now_ns());
    }
  }

  CaptureSource& source_;
  Capture& capture_;
  Ticks ticks_;
  std::int64_t limit_ns_;
  bool killed_ = false;
};

}  // namespace

Samples Capture::samples(std::int64_t interval_ns) const {
  return {.baseline = baseline,
          .command = command,
          .interval_ns = interval_ns,
          .root_pid = root_pid,
          .exit_code = exit_code,
          .timed_out = timed_out};
}

Result<Capture> capture(CaptureSource& source, const Schedule& schedule) {
  Capture capture;
  capture.stopped_by = quiet_window(source, schedule, capture.baseline);
  if (capture.stopped_by) return capture;
  CAIRN_ASSIGN(capture.root_pid, source.start());
  CommandWindow(source, schedule, capture).run();
  return capture;
}

}  // namespace cairn::evidence::attestation

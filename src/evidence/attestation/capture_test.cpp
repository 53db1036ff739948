// The order of events of a capture, on a clock and a child of the test's own.
#include "evidence/attestation/capture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <deque>

namespace cairn::evidence::attestation {
namespace {

constexpr std::int64_t kMs = 1'000'000;

/// A signal that arrives at a time.
struct Arrival {
  std::int64_t at_ns = 0;
  int signal = 0;
};

/// Time passes only by waiting and by what a sample costs.
class FakeSource final : public CaptureSource {
 public:
  std::int64_t now_ns() override { return now_ns_; }

  host::Snapshot sample() override {
    host::Snapshot snapshot = {.utc_ns = wall_ns_ + now_ns_, .monotonic_ns = now_ns_};
    snapshot.census_ns = sample_cost_ns_;
    now_ns_ += sample_cost_ns_;
    return snapshot;
  }

  std::optional<int> wait_until(std::int64_t time_ns) override {
    const std::int64_t child_ns = running() ? end_ns_ : time_ns;
    if (!signals_.empty() && signals_.front().at_ns <= std::min(time_ns, child_ns)) {
      const Arrival arrival = signals_.front();
      signals_.pop_front();
      now_ns_ = std::max(now_ns_, arrival.at_ns);
      return arrival.signal;
    }
    if (running() && end_ns_ <= time_ns && !told_) {
      told_ = true;
      now_ns_ = std::max(now_ns_, end_ns_);
      return SIGCHLD;
    }
    now_ns_ = std::max(now_ns_, time_ns);
    return std::nullopt;
  }

  Result<std::int64_t> start() override {
    if (!can_start_) return not_found("no such command");
    started_ns_ = now_ns_;
    end_ns_ = now_ns_ + child_ns_;
    return std::int64_t{77};
  }

  Result<std::optional<ChildEnd>> poll() override {
    if (vanished_) return io_error("no child");
    if (now_ns_ < end_ns_) return std::optional<ChildEnd>();
    return std::optional(end_);
  }

  void forward(int signal) override {
    forwarded_.push_back(signal);
    if (signal == SIGKILL || ends_on_signal_) {
      end_ns_ = now_ns_;
      end_ = {.kind = ChildEnd::Kind::kSignalled, .number = signal};
    }
  }

  bool running() const { return started_ns_ >= 0; }

  std::int64_t now_ns_ = 0;
  std::int64_t wall_ns_ = 0;
  std::int64_t sample_cost_ns_ = 0;
  std::int64_t child_ns_ = 1000 * kMs;
  ChildEnd end_ = {};
  bool can_start_ = true;
  bool vanished_ = false;
  bool ends_on_signal_ = false;
  std::deque<Arrival> signals_ = {};
  std::vector<int> forwarded_ = {};

 private:
  std::int64_t started_ns_ = -1;
  std::int64_t end_ns_ = 0;
  bool told_ = false;
};

std::vector<std::int64_t> times_ms(const std::vector<host::Snapshot>& samples) {
  std::vector<std::int64_t> times;
  for (const host::Snapshot& each : samples) times.push_back(each.monotonic_ns / kMs);
  return times;
}

using Times = std::vector<std::int64_t>;

TEST(CaptureTest, ASecondAtAQuarterIsFiveSamples) {
  FakeSource source;
  const Result<Capture> capture = attestation::capture(source, {});
  ASSERT_TRUE(capture.ok());
  EXPECT_EQ(times_ms(capture->baseline), (Times{0, 250, 500, 750, 1000}));
  EXPECT_EQ(times_ms(capture->command), (Times{1000, 1250, 1500, 1750, 2000}));
  EXPECT_EQ(capture->root_pid, 77);
  EXPECT_EQ(capture->exit_code, 0);
  EXPECT_FALSE(capture->timed_out);
}

TEST(CaptureTest, AWindowShorterThanTheIntervalHasItsTwoEnds) {  // T-64
  FakeSource source;
  source.child_ns_ = 3 * kMs;
  const Result<Capture> capture = attestation::capture(source, {.baseline_ns = 10 * kMs});
  ASSERT_TRUE(capture.ok());
  EXPECT_EQ(times_ms(capture->baseline), (Times{0, 10}));
  EXPECT_EQ(times_ms(capture->command), (Times{10, 13}));
}

TEST(CaptureTest, ATickThatASlowSampleMissedIsNotMadeUpForAndTheIntervalStays) {
  FakeSource source;
  source.sample_cost_ns_ = 300 * kMs;
  source.child_ns_ = 1300 * kMs;
  const Result<Capture> capture = attestation::capture(source, {});
  ASSERT_TRUE(capture.ok());
  EXPECT_EQ(times_ms(capture->baseline), (Times{0, 500, 1000}));
  EXPECT_EQ(times_ms(capture->command), (Times{1300, 1800, 2300, 2600}));
  const Attestation report = build(capture->samples(250 * kMs), {});
  EXPECT_EQ(report.command_window.sample_interval_ns, 250 * kMs);
  EXPECT_EQ(report.verdict, "investigate");
}

TEST(CaptureTest, AWrongWallClockChangesOnlyTheTimeTexts) {
  FakeSource source;
  source.wall_ns_ = -259'200'000 * kMs;  // three days before 1970
  const Result<Capture> capture = attestation::capture(source, {});
  ASSERT_TRUE(capture.ok());
  const Attestation report = build(capture->samples(250 * kMs), {});
  EXPECT_EQ(report.baseline_window.started_at_utc, "1969-12-29T00:00:00Z");
  EXPECT_EQ(report.baseline_window.duration_ns, 1000 * kMs);
}

TEST(CaptureTest, ACommandThatCannotStartIsAnErrorAndNoReport) {  // T-63, E-23
  FakeSource source;
  source.can_start_ = false;
  EXPECT_EQ(attestation::capture(source, {}).status().code(), StatusCode::kNotFound);
}

TEST(CaptureTest, ASignalInTheQuietWindowStartsNothing) {
  FakeSource source;
  source.signals_ = {{.at_ns = 600 * kMs, .signal = SIGINT}};
  const Result<Capture> capture = attestation::capture(source, {});
  ASSERT_TRUE(capture.ok());
  EXPECT_EQ(capture->stopped_by, SIGINT);
  EXPECT_FALSE(source.running());
}

TEST(CaptureTest, ASignalIsForwardedAndTheReportStillMade) {
  FakeSource source;
  source.ends_on_signal_ = true;
  source.signals_ = {{.at_ns = 1100 * kMs, .signal = SIGTERM}};
  const Result<Capture> capture = attestation::capture(source, {});
  ASSERT_TRUE(capture.ok());
  EXPECT_EQ(source.forwarded_, std::vector<int>{SIGTERM});
  EXPECT_EQ(capture->exit_code, 143);
  EXPECT_EQ(times_ms(capture->command), (Times{1000, 1100}));
}

TEST(CaptureTest, AChildThatIgnoresASignalRunsOn) {
  FakeSource source;
  source.signals_ = {{.at_ns = 1100 * kMs, .signal = SIGHUP}, {.at_ns = 1200 * kMs, .signal = 17}};
  const Result<Capture> capture = attestation::capture(source, {});
  ASSERT_TRUE(capture.ok());
  EXPECT_EQ(source.forwarded_, std::vector<int>{SIGHUP});
  EXPECT_EQ(capture->exit_code, 0);
  EXPECT_EQ(times_ms(capture->command), (Times{1000, 1250, 1500, 1750, 2000}));
}

TEST(CaptureTest, ATimeLimitKillsAndIsCode124) {  // T-63
  FakeSource source;
  const Result<Capture> capture = attestation::capture(source, {.timeout_ns = 600 * kMs});
  ASSERT_TRUE(capture.ok());
  EXPECT_EQ(source.forwarded_, std::vector<int>{SIGKILL});
  EXPECT_EQ(capture->exit_code, 124);
  EXPECT_TRUE(capture->timed_out);
  EXPECT_EQ(times_ms(capture->command), (Times{1000, 1250, 1500, 1600}));
}

TEST(CaptureTest, AChildThatEndsBeforeTheLimitKeepsItsOwnCode) {
  FakeSource source;
  source.end_ = {.kind = ChildEnd::Kind::kExited, .number = 7};
  const Result<Capture> capture = attestation::capture(source, {.timeout_ns = 1000 * kMs});
  ASSERT_TRUE(capture.ok());
  EXPECT_EQ(capture->exit_code, 7);
  EXPECT_FALSE(capture->timed_out);
}

TEST(CaptureTest, AChildThatSomebodyElseReapedIsCodeOne) {
  FakeSource source;
  source.vanished_ = true;
  const Result<Capture> capture = attestation::capture(source, {});
  ASSERT_TRUE(capture.ok());
  EXPECT_EQ(capture->exit_code, 1);
  EXPECT_EQ(capture->command.size(), 2U);
  EXPECT_EQ(build(capture->samples(250 * kMs), {}).verdict, "invalid");
}

}  // namespace
}  // namespace cairn::evidence::attestation

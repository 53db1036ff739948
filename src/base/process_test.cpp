#include "base/process.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <vector>

namespace cairn {
namespace {

using Command = std::vector<std::string>;
char* const kNoVariables[] = {nullptr};

std::int64_t steady_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}
constexpr std::int64_t kMinuteNs = 60'000'000'000;

/// Waits as the sampler does: for SIGCHLD, then asks.
ChildEnd end_of(SignalBlock& signals, ChildProcess& child) {
  const std::int64_t last = steady_ns() + kMinuteNs;
  while (steady_ns() < last) {
    const Result<std::optional<ChildEnd>> end = child.poll();
    EXPECT_TRUE(end.ok()) << end.status().message();
    if (!end.ok()) return {};
    if (*end) return **end;
    signals.wait_until(last);
  }
  ADD_FAILURE() << "the child did not end";
  return {};
}

TEST(ProcessTest, AnExitCodeComesThrough) {
  SignalBlock signals;
  for (const int code : {0, 1, 7, 255}) {
    auto child =
        ChildProcess::start(Command{"/bin/sh", "-c", "exit " + std::to_string(code)}, kNoVariables);
    ASSERT_TRUE(child.ok()) << child.status().message();
    EXPECT_EQ(end_of(signals, *child).code(), code);
  }
}

TEST(ProcessTest, ASignalIsToldApartFromAnExitCode) {
  SignalBlock signals;
  auto child = ChildProcess::start(Command{"/bin/sh", "-c", "kill -15 $$"}, kNoVariables);
  ASSERT_TRUE(child.ok());
  const ChildEnd end = end_of(signals, *child);
  EXPECT_EQ(end.kind, ChildEnd::Kind::kSignalled);
  EXPECT_EQ(end.number, 15);
  EXPECT_EQ(end.code(), 143);
}

TEST(ProcessTest, ACommandThatDoesNotExistStartsNothingAndIsNamed) {
  const auto missing = ChildProcess::start(Command{"/no/such/program"}, kNoVariables);
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.status().code(), StatusCode::kNotFound);
  EXPECT_NE(missing.status().message().find("/no/such/program"), std::string::npos);
  EXPECT_FALSE(ChildProcess::start(Command{"/"}, kNoVariables).ok());
  EXPECT_EQ(ChildProcess::start(Command{}, kNoVariables).status().code(),
            StatusCode::kInvalidArgument);
  EXPECT_EQ(ChildProcess::start(Command{""}, kNoVariables).status().code(),
            StatusCode::kInvalidArgument);
}

TEST(ProcessTest, ASignalToTheGroupReachesWhatTheChildStarted) {
  SignalBlock signals;
  auto child = ChildProcess::start(Command{"/bin/sh", "-c", "/bin/sleep 60; exit 3"}, kNoVariables);
  ASSERT_TRUE(child.ok());
  child->signal_group(SIGKILL);
  EXPECT_EQ(end_of(signals, *child).number, SIGKILL);
  child->signal_group(SIGKILL);  // reaped: nobody is hit
  EXPECT_FALSE(child->poll().ok()) << "a child is reaped once";
}

TEST(ProcessTest, ABlockedSignalIsReturnedAndDoesNotEndTheProgram) {
  {
    SignalBlock signals;
    ::kill(::getpid(), SIGTERM);
    EXPECT_EQ(signals.wait_until(0), SIGTERM);
    EXPECT_EQ(signals.wait_until(steady_ns() + 2'000'000), std::nullopt);
    ::kill(::getpid(), SIGHUP);
  }
  SUCCEED() << "the SIGHUP that nobody asked for is dropped with the block";
}

TEST(ProcessTest, TheChildReadsNothingAndItsSignalsAreAsUsual) {
  SignalBlock signals;
  auto child = ChildProcess::start(
      Command{"/bin/sh", "-c", "read line && exit 9; kill -INT $$; exit 8"}, kNoVariables);
  ASSERT_TRUE(child.ok());
  EXPECT_EQ(end_of(signals, *child).code(), 128 + SIGINT);
}

}  // namespace
}  // namespace cairn

#include "server/resume/stream_keeper.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

namespace cairn::server {
namespace {

/// Says "event 0", "event 1" and so on, one per pull, `count` of them.
class CountingEvents final : public EventSource {
 public:
  CountingEvents(int count, std::shared_ptr<void> counted)
      : count_(count), counted_(std::move(counted)) {}
  Pulled pull(std::string& out, std::size_t /*bytes_wanted*/) override {
    append_event(out, {.data = fmt::format("event {}", next_), .id = std::to_string(next_)});
    return ++next_ == count_ ? Pulled::kEnd : Pulled::kMore;
  }
  void end_early(std::string& out, EndReason /*reason*/) override { out += "data: ended\n\n"; }

 private:
  int next_ = 0;
  int count_ = 0;
  std::shared_ptr<void> counted_;
};

std::string event(int number) { return fmt::format("id: {0}\ndata: event {0}\n\n", number); }

class StreamKeeperTest : public testing::Test {
 protected:
  std::unique_ptr<EventSource> source(int count) const {
    return std::make_unique<CountingEvents>(count, alive_);
  }
  static std::string pull(EventSource& reader, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) reader.pull(text, 1000);
    return text;
  }
  static std::string rest(EventSource& reader) {
    std::string text;
    while (reader.pull(text, 1000) == Pulled::kMore) continue;
    return text;
  }
  std::size_t sources() const { return static_cast<std::size_t>(alive_.use_count()) - 1; }

  const StreamName name_ = {.conversation = "talk", .owner = "key"};
  std::shared_ptr<int> alive_ = std::make_shared<int>();
};

TEST_F(StreamKeeperTest, AReaderThatComesBackGoesOnBehindTheEventItSaw) {
  StreamKeeper keeper({});
  auto reader = keeper.keep(name_, source(5)).value();
  EXPECT_EQ(pull(*reader, 3), event(0) + event(1) + event(2));
  reader.reset();
  auto again = keeper.resume(name_, {.after_event = 1}, nullptr).value();
  EXPECT_EQ(rest(*again), event(2) + event(3) + event(4));
  EXPECT_EQ(sources(), 0U) << "what has ended is destroyed, its events stay";
  EXPECT_EQ(rest(*keeper.resume(name_, {.after_event = 3}, nullptr).value()), event(4));
  EXPECT_EQ(rest(*keeper.resume(name_, {.after_event = 4}, nullptr).value()), "");
}

TEST_F(StreamKeeperTest, APlaceIsAByteToo) {
  StreamKeeper keeper({});
  auto reader = keeper.keep(name_, source(3)).value();
  const std::string all = event(0) + event(1) + event(2);
  EXPECT_EQ(pull(*reader, 2), event(0) + event(1));
  EXPECT_EQ(rest(*keeper.resume(name_, {.byte = 7}, nullptr).value()), all.substr(7));
  EXPECT_EQ(rest(*keeper.resume(name_, {}, nullptr).value()), all);
  EXPECT_EQ(keeper.resume(name_, {.byte = 1000}, nullptr).status().code(),
            StatusCode::kInvalidArgument);
}

TEST_F(StreamKeeperTest, TheNewestReaderTakesOver) {
  StreamKeeper keeper({});
  auto old = keeper.keep(name_, source(9)).value();
  EXPECT_EQ(pull(*old, 2), event(0) + event(1));
  auto reader = keeper.resume(name_, {.after_event = 1}, nullptr).value();
  std::string text;
  EXPECT_EQ(old->pull(text, 1000), Pulled::kEnd);
  EXPECT_EQ(text, "");
  old.reset();
  EXPECT_EQ(pull(*reader, 1), event(2));
}

TEST_F(StreamKeeperTest, ANewAnswerOfAConversationEndsTheOneBefore) {
  StreamKeeper keeper({});
  auto old = keeper.keep(name_, source(9)).value();
  auto reader = keeper.keep(name_, source(2)).value();
  std::string text;
  EXPECT_EQ(old->pull(text, 1000), Pulled::kEnd);
  EXPECT_EQ(rest(*reader), event(0) + event(1));
}

TEST_F(StreamKeeperTest, OnlyTheKeyThatBeganItFindsIt) {
  StreamKeeper keeper({});
  const auto reader = keeper.keep(name_, source(2)).value();
  EXPECT_EQ(keeper.resume({.conversation = "talk", .owner = "other"}, {}, nullptr).status().code(),
            StatusCode::kNotFound);
  EXPECT_FALSE(keeper.forget({.conversation = "talk", .owner = "other"}));
}

TEST_F(StreamKeeperTest, OldEventsAreForgottenAndAskingForThemIsRefused) {
  StreamKeeper keeper({.bytes = 2 * event(0).size()});
  auto reader = keeper.keep(name_, source(6)).value();
  EXPECT_EQ(rest(*reader).size(), 6 * event(0).size());
  const auto lost = keeper.resume(name_, {.after_event = 1}, nullptr);
  ASSERT_FALSE(lost.ok());
  EXPECT_THAT(lost.status().message(), testing::HasSubstr("events 4 to 5 are kept"));
  EXPECT_EQ(rest(*keeper.resume(name_, {.after_event = 3}, nullptr).value()), event(4) + event(5));
}

TEST_F(StreamKeeperTest, ABigEventIsGivenInPiecesAndWhole) {
  StreamKeeper keeper({.bytes = 4});
  auto reader = keeper.keep(name_, source(2)).value();
  std::string text;
  while (reader->pull(text, 5) == Pulled::kMore) continue;
  EXPECT_EQ(text, event(0) + event(1));
}

TEST_F(StreamKeeperTest, WhatNobodyReadsIsCancelledInTime) {
  StreamKeeper keeper({.time = std::chrono::milliseconds(1)});
  keeper.keep(name_, source(9)).value().reset();
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (sources() > 0 && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_EQ(sources(), 0U);
  EXPECT_EQ(keeper.resume(name_, {}, nullptr).status().code(), StatusCode::kNotFound);
}

TEST_F(StreamKeeperTest, WhereThereIsNoRoomTheOneLongestWithoutAReaderGoes) {
  StreamKeeper keeper({.count = 2});
  const auto read = keeper.keep({.conversation = "a"}, source(9)).value();
  keeper.keep({.conversation = "b"}, source(9)).value().reset();
  const auto third = keeper.keep({.conversation = "c"}, source(9));
  ASSERT_TRUE(third.ok());
  EXPECT_EQ(sources(), 2U);
  EXPECT_FALSE(keeper.forget({.conversation = "b"}));
  EXPECT_EQ(keeper.keep({.conversation = "d"}, source(9)).status().code(),
            StatusCode::kUnavailable);
}

TEST_F(StreamKeeperTest, AForgottenStreamEndsForItsReader) {
  StreamKeeper keeper({});
  auto reader = keeper.keep(name_, source(9)).value();
  EXPECT_TRUE(keeper.forget(name_));
  EXPECT_FALSE(keeper.forget(name_));
  std::string text;
  EXPECT_EQ(reader->pull(text, 1000), Pulled::kEnd);
  reader.reset();
  EXPECT_EQ(sources(), 0U);
}

TEST_F(StreamKeeperTest, TheServersLastWordsAreTheLastEvent) {
  StreamKeeper keeper({});
  auto reader = keeper.keep(name_, source(9)).value();
  std::string text = pull(*reader, 1);
  reader->end_early(text, EndReason::kServerStops);
  EXPECT_EQ(text, event(0) + "data: ended\n\n");
  EXPECT_EQ(sources(), 0U);
}

}  // namespace
}  // namespace cairn::server

// A fake server is a list of bytes with times: nothing here waits.
#include "evidence/bench/sse.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cairn::evidence {
namespace {

using testing::HasSubstr;

std::string content(std::string_view text) {
  return fmt::format(R"(data: {{"choices":[{{"index":0,"delta":{{"content":"{}"}}}}]}})"
                     "\n\n",
                     text);
}

std::string ending(std::string_view reason) {
  return fmt::format(R"(data: {{"choices":[{{"index":0,"delta":{{}},"finish_reason":"{}"}}]}})"
                     "\n\n",
                     reason);
}

std::string usage(int prompt, int output) {
  return fmt::format(
      R"(data: {{"choices":[],"usage":{{"prompt_tokens":{},"completion_tokens":{}}}}})"
      "\n\n",
      prompt, output);
}

constexpr std::string_view kRole =
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}\n\n";

// B04: the time per output token must not hold the wait for the first one.
TEST(SseTest, AFirstTokenAfterASecondAndNineMoreTenMillisecondsApart) {  // M-41, M-42, M-43
  SseReader reader;
  reader.feed(kRole, 2);
  for (int i = 0; i < 10; ++i) reader.feed(content("a"), 1000 + 10 * i);
  reader.feed(ending("length"), 1090);
  reader.feed(usage(7, 10), 1091);
  reader.feed("data: [DONE]\n\n", 1091);
  const StreamFigures figures = fold_stream(reader.chunks(), 10);
  EXPECT_EQ(figures.ttft, 1000);
  EXPECT_EQ(figures.tpot, 10);
  EXPECT_EQ(figures.inter_chunk, std::vector<double>(9, 10));
  EXPECT_EQ(figures.tokens, 10);
  EXPECT_FALSE(figures.ended_early);
  EXPECT_EQ(reader.prompt_tokens(), 7);
  EXPECT_EQ(reader.text(), "aaaaaaaaaa");
  EXPECT_TRUE(reader.done());
}

TEST(SseTest, AnyCutOfTheBytesGivesTheSameChunks) {
  const std::string bytes = std::string(kRole) + content("one") + ": a comment\n\n" +
                            content("two") + "event: x\r\ndata: {\"choices\":[]}\r\n\r\n" +
                            ending("stop") + usage(3, 2) + "data: [DONE]\n\n";
  SseReader whole;
  whole.feed(bytes, 5);
  SseReader pieces;
  for (const char byte : bytes) pieces.feed(std::string_view(&byte, 1), 5);
  EXPECT_EQ(pieces.chunks().size(), whole.chunks().size());
  EXPECT_EQ(pieces.text(), "onetwo");
  EXPECT_EQ(whole.text(), "onetwo");
  EXPECT_TRUE(pieces.done() && whole.done());
  EXPECT_EQ(pieces.error() + whole.error(), "");
}

TEST(SseTest, ReasoningAndCompletionsAreTextToo) {  // M-41
  SseReader reader;
  reader.feed("data: {\"choices\":[{\"delta\":{\"reasoning_content\":\"hm\"}}]}\n\n", 10);
  reader.feed("data: {\"choices\":[{\"text\":\"yes\"}]}\n\n", 20);
  EXPECT_EQ(fold_stream(reader.chunks(), 2).ttft, 10);
  EXPECT_EQ(reader.text(), "hmyes");
}

TEST(SseTest, WithoutUsageThereAreNoTokens) {  // M-40
  SseReader reader;
  reader.feed(content("a") + content("b") + ending("length"), 10);
  EXPECT_FALSE(fold_stream(reader.chunks(), 2).tokens);
  reader.feed("data: {\"choices\":[],\"usage\":{\"completion_tokens\":2.5}}\n\n", 11);
  EXPECT_FALSE(fold_stream(reader.chunks(), 2).tokens) << "no whole number";
}

TEST(SseTest, AStreamThatBreaksOffIsAnEarlyEnd) {  // M-27
  SseReader reader;
  reader.feed(content("a") + "data: {\"choi", 10);
  EXPECT_TRUE(fold_stream(reader.chunks(), 8).ended_early);
  EXPECT_FALSE(reader.done());
}

TEST(SseTest, WhatIsNoEventAndWhatTheServerSaysAreErrors) {
  SseReader garbage;
  garbage.feed("data: {\"choices\n\n", 1);
  EXPECT_THAT(garbage.error(), HasSubstr("no JSON object"));
  SseReader refused;
  refused.feed("data: {\"error\":{\"message\":\"overloaded\"}}\n\n", 1);
  EXPECT_THAT(refused.error(), HasSubstr("overloaded"));
  SseReader huge;
  huge.feed("data: " + std::string(17 << 20, 'x'), 1);
  EXPECT_THAT(huge.error(), HasSubstr("16 MiB"));
}

}  // namespace
}  // namespace cairn::evidence

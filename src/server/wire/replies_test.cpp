#include "server/wire/replies.h"

#include <gtest/gtest.h>

#include <cmath>

namespace cairn::server {
namespace {

const ReplyHead kHead = {.id = "chatcmpl-1",
                         .created_s = 1700000000,
                         .model = "m",
                         .system_fingerprint = "fp",
                         .ignored_fields = {},
                         .effective_params = {}};

ReplyChoice choice(std::string text) {
  ReplyChoice made;
  made.text = std::move(text);
  return made;
}

TEST(RepliesTest, ACompletionHasItsTextAndItsCounts) {
  ReplyChoice one = choice("hi");
  one.finish_reason = "length";
  const Json reply = Json::parse(completion_reply(
      kHead, {one}, {.prompt_tokens = 3, .completion_tokens = 2, .cached_tokens = 1}));
  EXPECT_EQ(reply["object"], "text_completion");
  EXPECT_EQ(reply["choices"][0]["text"], "hi");
  EXPECT_EQ(reply["choices"][0]["finish_reason"], "length");
  EXPECT_TRUE(reply["choices"][0]["logprobs"].is_null());
  EXPECT_EQ(reply["usage"]["total_tokens"], 5);
  EXPECT_EQ(reply["usage"]["prompt_tokens_details"]["cached_tokens"], 1);
  EXPECT_FALSE(reply.contains("ignored_fields"));
}

TEST(RepliesTest, UsageComesOnAChunkOfItsOwn) {  // A01
  const Json text = Json::parse(chat_chunk(kHead, choice("a"), ChunkKind::kNext));
  EXPECT_FALSE(text.contains("usage"));
  const Json last = Json::parse(chat_usage_chunk(kHead, {}));
  EXPECT_EQ(last["choices"], Json::array());
  EXPECT_TRUE(last.contains("usage"));
}

TEST(RepliesTest, TheFirstChunkHasTheRoleAndATextAndLaterOnesNot) {  // A02
  const Json first = Json::parse(chat_chunk(kHead, choice(""), ChunkKind::kFirst));
  EXPECT_EQ(first["choices"][0]["delta"].dump(), R"({"role":"assistant","content":""})");
  const Json next = Json::parse(chat_chunk(kHead, choice("x"), ChunkKind::kNext));
  EXPECT_EQ(next["choices"][0]["delta"].dump(), R"({"content":"x"})");
}

TEST(RepliesTest, EachEndpointHasItsOwnLayoutOfLogprobs) {  // A05, A07
  ReplyChoice one = choice("ab");
  one.logprobs = {
      {.bytes = "a", .logprob = std::nullopt, .top = {}, .characters = 1},
      {.bytes = "\xE2", .logprob = -INFINITY, .top = {{.bytes = "c", .logprob = -0.5, .top = {}}}}};
  one.text_offset = 7;
  const Json completion = Json::parse(completion_reply(kHead, {one}, {}))["choices"][0]["logprobs"];
  EXPECT_EQ(completion["token_logprobs"].dump(), "[null,-9999.0]");
  EXPECT_EQ(completion["text_offset"].dump(), "[7,8]");
  EXPECT_EQ(completion["top_logprobs"].dump(), R"([null,{"c":-0.5}])");
  const Json chat = Json::parse(chat_reply(kHead, {one}, {}))["choices"][0]["logprobs"];
  EXPECT_EQ(chat["content"][1]["bytes"].dump(), "[226]");
  EXPECT_EQ(chat["content"][1]["logprob"], -9999.0);
  EXPECT_EQ(chat["content"][1]["top_logprobs"][0]["token"], "c");
  EXPECT_EQ(chat["content"][0]["top_logprobs"], Json::array());
}

TEST(RepliesTest, CallsAreIndexedInAStreamAndContentIsNullWithoutText) {
  ReplyChoice one = choice("");
  one.tool_calls = {{.id = "c1", .name = "f", .arguments = "{}"},
                    {.index = 1, .id = "c2", .name = "g", .arguments = "{\"a\":1}"}};
  const Json message = Json::parse(chat_reply(kHead, {one}, {}))["choices"][0]["message"];
  EXPECT_TRUE(message["content"].is_null());
  EXPECT_EQ(message["tool_calls"][1]["function"]["arguments"], "{\"a\":1}");
  const Json delta = Json::parse(chat_chunk(kHead, one, ChunkKind::kNext))["choices"][0]["delta"];
  EXPECT_EQ(delta["tool_calls"][1]["index"], 1);
  EXPECT_EQ(delta["tool_calls"][0]["function"]["arguments"], "{}");
}

TEST(RepliesTest, WhatWasIgnoredAndUsedIsToldAndBrokenTextStaysJson) {
  ReplyHead head = kHead;
  head.ignored_fields = {"user"};
  head.effective_params = {{"temperature", 0.5}};
  const Json reply = Json::parse(chat_reply(head, {choice("\xff")}, {}));
  EXPECT_EQ(reply["ignored_fields"], Json::array({"user"}));
  EXPECT_EQ(reply["effective_params"]["temperature"], 0.5);
  EXPECT_EQ(reply["choices"][0]["message"]["content"], "\xEF\xBF\xBD");
}

}  // namespace
}  // namespace cairn::server

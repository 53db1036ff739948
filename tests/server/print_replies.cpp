// Prints one reply of each kind, "KIND<tab>JSON" a line, for openai_shapes.py.
#include <iostream>
#include <string>

#include "server/openai/response_format.h"
#include "server/wire/replies.h"

namespace {

using cairn::server::ReplyChoice;
using cairn::server::ReplyHead;
using cairn::server::Usage;

void print(const char* kind, const std::string& json) { std::cout << kind << '\t' << json << '\n'; }

ReplyChoice full_choice() {
  ReplyChoice choice;
  choice.index = 1;
  choice.text = "hé";
  choice.finish_reason = "stop";
  choice.logprobs = {
      {.bytes = "h", .logprob = -0.25, .top = {{.bytes = "H", .logprob = -3.5, .top = {}}}},
      {.bytes = "\xC3", .logprob = -1.5, .top = {}}};
  return choice;
}

ReplyChoice call_choice() {
  ReplyChoice choice;
  choice.reasoning = "because";
  choice.tool_calls = {{.id = "call_1", .name = "f", .arguments = "{\"a\":1}"}};
  choice.finish_reason = "tool_calls";
  return choice;
}

}  // namespace

int main() {
  const ReplyHead head = {.id = "cmpl-1",
                          .created_s = 1700000000,
                          .model = "m",
                          .system_fingerprint = "fp",
                          .ignored_fields = {"user"},
                          .effective_params = {{"seed", 7}}};
  const Usage usage = {.prompt_tokens = 3, .completion_tokens = 2, .cached_tokens = 1};
  const ReplyChoice plain;
  using cairn::server::ChunkKind;
  print("completion", cairn::server::completion_reply(head, {full_choice(), plain}, usage));
  print("completion", cairn::server::completion_chunk(head, full_choice()));
  print("completion", cairn::server::completion_usage_chunk(head, usage));
  print("chat", cairn::server::chat_reply(head, {full_choice(), call_choice()}, usage));
  print("chunk", cairn::server::chat_chunk(head, plain, ChunkKind::kFirst));
  print("chunk", cairn::server::chat_chunk(head, full_choice(), ChunkKind::kNext));
  print("chunk", cairn::server::chat_chunk(head, call_choice(), ChunkKind::kNext));
  print("chunk", cairn::server::chat_usage_chunk(head, usage));
  print("response",
        cairn::server::response_format(head, {}, nullptr)->whole({full_choice()}, usage));
  print("response",
        cairn::server::response_format(head, {}, nullptr)->whole({call_choice()}, usage));
  return 0;
}

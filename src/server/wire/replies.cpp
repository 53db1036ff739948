#include "server/wire/replies.h"

#include <algorithm>

#include "base/utf8.h"

namespace cairn::server {
namespace {

// JSON has no infinity: a token that cannot come is this unlikely.
constexpr double kLogprobFloor = -9999;

Json number_of(const std::optional<double>& logprob) {
  return logprob.has_value() ? Json(std::max(*logprob, kLogprobFloor)) : Json();
}

Json text_or_null(const std::optional<std::string>& text) {
  return text.has_value() ? Json(*text) : Json();
}

Json bytes_of(const std::string& text) {
  Json list = Json::array();
  for (const char c : text) list.push_back(static_cast<unsigned char>(c));
  return list;
}

Json object_of(const ReplyHead& head, std::string_view kind) {
  Json object = {{"id", head.id},
                 {"object", kind},
                 {"created", head.created_s},
                 {"model", head.model},
                 {"system_fingerprint", head.system_fingerprint},
                 {"choices", Json::array()}};
  if (!head.ignored_fields.empty()) object["ignored_fields"] = head.ignored_fields;
  if (!head.effective_params.is_null()) object["effective_params"] = head.effective_params;
  return object;
}

Json usage_of(const Usage& usage) {
  return {{"prompt_tokens", usage.prompt_tokens},
          {"completion_tokens", usage.completion_tokens},
          {"total_tokens", usage.prompt_tokens + usage.completion_tokens},
          {"prompt_tokens_details", {{"cached_tokens", usage.cached_tokens}}}};
}

/// The layout of completions: parallel lists (A05).
Json completion_logprobs(const ReplyChoice& choice) {
  Json tokens = Json::array();
  Json numbers = Json::array();
  Json tops = Json::array();
  Json offsets = Json::array();
  std::uint64_t offset = choice.text_offset;
  for (const TokenReport& token : *choice.logprobs) {
    tokens.push_back(replace_invalid_utf8(token.bytes));
    numbers.push_back(number_of(token.logprob));
    offsets.push_back(offset);
    offset += token.characters;
    Json top = token.logprob.has_value() ? Json::object() : Json();
    for (const TokenReport& other : token.top) {
      top[replace_invalid_utf8(other.bytes)] = number_of(other.logprob);
    }
    tops.push_back(std::move(top));
  }
  return {{"tokens", std::move(tokens)},
          {"token_logprobs", std::move(numbers)},
          {"top_logprobs", std::move(tops)},
          {"text_offset", std::move(offsets)}};
}

Json chat_token(const TokenReport& token) {
  return {{"token", replace_invalid_utf8(token.bytes)},
          {"logprob", number_of(token.logprob.value_or(kLogprobFloor))},
          {"bytes", bytes_of(token.bytes)}};
}

Json chat_logprobs(const std::vector<TokenReport>& tokens) {
  return {{"content", token_list(tokens)}};
}

Json completion_choice(const ReplyChoice& choice) {
  Json object = {{"index", choice.index},
                 {"text", choice.text},
                 {"logprobs", choice.logprobs.has_value() ? completion_logprobs(choice) : Json()},
                 {"finish_reason", text_or_null(choice.finish_reason)},
                 {"stop_reason", text_or_null(choice.stop_reason)}};
  if (!choice.prompt_logprobs.is_null()) object["prompt_logprobs"] = choice.prompt_logprobs;
  return object;
}

Json chat_choice(const ReplyChoice& choice, const char* key, Json message) {
  return {{"index", choice.index},
          {key, std::move(message)},
          {"logprobs", choice.logprobs.has_value() ? chat_logprobs(*choice.logprobs) : Json()},
          {"finish_reason", text_or_null(choice.finish_reason)},
          {"stop_reason", text_or_null(choice.stop_reason)}};
}

enum class CallIndex : std::uint8_t { kNo, kYes };

Json calls_of(const std::vector<ToolCall>& calls, CallIndex with_index) {
  Json list = Json::array();
  for (const ToolCall& call : calls) {
    Json entry = Json::object();
    if (with_index == CallIndex::kYes) entry["index"] = call.index;
    Json function = Json::object();
    if (!call.id.empty()) {
      entry["id"] = call.id;
      entry["type"] = "function";
      function["name"] = call.name;
    }
    function["arguments"] = call.arguments;
    entry["function"] = std::move(function);
    list.push_back(std::move(entry));
  }
  return list;
}

Json message_of(const ReplyChoice& choice) {
  const bool only_calls = choice.text.empty() && !choice.tool_calls.empty();
  Json message = {{"role", "assistant"}, {"content", only_calls ? Json() : Json(choice.text)}};
  if (choice.reasoning.has_value()) message["reasoning_content"] = *choice.reasoning;
  if (!choice.tool_calls.empty()) {
    message["tool_calls"] = calls_of(choice.tool_calls, CallIndex::kNo);
  }
  return message;
}

std::string usage_chunk(const ReplyHead& head, std::string_view kind, const Usage& usage) {
  Json chunk = object_of(head, kind);
  chunk["usage"] = usage_of(usage);
  return line_of(chunk);
}

}  // namespace

Json token_list(const std::vector<TokenReport>& tokens) {
  Json list = Json::array();
  for (const TokenReport& token : tokens) {
    Json entry = chat_token(token);
    entry["top_logprobs"] = Json::array();
    for (const TokenReport& other : token.top) entry["top_logprobs"].push_back(chat_token(other));
    list.push_back(std::move(entry));
  }
  return list;
}

std::uint64_t count_characters(std::string_view text) {
  return static_cast<std::uint64_t>(
      std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

void add_to(ReplyChoice& choice, ReplyChoice piece) {
  choice.text += piece.text;
  if (piece.reasoning) choice.reasoning = choice.reasoning.value_or("") + *piece.reasoning;
  for (ToolCall& call : piece.tool_calls) {
    if (call.index < choice.tool_calls.size()) {
      choice.tool_calls[call.index].arguments += call.arguments;
    } else {
      choice.tool_calls.push_back(std::move(call));
    }
  }
  if (piece.finish_reason) choice.finish_reason = std::move(piece.finish_reason);
  if (piece.stop_reason) choice.stop_reason = std::move(piece.stop_reason);
  if (!piece.prompt_logprobs.is_null()) choice.prompt_logprobs = std::move(piece.prompt_logprobs);
  if (!piece.logprobs) return;
  if (!choice.logprobs) choice.logprobs.emplace();
  std::ranges::move(*piece.logprobs, std::back_inserter(*choice.logprobs));
}

std::string completion_reply(const ReplyHead& head, const std::vector<ReplyChoice>& choices,
                             const Usage& usage) {
  Json reply = object_of(head, "text_completion");
  for (const ReplyChoice& choice : choices) reply["choices"].push_back(completion_choice(choice));
  reply["usage"] = usage_of(usage);
  return line_of(reply);
}

std::string chat_reply(const ReplyHead& head, const std::vector<ReplyChoice>& choices,
                       const Usage& usage) {
  Json reply = object_of(head, "chat.completion");
  for (const ReplyChoice& choice : choices) {
    reply["choices"].push_back(chat_choice(choice, "message", message_of(choice)));
    // All answers to a chat have one prompt, so vLLM tells of it once.
    if (!choice.prompt_logprobs.is_null()) reply["prompt_logprobs"] = choice.prompt_logprobs;
  }
  reply["usage"] = usage_of(usage);
  return line_of(reply);
}

std::string completion_chunk(const ReplyHead& head, const ReplyChoice& choice) {
  Json chunk = object_of(head, "text_completion");
  chunk["choices"].push_back(completion_choice(choice));
  return line_of(chunk);
}

std::string chat_chunk(const ReplyHead& head, const ReplyChoice& choice, ChunkKind kind) {
  Json delta = Json::object();
  if (kind == ChunkKind::kFirst) delta["role"] = "assistant";
  // Clients index delta.content of the first chunk: it is a text there, never null (A02).
  if (kind == ChunkKind::kFirst || !choice.text.empty()) delta["content"] = choice.text;
  if (choice.reasoning.has_value()) delta["reasoning_content"] = *choice.reasoning;
  if (!choice.tool_calls.empty()) {
    delta["tool_calls"] = calls_of(choice.tool_calls, CallIndex::kYes);
  }
  Json chunk = object_of(head, "chat.completion.chunk");
  chunk["choices"].push_back(chat_choice(choice, "delta", std::move(delta)));
  return line_of(chunk);
}

std::string completion_usage_chunk(const ReplyHead& head, const Usage& usage) {
  return usage_chunk(head, "text_completion", usage);
}

std::string chat_usage_chunk(const ReplyHead& head, const Usage& usage) {
  return usage_chunk(head, "chat.completion.chunk", usage);
}

}  // namespace cairn::server

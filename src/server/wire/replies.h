// Replies of /v1/completions and /v1/chat/completions as JSON: pure functions, one line each.
// Source: OpenAI's API reference; the extras are vLLM's and llama.cpp's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace cairn::server {

/// What every object of one answer repeats.
struct ReplyHead {
  std::string id = {};         // "cmpl-…" or "chatcmpl-…"
  std::int64_t created_s = 0;  // Unix time
  std::string model = {};      // as the client may name it, never a path
  std::string system_fingerprint = {};
  std::vector<std::string> ignored_fields = {};  // listed when not empty
  Json effective_params = {};                    // an object when asked for, else null
};

struct Usage {
  std::uint64_t prompt_tokens = 0;
  std::uint64_t completion_tokens = 0;
  std::uint64_t cached_tokens = 0;
  std::uint64_t reasoning_tokens = 0;  // of the completion's, those whose text was reasoning
  double prompt_s = 0;                 // computing the prompts
  double decode_s = 0;  // the tokens behind each first, of the answer that took longest
};

/// A token with the logarithm of its probability; -infinity is written as -9999 (A07).
struct TokenReport {
  std::string bytes = {};
  std::optional<double> logprob = {};  // nothing for the first token of an echoed prompt
  std::vector<TokenReport> top = {};   // likeliest first, without their own
  std::uint64_t characters = 0;        // that it added to the text
};

/// A call, or what one chunk adds to it: id and name stand in its first piece alone.
struct ToolCall {
  std::uint64_t index = 0;
  std::string id = {};
  std::string name = {};
  std::string arguments = {};  // JSON as text
};

/// One answer, or what one chunk adds to it.
// A null Json is made without throwing, which the check does not see.
// NOLINTNEXTLINE(bugprone-exception-escape)
struct ReplyChoice {
  std::uint64_t index = 0;
  std::string text = {};
  std::optional<std::string> reasoning = {};
  std::vector<ToolCall> tool_calls = {};
  std::optional<std::string> finish_reason = {};
  std::optional<std::string> stop_reason = {};  // vLLM's: the text that ended it, or "deadline"
  std::optional<std::vector<TokenReport>> logprobs = {};
  Json prompt_logprobs = {};      // vLLM's, an array when asked for, else null
  std::uint64_t text_offset = 0;  // completions: characters of the text before this
};

/// Adds a later piece of the same answer to `choice`.
void add_to(ReplyChoice& choice, ReplyChoice piece);

/// Characters (code points) of `text`, which is what the offsets of OpenAI's clients count.
std::uint64_t count_characters(std::string_view text);

/// Tokens as chats report them: {token, logprob, bytes, top_logprobs} each (A04).
Json token_list(const std::vector<TokenReport>& tokens);

/// What a chunk of a stream tells beyond its text.
enum class ChunkKind : std::uint8_t { kFirst, kNext };

/// The whole reply of a completion.
std::string completion_reply(const ReplyHead& head, const std::vector<ReplyChoice>& choices,
                             const Usage& usage);

/// The whole reply of a chat.
std::string chat_reply(const ReplyHead& head, const std::vector<ReplyChoice>& choices,
                       const Usage& usage);

/// One chunk of a streamed completion.
std::string completion_chunk(const ReplyHead& head, const ReplyChoice& choice);

/// One chunk of a streamed chat; the first one carries the role (A02).
std::string chat_chunk(const ReplyHead& head, const ReplyChoice& choice, ChunkKind kind);

/// The closing chunk with the usage and no choice (A01).
std::string completion_usage_chunk(const ReplyHead& head, const Usage& usage);
/// The same of a chat.
std::string chat_usage_chunk(const ReplyHead& head, const Usage& usage);

/// What ends a stream.
constexpr std::string_view kDoneWord = "[DONE]";

}  // namespace cairn::server

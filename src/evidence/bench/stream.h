// What one streamed answer of a server comes to (native-performance.md 18.7).
//
// Purpose     times and tokens of one request from the chunks that arrived.
// Invariants  tokens come from the server's own usage, never from counting chunks: without usage
//             there is no rate and no time per token.
// Threads     pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace cairn::evidence {

/// One event of the stream; milliseconds since the request was sent.
struct StreamChunk {
  double at_milliseconds = 0;
  bool has_text = false;  // content or reasoning; a role-only opening has none
  std::optional<std::int64_t> output_tokens = {};  // of a usage block
  std::string_view finish_reason = {};             // "stop", "length"; empty before the end
};

/// Milliseconds.
struct StreamFigures {
  std::optional<double> ttft;               // M-41: the first chunk with content or reasoning
  std::optional<double> e2e;                // the last chunk with content or reasoning
  std::optional<std::int64_t> tokens;       // M-40: of the usage block only
  std::optional<double> tpot;               // M-42: (e2e - ttft) / (tokens - 1)
  std::vector<double> inter_chunk;          // M-43: between chunks with text
  std::optional<double> tokens_per_chunk;   // M-43: printed beside it
  std::optional<double> tokens_per_second;  // output tokens over e2e
  bool ended_early = false;                 // fewer tokens than asked for, without a stop
};

/// Folds the chunks of one request that asked for `tokens_asked`, in the order of arrival.
StreamFigures fold_stream(std::span<const StreamChunk> chunks, std::int64_t tokens_asked);

}  // namespace cairn::evidence

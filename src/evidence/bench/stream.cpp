#include "evidence/bench/stream.h"

namespace cairn::evidence {

StreamFigures fold_stream(std::span<const StreamChunk> chunks, std::int64_t tokens_asked) {
  StreamFigures figures;
  std::int64_t with_text = 0;
  std::string_view finish;
  for (const StreamChunk& chunk : chunks) {
    if (chunk.output_tokens) figures.tokens = chunk.output_tokens;  // M-40
    if (!chunk.finish_reason.empty()) finish = chunk.finish_reason;
    if (!chunk.has_text) continue;
    ++with_text;
    if (!figures.ttft) figures.ttft = chunk.at_milliseconds;                               // M-41
    if (figures.e2e) figures.inter_chunk.push_back(chunk.at_milliseconds - *figures.e2e);  // M-43
    figures.e2e = chunk.at_milliseconds;
  }
  const bool short_answer = figures.tokens && *figures.tokens < tokens_asked;
  figures.ended_early = finish.empty() || (short_answer && finish != "stop");
  if (!figures.tokens || !figures.ttft || *figures.tokens <= 0) return figures;
  const auto tokens = static_cast<double>(*figures.tokens);
  figures.tokens_per_chunk = tokens / static_cast<double>(with_text);
  if (*figures.e2e > 0) figures.tokens_per_second = tokens / (*figures.e2e / 1000);
  if (*figures.tokens > 1) figures.tpot = (*figures.e2e - *figures.ttft) / (tokens - 1);  // M-42
  return figures;
}

}  // namespace cairn::evidence

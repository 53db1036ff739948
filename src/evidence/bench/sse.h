// The chunks of one streamed answer, out of bytes as they arrive (OpenAI's server-sent events).
//
// Purpose     a load client's ears: when content came, what usage said, how it ended.
// Invariants  any bytes may come in any pieces; times are the caller's. Nothing is counted that the
//             server did not say.
// Threads     one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "evidence/bench/stream.h"

namespace cairn::evidence {

class SseReader {
 public:
  /// Takes bytes that arrived `at_ms` milliseconds after the request was sent.
  void feed(std::string_view bytes, double at_ms);

  const std::vector<StreamChunk>& chunks() const { return chunks_; }
  /// Content and reasoning so far.
  const std::string& text() const { return text_; }
  std::optional<std::int64_t> prompt_tokens() const { return prompt_tokens_; }
  /// Whether the closing [DONE] came.
  bool done() const { return done_; }
  /// What was wrong with the stream, or what the server said was; empty while nothing is.
  const std::string& error() const { return error_; }

 private:
  void take_line(std::string_view line, double at_ms);
  void take_event(double at_ms);
  void take_json(const Json& event, double at_ms);
  void take_choice(const Json& choice, StreamChunk& chunk);

  std::string line_;   // not ended yet
  std::string event_;  // its data so far
  bool has_data_ = false;
  std::vector<StreamChunk> chunks_;
  std::string text_;
  std::optional<std::int64_t> prompt_tokens_;
  bool done_ = false;
  std::string error_;
};

}  // namespace cairn::evidence

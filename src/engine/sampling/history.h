// How often each id stands in what the penalties look at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/token.h"
#include "engine/sampling/params.h"

namespace cairn::engine {

/// Whether the repetition penalty, or presence and frequency penalty, can change anything.
bool penalises_repetition(const SamplingParams& params);
bool penalises_answer(const SamplingParams& params);

/// How often an id was added.
struct TokenCount {
  TokenId id = 0;
  std::uint32_t count = 0;
};

/// Counts per id over the last tokens that were added.
class TokenCounts {
 public:
  /// Over the last `window` tokens, -1 for all, of ids below `vocabulary`; with `vocabulary` 0
  /// nothing is ever counted.
  TokenCounts(std::size_t vocabulary, std::int64_t window);

  void add(TokenId id);
  /// Every id that was added once or more, each once; some may have count 0 by now.
  std::span<const TokenCount> counts() const { return counts_; }

 private:
  std::size_t window_max_ = 0;         // 0: all
  std::vector<std::uint32_t> places_;  // of an id in counts_, plus 1; 0: none
  std::vector<TokenCount> counts_;
  std::vector<TokenId> recent_;  // ring of the last window_max_ ids
  std::size_t oldest_ = 0;
};

/// The tokens of one sequence as the penalties see them.
class History {
 public:
  /// Keeps only the counts that `params` need. Ids given later are below `vocabulary`.
  History(const SamplingParams& params, std::size_t vocabulary);

  void accept_prompt(std::span<const TokenId> prompt);
  void accept_generated(TokenId id);

  /// The last repetition_window tokens of prompt and answer.
  const TokenCounts& window() const { return window_; }
  /// The last answer_window tokens of the answer alone.
  const TokenCounts& answer() const { return answer_; }

 private:
  TokenCounts window_;
  TokenCounts answer_;
};

}  // namespace cairn::engine

// How often each id stands in what the penalties look at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/token.h"
#include "engine/sampling/params.h"

namespace cairn::engine {

/// Counts per id, and which ids have one.
class TokenCounts {
 public:
  /// Room for ids 0 up to `vocabulary`; 0 makes counts that take nothing.
  explicit TokenCounts(std::size_t vocabulary) : counts_(vocabulary), listed_(vocabulary) {}

  void add(TokenId id);
  /// Takes back one add() of `id`.
  void remove(TokenId id);
  /// Every id that was added once or more, each once; some may have count 0 by now.
  std::span<const TokenId> ids() const { return ids_; }
  std::uint32_t operator[](TokenId id) const { return counts_[static_cast<std::size_t>(id)]; }

 private:
  std::vector<std::uint32_t> counts_;
  std::vector<bool> listed_;
  std::vector<TokenId> ids_;
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
  /// The answer alone.
  const TokenCounts& generated() const { return generated_; }

 private:
  void slide(TokenId id);

  std::size_t window_max_ = 0;  // 0: all
  bool counts_window_ = false;
  bool counts_generated_ = false;
  TokenCounts window_;
  TokenCounts generated_;
  std::vector<TokenId> recent_;  // ring of the last window_max_ ids
  std::size_t oldest_ = 0;
};

}  // namespace cairn::engine

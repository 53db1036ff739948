// Filter: what one answer bans outright, before any stage looks at logits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/status.h"
#include "base/token.h"
#include "engine/sampling/byte_patterns.h"
#include "engine/sampling/draft.h"
#include "engine/sampling/mask_source.h"
#include "engine/sampling/params.h"
#include "engine/sampling/token_bytes.h"

namespace cairn::engine {

/// Allowed ids, banned words, stop ids before tokens_min, and a mask source. A banned word is kept
/// out byte for byte: an id is out when with it the answer would contain the word, however the
/// bytes are cut into tokens. (vLLM bans ids that would complete certain tokenizations of a word.)
class Filter {
 public:
  /// `params` passed check(). `bytes` outlives this; it may be nullptr where no part needs it:
  /// banned words and formats do.
  Filter(const SamplingParams& params, std::size_t vocabulary, const TokenBytes* bytes,
         std::span<const TokenId> stop_ids);

  /// Takes out of `draft` what may not come next.
  void apply(Draft& draft);

  /// Takes the id that was chosen. Errors: kInvalidArgument for a forced id that the mask bans.
  Status accept(TokenId id);

  /// How many of `ids`, guesses of what comes next, may be chosen one after the other; a stop id is
  /// not counted, as nothing follows it. The mask source goes along and is rolled back.
  std::size_t may_follow(std::span<const TokenId> ids);

  /// Whether the mask source says that the answer is complete.
  bool must_end() const { return mask_ != nullptr && mask_->must_end(); }

 private:
  void allow_only(std::span<const TokenId> ids);
  void take_out(TokenId id);
  void ban_words();
  std::span<const std::uint64_t> step_words();
  bool is_stop(TokenId id) const;

  std::size_t vocabulary_ = 0;
  const TokenBytes* bytes_ = nullptr;
  std::vector<TokenId> stop_ids_;
  std::size_t tokens_min_ = 0;
  std::size_t tokens_ = 0;
  BytePatterns banned_;
  bool bans_words_ = false;
  std::unique_ptr<MaskSource> mask_;
  std::vector<std::uint64_t> always_;  // ids that are never out; empty: all
  std::vector<std::uint64_t> step_;
};

}  // namespace cairn::engine

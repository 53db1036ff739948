// Repeats: which ids would make a repetition of the text's end longer (the DRY penalty).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/token.h"
#include "engine/sampling/byte_patterns.h"
#include "engine/sampling/params.h"
#include "engine/sampling/token_bytes.h"

namespace cairn::engine {

/// An id that has followed an earlier occurrence of the last `length` tokens.
struct Repeat {
  TokenId id = 0;
  std::int64_t length = 0;  // the longest, dry_allowed_length or more
};

class Repeats {
 public:
  /// Keeps tokens only where `params` use them. `bytes` outlives this; nullptr: no token has bytes,
  /// so none holds a breaker.
  Repeats(const SamplingParams& params, const TokenBytes* bytes);

  void accept(TokenId id);

  /// The repetitions as of now, ids ascending; valid until the next call.
  /// Cost: linear in the window (Gusfield 1997, section 1.3, the Z values of the reversed window).
  std::span<const Repeat> find();

 private:
  std::string_view bytes_of(TokenId id) const;
  void measure(std::span<const TokenId> window);

  bool active_ = false;
  std::size_t window_max_ = 0;  // 0: all
  std::int64_t allowed_ = 0;
  const TokenBytes* bytes_ = nullptr;
  BytePatterns breakers_;
  std::size_t unbroken_ = 0;  // tokens since the last one in which a breaker ended
  std::vector<TokenId> ids_;
  std::vector<std::size_t> lengths_;
  std::vector<Repeat> found_;
};

}  // namespace cairn::engine

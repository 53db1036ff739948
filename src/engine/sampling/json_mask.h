// JsonMask: keeps an answer to one JSON object.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "engine/sampling/json_masks.h"
#include "engine/sampling/json_state.h"
#include "engine/sampling/mask_source.h"
#include "engine/sampling/token_index.h"

namespace cairn::engine {

/// White space outside of strings, and digits of a number, after which no token may begin with one
/// more: models would go on for ever.
inline constexpr std::size_t kJsonWhitespaceMax = 64;
inline constexpr std::size_t kJsonDigitsMax = 20;

class JsonMask final : public MaskSource {
 public:
  /// `index` outlives this.
  explicit JsonMask(const TokenIndex& index) : index_(index) {}

  void allow(std::span<std::uint64_t> words) override;
  bool advance(TokenId id) override;
  void rollback(std::size_t count) override;
  bool may_end() const override { return now_.state.mode == JsonMode::kDone; }
  bool must_end() const override { return may_end(); }

 private:
  struct Point {
    JsonState state;
    std::size_t run = 0;  // of white space or digits, up to here
  };

  JsonLimit limit() const;
  bool allows(std::string_view bytes);

  const TokenIndex& index_;
  JsonStack stack_;
  Point now_;
  std::vector<Point> before_;  // each id that was taken
};

}  // namespace cairn::engine

// ChainMask: which ids may come next depends on the last one and on how many came. For tests.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "engine/sampling/mask_source.h"

namespace cairn::engine {

/// About a third of `vocabulary` ids may follow any id; the answer may end after every third and
/// has to after `most`.
class ChainMask final : public MaskSource {
 public:
  ChainMask(std::size_t vocabulary, std::uint64_t seed, std::size_t most)
      : vocabulary_(vocabulary), seed_(seed), most_(most) {}

  void allow(std::span<std::uint64_t> words) override {
    for (std::size_t id = 0; id < vocabulary_; ++id) {
      if (may_follow(static_cast<TokenId>(id))) words[id / 64] |= std::uint64_t{1} << (id % 64);
    }
  }
  bool advance(TokenId id) override {
    if (must_end() || static_cast<std::size_t>(id) >= vocabulary_ || !may_follow(id)) return false;
    taken_.push_back(id);
    return true;
  }
  void rollback(std::size_t count) override { taken_.resize(taken_.size() - count); }
  bool may_end() const override { return taken_.size() % 3 == 0; }
  bool must_end() const override { return taken_.size() >= most_; }

 private:
  bool may_follow(TokenId id) const {
    const TokenId last = taken_.empty() ? 0 : taken_.back();
    const auto next = static_cast<std::size_t>(last + 1) % vocabulary_;
    if (static_cast<std::size_t>(id) == next) return true;  // something always may
    return random_bits(seed_, static_cast<std::uint64_t>(last), static_cast<std::uint64_t>(id)) %
               3 ==
           0;
  }

  std::size_t vocabulary_ = 0;
  std::uint64_t seed_ = 0;
  std::size_t most_ = 0;
  std::vector<TokenId> taken_;
};

}  // namespace cairn::engine

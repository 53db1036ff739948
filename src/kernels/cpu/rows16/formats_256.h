// Super-blocks of 256: Q2_K to Q6_K (pack/k_quants.cpp), IQ4_XS (pack/tables.cpp) and the ternary
// formats (pack/few_bits.cpp).
#pragma once

#include "kernels/cpu/pack/layouts.h"
#include "kernels/cpu/rows16/dot_256.h"
#include "kernels/cpu/rows16/tables.h"

CAIRN_TIER_BEGIN
namespace cairn::kernels::CAIRN_TIER {
namespace {

/// Which field of its pairs is sub-block s's.
CAIRN_INLINE inline unsigned field_of(std::size_t s) { return static_cast<unsigned>(s % 4); }

/// What follows the planes: scale bytes by pairs, then f16 numbers.
template <class Layout>
struct Super : Layout {
  const std::byte* at = nullptr;

  explicit Super(const std::byte* block) : at(block) {}
  CAIRN_INLINE Ints unsigned_scales(std::size_t j) const {
    return unsigned_words(at + Layout::kScalesAt + 32 * j);
  }
  CAIRN_INLINE Ints signed_scales(std::size_t j) const {
    return signed_words(at + Layout::kScalesAt + 32 * j);
  }
  CAIRN_INLINE Floats d() const { return load_halves(at + Layout::kHalvesAt); }
  /// The files subtract minimums.
  CAIRN_INLINE Floats m() const { return negated(load_halves(at + Layout::kHalvesAt + 32)); }
};

struct Q2K : Super<Q2KLayout> {
  using Super::Super;
  CAIRN_INLINE Pairs codes(std::size_t s) const { return {pairs_of(at, s), field_of(s)}; }
  CAIRN_INLINE Ints scales(std::size_t j) const {
    return both(unsigned_scales(j), every(0x000F000F));
  }
  CAIRN_INLINE Ints minimums(std::size_t j) const { return shift_right(unsigned_scales(j), 4); }
};

struct Q3K : Super<Q3KLayout> {
  using Super::Super;
  CAIRN_INLINE PairsAndBit codes(std::size_t s) const {
    return {pairs_of(at + kSuperBits, s), bits_of(at, s), field_of(s)};
  }
  CAIRN_INLINE Ints scales(std::size_t j) const { return signed_scales(j); }
};

struct Q4K : Super<Q4KLayout> {
  using Super::Super;
  CAIRN_INLINE Nibbles codes(std::size_t s) const { return {nibbles_of(at, s)}; }
  CAIRN_INLINE Ints scales(std::size_t j) const { return unsigned_scales(j); }
  CAIRN_INLINE Ints minimums(std::size_t j) const { return unsigned_scales(4 + j); }
};

struct Q5K : Super<Q5KLayout> {
  using Super::Super;
  CAIRN_INLINE NibblesAndBit codes(std::size_t s) const {
    return {nibbles_of(at, s), bits_of(at + kSuperNibbles, s)};
  }
  CAIRN_INLINE Ints scales(std::size_t j) const { return unsigned_scales(j); }
  CAIRN_INLINE Ints minimums(std::size_t j) const { return unsigned_scales(4 + j); }
};

struct Q6K : Super<Q6KLayout> {
  using Super::Super;
  CAIRN_INLINE NibblesAndPairs codes(std::size_t s) const {
    return {nibbles_of(at, s), pairs_of(at + kSuperNibbles, s), field_of(s)};
  }
  CAIRN_INLINE Ints scales(std::size_t j) const { return signed_scales(j); }
};

/// Both ternary formats are packed alike: one scale for all.
struct Ternary : Super<TernaryLayout> {
  using Super::Super;
  CAIRN_INLINE Pairs codes(std::size_t s) const { return {pairs_of(at, s), field_of(s)}; }
  CAIRN_INLINE Ints scales(std::size_t /*j*/) const { return every(0x00010001); }
};

struct Iq4Xs : Super<Iq4XsLayout<kIq4Offset>> {
  using Super::Super;
  CAIRN_INLINE LookedUp codes(std::size_t s) const { return {nibbles_of(at, s), kIq4Table.data()}; }
  CAIRN_INLINE Ints scales(std::size_t j) const { return signed_scales(j); }
};

}  // namespace
}  // namespace cairn::kernels::CAIRN_TIER
CAIRN_TIER_END

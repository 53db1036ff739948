// Super-blocks of 256: Q2_K to Q6_K (pack/k_quants.cpp), IQ4_XS (pack/tables.cpp) and the ternary
// formats (pack/few_bits.cpp).
#include "kernels/cpu/avx512vnni/avx512vnni.h"
#include "kernels/cpu/avx512vnni/dot_256.h"
#include "kernels/cpu/avx512vnni/tables.h"
#include "kernels/cpu/pack/planes.h"

CAIRN_AVX512_BEGIN
namespace cairn::kernels::avx512vnni {
namespace {

/// Which field of its pairs is sub-block s's.
CAIRN_INLINE inline unsigned field_of(std::size_t s) { return static_cast<unsigned>(s % 4); }

/// What follows the planes: scale bytes by pairs, then f16 numbers.
template <std::size_t kPlanes, std::size_t kScaleBytes>
struct Super {
  static constexpr std::size_t kScalesAt = kPlanes;
  static constexpr std::size_t kHalvesAt = kPlanes + kGroupRows * kScaleBytes;
  const std::byte* at = nullptr;

  explicit Super(const std::byte* block) : at(block) {}
  CAIRN_INLINE Ints unsigned_scales(std::size_t j) const {
    return unsigned_words(at + kScalesAt + 32 * j);
  }
  CAIRN_INLINE Ints signed_scales(std::size_t j) const {
    return signed_words(at + kScalesAt + 32 * j);
  }
  CAIRN_INLINE Floats d() const { return load_halves(at + kHalvesAt); }
  /// The files subtract minimums.
  CAIRN_INLINE Floats m() const { return negated(load_halves(at + kHalvesAt + 32)); }
};

struct Q2K : Super<kSuperPairs, 16> {
  static constexpr std::size_t kBytes = kHalvesAt + 64;
  static constexpr bool kHalved = true;
  static constexpr bool kMinimum = true;
  static constexpr int kOffset = 0;
  using Super::Super;
  CAIRN_INLINE Pairs codes(std::size_t s) const { return {pairs_of(at, s), field_of(s)}; }
  CAIRN_INLINE Ints scales(std::size_t j) const {
    return both(unsigned_scales(j), every(0x000F000F));
  }
  CAIRN_INLINE Ints minimums(std::size_t j) const { return shift_right(unsigned_scales(j), 4); }
};

struct Q3K : Super<kSuperBits + kSuperPairs, 16> {
  static constexpr std::size_t kBytes = kHalvesAt + 32;
  static constexpr bool kHalved = true;
  static constexpr bool kMinimum = false;
  static constexpr int kOffset = 4;
  using Super::Super;
  CAIRN_INLINE PairsAndBit codes(std::size_t s) const {
    return {pairs_of(at + kSuperBits, s), bits_of(at, s), field_of(s)};
  }
  CAIRN_INLINE Ints scales(std::size_t j) const { return signed_scales(j); }
};

struct Q4K : Super<kSuperNibbles, 16> {
  static constexpr std::size_t kBytes = kHalvesAt + 64;
  static constexpr bool kHalved = false;
  static constexpr bool kMinimum = true;
  static constexpr int kOffset = 0;
  using Super::Super;
  CAIRN_INLINE Nibbles codes(std::size_t s) const { return {nibbles_of(at, s)}; }
  CAIRN_INLINE Ints scales(std::size_t j) const { return unsigned_scales(j); }
  CAIRN_INLINE Ints minimums(std::size_t j) const { return unsigned_scales(4 + j); }
};

struct Q5K : Super<kSuperNibbles + kSuperBits, 16> {
  static constexpr std::size_t kBytes = kHalvesAt + 64;
  static constexpr bool kHalved = false;
  static constexpr bool kMinimum = true;
  static constexpr int kOffset = 0;
  using Super::Super;
  CAIRN_INLINE NibblesAndBit codes(std::size_t s) const {
    return {nibbles_of(at, s), bits_of(at + kSuperNibbles, s)};
  }
  CAIRN_INLINE Ints scales(std::size_t j) const { return unsigned_scales(j); }
  CAIRN_INLINE Ints minimums(std::size_t j) const { return unsigned_scales(4 + j); }
};

struct Q6K : Super<kSuperNibbles + kSuperPairs, 16> {
  static constexpr std::size_t kBytes = kHalvesAt + 32;
  static constexpr bool kHalved = true;
  static constexpr bool kMinimum = false;
  static constexpr int kOffset = 32;
  using Super::Super;
  CAIRN_INLINE NibblesAndPairs codes(std::size_t s) const {
    return {nibbles_of(at, s), pairs_of(at + kSuperNibbles, s), field_of(s)};
  }
  CAIRN_INLINE Ints scales(std::size_t j) const { return signed_scales(j); }
};

/// Both ternary formats are packed alike: one scale for all.
struct Ternary : Super<kSuperPairs, 0> {
  static constexpr std::size_t kBytes = kHalvesAt + 32;
  static constexpr bool kHalved = false;
  static constexpr bool kMinimum = false;
  static constexpr int kOffset = 1;
  using Super::Super;
  CAIRN_INLINE Pairs codes(std::size_t s) const { return {pairs_of(at, s), field_of(s)}; }
  CAIRN_INLINE Ints scales(std::size_t /*j*/) const { return every(0x00010001); }
};

struct Iq4Xs : Super<kSuperNibbles, 8> {
  static constexpr std::size_t kBytes = kHalvesAt + 32;
  static constexpr bool kHalved = false;
  static constexpr bool kMinimum = false;
  static constexpr int kOffset = kIq4Offset;
  using Super::Super;
  CAIRN_INLINE LookedUp codes(std::size_t s) const { return {nibbles_of(at, s), kIq4Table.data()}; }
  CAIRN_INLINE Ints scales(std::size_t j) const { return signed_scales(j); }
};

}  // namespace

void dot_q2_k(const DotTask& task) { dot_256<Q2K>(task); }
void dot_q3_k(const DotTask& task) { dot_256<Q3K>(task); }
void dot_q4_k(const DotTask& task) { dot_256<Q4K>(task); }
void dot_q5_k(const DotTask& task) { dot_256<Q5K>(task); }
void dot_q6_k(const DotTask& task) { dot_256<Q6K>(task); }
void dot_ternary(const DotTask& task) { dot_256<Ternary>(task); }
void dot_iq4_xs(const DotTask& task) { dot_256<Iq4Xs>(task); }

}  // namespace cairn::kernels::avx512vnni
CAIRN_AVX512_END

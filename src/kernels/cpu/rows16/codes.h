// codes: packed planes (pack/planes.h) as vectors of bytes.
//
// Purpose     at<v>() is the codes of k = 4 v to 4 v + 3 of all 16 rows of one sub-block.
// Invariants  where the tier's dots multiply unsigned by signed bytes, signed codes come with
//             kByteOffset = 128 added, which the format's kOffset takes off again; sums are of 32
//             bits and do not saturate.
// Adding      a plane: a struct with at.
#pragma once

#include "kernels/cpu/lanes/unrolled.h"

CAIRN_TIER_BEGIN
namespace cairn::kernels::CAIRN_TIER {
namespace {

/// Codes 0 to 15.
struct Nibbles {
  const std::byte* nibbles = nullptr;

  template <std::ptrdiff_t kV>
  CAIRN_INLINE Ints at() const {
    const Ints two = load(nibbles + 64 * (kV % 4));
    if constexpr (kV < 4) return both(two, every_byte(15));
    return both(shift_right(two, 4), every_byte(15));
  }
};

/// Bit `kBit` of codes from a bit plane.
template <std::ptrdiff_t kV, std::ptrdiff_t kBit>
inline CAIRN_INLINE Ints plane_bit(const std::byte* bits) {
  const Ints all = load(bits);
  if constexpr (kV < kBit) return both(shift_left(all, kBit - kV), every_byte(1 << kBit));
  return both(shift_right(all, kV - kBit), every_byte(1 << kBit));
}

/// Codes 0 to 31.
struct NibblesAndBit {
  const std::byte* nibbles = nullptr;
  const std::byte* bits = nullptr;

  template <std::ptrdiff_t kV>
  CAIRN_INLINE Ints at() const {
    return either(Nibbles{nibbles}.at<kV>(), plane_bit<kV, 4>(bits));
  }
};

/// Two bits of codes from vector v of a pair plane, field `field`.
inline CAIRN_INLINE Ints plane_pair(const std::byte* pairs, std::ptrdiff_t v, unsigned field) {
  return both(shift_right(load(pairs + 64 * v), 2 * field), every_byte(3));
}

/// Codes 0 to 3.
struct Pairs {
  const std::byte* pairs = nullptr;
  unsigned field = 0;

  template <std::ptrdiff_t kV>
  CAIRN_INLINE Ints at() const {
    return plane_pair(pairs, kV, field);
  }
};

/// Codes 0 to 7: two bits and a third.
struct PairsAndBit {
  const std::byte* pairs = nullptr;
  const std::byte* bits = nullptr;
  unsigned field = 0;

  template <std::ptrdiff_t kV>
  CAIRN_INLINE Ints at() const {
    return either(plane_pair(pairs, kV, field), plane_bit<kV, 2>(bits));
  }
};

/// Codes 0 to 63: a nibble and two bits above it.
struct NibblesAndPairs {
  const std::byte* nibbles = nullptr;
  const std::byte* pairs = nullptr;
  unsigned field = 0;

  template <std::ptrdiff_t kV>
  CAIRN_INLINE Ints at() const {
    return either(Nibbles{nibbles}.at<kV>(), shift_left(plane_pair(pairs, kV, field), 4));
  }
};

/// A pair plane of 64 values: sub-block s is fields 2 s and 2 s + 1.
struct ShortPairs {
  const std::byte* pairs = nullptr;
  unsigned field = 0;

  template <std::ptrdiff_t kV>
  CAIRN_INLINE Ints at() const {
    return plane_pair(pairs, kV % 4, field + kV / 4);
  }
};

/// Codes 0 and 2 from a bit plane.
struct SignBits {
  const std::byte* bits = nullptr;

  template <std::ptrdiff_t kV>
  CAIRN_INLINE Ints at() const {
    return plane_bit<kV, 1>(bits);
  }
};

/// Signed codes, stored with the sign bit turned over.
struct StoredBytes {
  const std::byte* bytes = nullptr;

  template <std::ptrdiff_t kV>
  CAIRN_INLINE Ints at() const {
    return from_stored(load(bytes + 64 * kV));
  }
};

/// Codes unpacked before.
struct Bytes {
  const std::byte* bytes = nullptr;

  template <std::ptrdiff_t kV>
  CAIRN_INLINE Ints at() const {
    return load(bytes + 64 * kV);
  }
};

/// What a table of bytes gives for nibbles.
struct LookedUp {
  const std::byte* nibbles = nullptr;
  const std::byte* table = nullptr;

  template <std::ptrdiff_t kV>
  CAIRN_INLINE Ints at() const {
    return look_up(table, Nibbles{nibbles}.at<kV>());
  }
};

/// What a sub-block of 32 values and 16 rows takes when unpacked.
inline constexpr std::size_t kUnpackedBytes = 512;

/// Writes all codes of a sub-block, as Bytes reads them.
template <class Codes>
inline CAIRN_INLINE void unpack_codes(const Codes& codes, std::byte* out) {
  unrolled<0, 8>([&](auto v) CAIRN_INLINE { store(out + 64 * v, codes.template at<v>()); });
}

/// total += products of k = 4 kBegin to 4 kEnd - 1 of kT tokens.
template <std::ptrdiff_t kBegin, std::ptrdiff_t kEnd, int kT, class Codes>
inline CAIRN_INLINE void add_products(const Codes& codes, const std::int8_t* const (&x)[kT],
                                      Ints (&total)[kT]) {
  unrolled<kBegin, kEnd>([&](auto v) CAIRN_INLINE {
    const Ints four = codes.template at<v>();
    unrolled<0, kT>([&](auto t) CAIRN_INLINE {
      total[t] = dot_bytes(total[t], four, broadcast_word(x[t] + 4 * v));
    });
  });
}

}  // namespace
}  // namespace cairn::kernels::CAIRN_TIER
CAIRN_TIER_END

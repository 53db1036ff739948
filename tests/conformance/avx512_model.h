// The instructions of the AVX-512 VNNI tier as scalar code: the names of
// kernels/cpu/avx512vnni/vectors.h, so that the tier's own files are built over it and their bits
// compared on machines that lack the instructions.
//
// Source: Intel 64 and IA-32 Software Developer's Manual, volume 2 (VPDPBUSD, VPDPWSSD, VPSHUFB,
// VPMULLD, VPSRLW, VPSLLW, VPMOVSXBW, VPMOVZXBW, VCVTPH2PS, VCVTDQ2PS, VFMADD).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/float16.h"
#include "base/math.h"
#include "kernels/cpu/target.h"

#define CAIRN_TIER_BEGIN
#define CAIRN_TIER_END

namespace cairn::kernels::CAIRN_TIER {
namespace {

struct Ints {
  std::array<std::uint32_t, 16> of = {};
};
struct Floats {
  std::array<float, 16> of = {};
};

inline constexpr int kByteOffset = 128;
inline constexpr int kTokens = 8;

/// Element i of 8 or 16 bits within a vector.
inline std::uint8_t byte_of(const Ints& a, std::size_t i) {
  return static_cast<std::uint8_t>(a.of[i / 4] >> (8 * (i % 4)));
}
inline std::uint16_t word_of(const Ints& a, std::size_t i) {
  return static_cast<std::uint16_t>(a.of[i / 2] >> (16 * (i % 2)));
}
inline Ints of_words(const std::array<std::uint16_t, 32>& words) {
  Ints out;
  for (std::size_t i = 0; i < 32; ++i) {
    out.of[i / 2] |= static_cast<std::uint32_t>(words[i]) << (16 * (i % 2));
  }
  return out;
}
template <class Each>
inline Ints lanes(Each each) {
  Ints out;
  for (std::size_t i = 0; i < 16; ++i) out.of[i] = each(i);
  return out;
}
template <class Each>
inline Ints word_lanes(Each each) {
  std::array<std::uint16_t, 32> words = {};
  for (std::size_t i = 0; i < 32; ++i) words[i] = static_cast<std::uint16_t>(each(i));
  return of_words(words);
}
template <class Each>
inline Floats float_lanes(Each each) {
  Floats out;
  for (std::size_t i = 0; i < 16; ++i) out.of[i] = each(i);
  return out;
}

inline Ints load(const void* at) {
  Ints out;
  std::memcpy(out.of.data(), at, 64);
  return out;
}
inline void store(void* at, const Ints& value) { std::memcpy(at, value.of.data(), 64); }
inline Floats load_floats(const float* at) {
  Floats out;
  std::memcpy(out.of.data(), at, 64);
  return out;
}
inline void store_floats(float* at, const Floats& value) { std::memcpy(at, value.of.data(), 64); }

inline Ints from_stored(const Ints& codes) { return codes; }

inline Ints every(int value) {
  return lanes([value](std::size_t) { return static_cast<std::uint32_t>(value); });
}
inline Ints every_byte(int value) { return every((value & 0xFF) * 0x01010101); }
inline Floats every_float(float value) {
  return float_lanes([value](std::size_t) { return value; });
}
inline Ints broadcast_word(const void* at) {
  int word = 0;
  std::memcpy(&word, at, sizeof word);
  return every(word);
}

inline Ints both(const Ints& a, const Ints& b) {
  return lanes([&](std::size_t i) { return a.of[i] & b.of[i]; });
}
inline Ints either(const Ints& a, const Ints& b) {
  return lanes([&](std::size_t i) { return a.of[i] | b.of[i]; });
}
inline Ints subtract_bytes(const Ints& a, const Ints& b) {
  return lanes([&](std::size_t i) {
    std::uint32_t out = 0;
    for (std::size_t j = 4 * i; j < 4 * i + 4; ++j) {
      const auto difference = static_cast<std::uint8_t>(byte_of(a, j) - byte_of(b, j));
      out |= static_cast<std::uint32_t>(difference) << (8 * (j % 4));
    }
    return out;
  });
}
inline Ints shift_right(const Ints& a, unsigned by) {
  return word_lanes([&](std::size_t i) { return word_of(a, i) >> by; });
}
inline Ints shift_left(const Ints& a, unsigned by) {
  return word_lanes([&](std::size_t i) { return word_of(a, i) << by; });
}
inline Ints wide_left(const Ints& a, unsigned by) {
  return lanes([&](std::size_t i) { return a.of[i] << by; });
}
inline Ints wide_right(const Ints& a, unsigned by) {
  return lanes([&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(a.of[i]) >> by);
  });
}

inline Ints look_up(const std::byte* table, const Ints& codes) {
  return lanes([&](std::size_t i) {
    std::uint32_t four = 0;
    for (std::size_t j = 0; j < 4; ++j) {
      const std::uint8_t code = byte_of(codes, 4 * i + j);
      const std::uint32_t value = code < 128 ? std::to_integer<std::uint32_t>(table[code % 16]) : 0;
      four |= value << (8 * j);
    }
    return four;
  });
}

inline Ints add(const Ints& a, const Ints& b) {
  return lanes([&](std::size_t i) { return a.of[i] + b.of[i]; });
}
inline Ints subtract(const Ints& a, const Ints& b) {
  return lanes([&](std::size_t i) { return a.of[i] - b.of[i]; });
}
inline Ints multiply(const Ints& a, const Ints& b) {
  return lanes([&](std::size_t i) { return a.of[i] * b.of[i]; });
}
inline Ints dot_bytes(const Ints& sum, const Ints& u, const Ints& s) {
  return lanes([&](std::size_t i) {
    std::uint32_t total = sum.of[i];
    for (std::size_t j = 0; j < 4; ++j) {
      const int product =
          int{byte_of(u, 4 * i + j)} * static_cast<std::int8_t>(byte_of(s, 4 * i + j));
      total += static_cast<std::uint32_t>(product);
    }
    return total;
  });
}
inline Ints dot_words(const Ints& sum, const Ints& a, const Ints& b) {
  return lanes([&](std::size_t i) {
    std::uint32_t total = sum.of[i];
    for (std::size_t j = 0; j < 2; ++j) {
      const int product = static_cast<std::int16_t>(word_of(a, 2 * i + j)) *
                          static_cast<std::int16_t>(word_of(b, 2 * i + j));
      total += static_cast<std::uint32_t>(product);
    }
    return total;
  });
}
inline Ints signed_words(const std::byte* at) {
  return word_lanes(
      [at](std::size_t i) { return static_cast<std::int8_t>(std::to_integer<int>(at[i])); });
}
inline Ints unsigned_words(const std::byte* at) {
  return word_lanes([at](std::size_t i) { return std::to_integer<int>(at[i]); });
}

inline Floats to_floats(const Ints& a) {
  return float_lanes(
      [&](std::size_t i) { return static_cast<float>(static_cast<std::int32_t>(a.of[i])); });
}
inline Floats multiply(const Floats& a, const Floats& b) {
  return float_lanes([&](std::size_t i) { return a.of[i] * b.of[i]; });
}
inline Floats fused(const Floats& a, const Floats& b, const Floats& c) {
  return float_lanes([&](std::size_t i) { return math::fma32(a.of[i], b.of[i], c.of[i]); });
}
inline Floats negated(const Floats& a) {
  return float_lanes([&](std::size_t i) { return -a.of[i]; });
}
inline Floats load_halves(const std::byte* at) {
  return float_lanes([at](std::size_t i) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, at + 2 * i, sizeof bits);
    return f16_to_f32(bits);
  });
}

inline void fetch(const char* /*at*/) {}

}  // namespace
}  // namespace cairn::kernels::CAIRN_TIER

#include "tests/conformance/avx512_lanes_model.h"

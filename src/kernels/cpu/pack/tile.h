// Tile: what one packed block of 16 rows means, in integers and scales.
//
// Purpose     the meeting point of formats and kernels: every block format unpacks to it, and the
//             exact class (docs/numerics.md), row decoding and the reference class read only it.
// Invariants  weight(r, k) = (d * scale) * code, and for forms with a minimum + (m * minimum), each
//             operation rounded to f32: the same bits as the format's own decode.
// Threads     plain data.
// Adding      a form: an enumerator here, its loop in portable/dot.cpp, its line in decode_tile.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cairn::kernels {

inline constexpr std::size_t kGroupRows = 16;
inline constexpr std::size_t kSubValues = 32;  // values of one row in one sub-block
inline constexpr std::size_t kSubsMax = 8;

/// How a block's integers become a sum. Forms of 32 and 16 eat activations of kind A32: one fma per
/// 32 (or 16) values. Forms of 256 eat A256: integer scales first, one fma per 256 values.
enum class Form : std::uint8_t {
  kPlain32,      // d[sub]
  kMinimum32,    // d[sub], m[sub]
  kPlain16,      // d[2 sub + half]
  kScaled32,     // 256: scales[2 sub], d[0]
  kScaledMin32,  // 256: scales and minimums [2 sub], d[0], m[0]
  kScaled16,     // 256: scales[2 sub + half], d[0]
  kScaledMin16,  // 256: scales and minimums [2 sub + half], d[0], m[0]
};

struct Tile {
  alignas(64) std::int8_t codes[kSubsMax][kGroupRows][kSubValues] = {};
  alignas(64) std::int16_t scales[2 * kSubsMax][kGroupRows] = {};
  alignas(64) std::int16_t minimums[2 * kSubsMax][kGroupRows] = {};
  alignas(64) float d[2 * kSubsMax][kGroupRows] = {};
  alignas(64) float m[kSubsMax][kGroupRows] = {};
};

/// Row `row` of a tile of `values` values as f32, bits as the format's decode gives them.
void decode_tile(const Tile& tile, Form form, std::size_t row, std::size_t values, float* out);

}  // namespace cairn::kernels

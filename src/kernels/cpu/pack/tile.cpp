#include "kernels/cpu/pack/tile.h"

namespace cairn::kernels {
namespace {

struct Affine {
  float scale = 0;
  float offset = 0;
  bool has_offset = false;  // adding +0 would turn -0 into +0
};

Affine affine_of(const Tile& tile, Form form, std::size_t row, std::size_t k) {
  const std::size_t sub = k / kSubValues;
  const std::size_t half = k / 16;
  const auto scaled = [&](std::size_t group) {
    return tile.d[0][row] * static_cast<float>(tile.scales[group][row]);
  };
  const auto minimum = [&](std::size_t group) {
    return tile.m[0][row] * static_cast<float>(tile.minimums[group][row]);
  };
  switch (form) {
    case Form::kPlain32:
      return {tile.d[sub][row]};
    case Form::kMinimum32:
      return {tile.d[sub][row], tile.m[sub][row], true};
    case Form::kPlain16:
      return {tile.d[half][row]};
    case Form::kScaled32:
      return {scaled(2 * sub)};
    case Form::kScaledMin32:
      return {scaled(2 * sub), minimum(2 * sub), true};
    case Form::kScaled16:
      return {scaled(half)};
    case Form::kScaledMin16:
      return {scaled(half), minimum(half), true};
  }
  return {};
}

}  // namespace

void decode_tile(const Tile& tile, Form form, std::size_t row, std::size_t values, float* out) {
  for (std::size_t k = 0; k < values; ++k) {
    const Affine affine = affine_of(tile, form, row, k);
    const std::int8_t* codes = tile.codes[k / kSubValues][row];
    const float code = static_cast<float>(codes[k % kSubValues]);
    const float scaled = affine.scale * code;
    out[k] = affine.has_offset ? scaled + affine.offset : scaled;
  }
}

}  // namespace cairn::kernels

#include "tests/conformance/definition.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "base/float16.h"

namespace cairn::conformance {
namespace {

/// How a format's floats become integers: with its scale set to one, a decoded value times `factor`
/// is scale * code; with its scale zero and its minimum one, it is what multiplies the minimum.
struct Meaning {
  ElementType type = ElementType::kF32;
  std::size_t activations = 32;  // values per activation block
  std::size_t run = 32;          // values per fma
  int scale_at = -1;             // offset of the f16 scale
  int minimum_at = -1;
  float factor = 1;
};

constexpr Meaning kMeanings[] = {
    {ElementType::kQ4_0, 32, 32, 0},
    {ElementType::kQ4_1, 32, 32, 0, 2},
    {ElementType::kQ5_0, 32, 32, 0},
    {ElementType::kQ5_1, 32, 32, 0, 2},
    {ElementType::kQ8_0, 32, 32, 0},
    {ElementType::kQ2_K, 256, 256, 80, 82},
    {ElementType::kQ3_K, 256, 256, 108},
    {ElementType::kQ4_K, 256, 256, 0, 2},
    {ElementType::kQ5_K, 256, 256, 0, 2},
    {ElementType::kQ6_K, 256, 256, 208},
    {ElementType::kIQ2_XXS, 256, 256, 0, -1, 8},
    {ElementType::kIQ2_XS, 256, 256, 0, -1, 8},
    {ElementType::kIQ2_S, 256, 256, 0, -1, 8},
    {ElementType::kIQ3_XXS, 256, 256, 0, -1, 4},
    {ElementType::kIQ3_S, 256, 256, 0},
    {ElementType::kIQ1_S, 256, 256, 0, -1, 8},
    {ElementType::kIQ1_M, 256, 256, -1, -1, 8},  // its scale is spread over four words
    {ElementType::kIQ4_NL, 32, 32, 0},
    {ElementType::kIQ4_XS, 256, 256, 0},
    {ElementType::kTQ1_0, 256, 256, 52},
    {ElementType::kTQ2_0, 256, 256, 64},
    {ElementType::kMXFP4, 32, 32},
    {ElementType::kNVFP4, 32, 16},
    {ElementType::kQ1_0, 32, 32, 0},
    {ElementType::kQ2_0, 32, 32, 0},
};

constexpr std::uint16_t kOne = 0x3C00;  // 1 in f16

void put_half(std::vector<std::byte>& block, int at, std::uint16_t bits) {
  std::memcpy(block.data() + at, &bits, sizeof bits);
}

/// Sets the scale of an IQ1_M block.
void put_spread(std::vector<std::byte>& block, std::uint16_t bits) {
  for (std::size_t i = 0; i < 4; ++i) {
    auto& high = block[49 + 2 * i];
    high = (high & std::byte{0x0F}) | static_cast<std::byte>((bits >> (4 * i) & 15) << 4);
  }
}

std::vector<float> decode(ElementType type, const std::vector<std::byte>& block) {
  std::vector<float> values(info(type).block_values);
  info(type).decode(block.data(), values.size(), values.data());
  return values;
}

/// Sets scale and, where there is one, minimum.
void set_scales(const Meaning& meaning, std::vector<std::byte>& block, std::uint16_t scale,
                std::uint16_t minimum) {
  if (meaning.scale_at >= 0) put_half(block, meaning.scale_at, scale);
  if (meaning.minimum_at >= 0) put_half(block, meaning.minimum_at, minimum);
  if (meaning.type == ElementType::kIQ1_M) put_spread(block, scale);
  if (meaning.type == ElementType::kMXFP4) block[0] = std::byte{128};
  if (meaning.type == ElementType::kNVFP4) std::fill_n(block.begin(), 4, std::byte{0x40});
}

/// One source block as the definition sees it.
struct Block {
  std::vector<std::int64_t> codes = {};     // scale * code
  std::vector<std::int64_t> minimums = {};  // what multiplies the minimum; empty: none
  std::vector<float> scales = {};           // per value
  float minimum = 0;
};

std::vector<std::int64_t> integers(const std::vector<float>& values, float factor) {
  std::vector<std::int64_t> out;
  for (const float value : values) out.push_back(static_cast<std::int64_t>(value * factor));
  return out;
}

std::uint16_t half_at(const std::vector<std::byte>& block, int at) {
  std::uint16_t bits = 0;
  std::memcpy(&bits, block.data() + at, sizeof bits);
  return bits;
}

/// The scale of each value: floats with a power of two (or an e4m3) per run decode a block of ones.
std::vector<float> scales_of(const Meaning& meaning, const std::vector<std::byte>& source) {
  std::vector<std::byte> block = source;
  if (meaning.type == ElementType::kMXFP4 || meaning.type == ElementType::kNVFP4) {
    const std::ptrdiff_t head = meaning.type == ElementType::kMXFP4 ? 1 : 4;
    std::fill(block.begin() + head, block.end(), std::byte{0x11});
    return decode(meaning.type, block);
  }
  float scale = 0;
  if (meaning.type == ElementType::kIQ1_M) {
    unsigned bits = 0;
    for (int i = 0; i < 4; ++i) bits |= (half_at(block, 48 + 2 * i) >> 12U) << (4U * unsigned(i));
    scale = f16_to_f32(static_cast<std::uint16_t>(bits));
  } else {
    scale = f16_to_f32(half_at(block, meaning.scale_at));
  }
  return std::vector<float>(info(meaning.type).block_values, scale / meaning.factor);
}

Block take_apart(const Meaning& meaning, const std::vector<std::byte>& source) {
  Block out;
  std::vector<std::byte> block = source;
  set_scales(meaning, block, kOne, 0);
  out.codes = integers(decode(meaning.type, block), meaning.factor);
  out.scales = scales_of(meaning, source);
  if (meaning.minimum_at >= 0) {
    block = source;
    set_scales(meaning, block, 0, kOne);
    out.minimums = integers(decode(meaning.type, block), 1);
    out.minimum = f16_to_f32(half_at(source, meaning.minimum_at));
  }
  return out;
}

struct Encoded {
  std::vector<int> q = {};
  std::vector<float> d = {};  // per block
};

int nearest_even(float x) {
  const double floor = std::floor(static_cast<double>(x));
  const double rest = static_cast<double>(x) - floor;
  const auto low = static_cast<int>(floor);
  if (rest > 0.5) return low + 1;
  if (rest < 0.5) return low;
  return low % 2 == 0 ? low : low + 1;
}

Encoded encode(std::span<const float> x, std::size_t block) {
  Encoded out;
  for (std::size_t at = 0; at < x.size(); at += block) {
    float amax = 0;
    bool finite = true;
    for (std::size_t i = at; i < at + block; ++i) {
      finite = finite && std::isfinite(x[i]);
      amax = std::max(amax, std::fabs(x[i]));
    }
    const bool zero = !finite || amax < 0x1p-121F;
    out.d.push_back(!finite ? std::numeric_limits<float>::quiet_NaN() : zero ? 0 : amax / 127);
    for (std::size_t i = at; i < at + block; ++i) {
      out.q.push_back(zero ? 0 : std::clamp(nearest_even(x[i] * (127 / amax)), -127, 127));
    }
  }
  return out;
}

const Meaning* find_meaning(ElementType type) {
  for (const Meaning& meaning : kMeanings) {
    if (meaning.type == type) return &meaning;
  }
  return nullptr;
}

/// acc after one source block that begins at value k0 of the row.
float add_block(const Meaning& meaning, const Block& block, const Encoded& x, std::size_t k0,
                float acc) {
  for (std::size_t at = 0; at < block.codes.size(); at += meaning.run) {
    std::int64_t isum = 0;
    std::int64_t msum = 0;
    for (std::size_t i = at; i < at + meaning.run; ++i) {
      isum += block.codes[i] * x.q[k0 + i];
      if (!block.minimums.empty()) msum += block.minimums[i] * x.q[k0 + i];
    }
    const float da = x.d[(k0 + at) / meaning.activations];
    acc = std::fma(static_cast<float>(isum), block.scales[at] * da, acc);
    if (block.minimums.empty()) continue;
    const bool super = meaning.activations == 256;
    acc = super ? std::fma(static_cast<float>(msum), block.minimum * da, acc)
                : std::fma(block.minimum, da * static_cast<float>(msum), acc);
  }
  return acc;
}

float float_output(std::span<const float> w, std::span<const float> x) {
  float total = 0;
  for (std::size_t k0 = 0; k0 < w.size(); k0 += 256) {
    float chain = 0;
    for (std::size_t k = k0; k < std::min(w.size(), k0 + 256); ++k) {
      chain = std::fma(w[k], x[k], chain);
    }
    total += chain;
  }
  return total;
}

}  // namespace

std::vector<float> random_values(std::size_t count, std::uint64_t seed) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = random_value(seed, i);
  return values;
}

std::vector<float> Weight::decoded() const {
  std::vector<float> values(rows * cols);
  info(type).decode(bytes.data(), values.size(), values.data());
  return values;
}

std::vector<ElementType> weight_types() {
  std::vector<ElementType> types = {ElementType::kF32, ElementType::kF16, ElementType::kBF16};
  for (const Meaning& meaning : kMeanings) types.push_back(meaning.type);
  return types;
}

Weight random_weight(ElementType type, std::size_t rows, std::size_t cols, std::uint64_t seed) {
  const ElementTypeInfo& row = info(type);
  const std::size_t blocks = cols / row.block_values;
  Weight weight = {type, rows, cols, std::vector<std::byte>(rows * blocks * row.block_bytes)};
  for (std::size_t i = 0; i < weight.bytes.size(); ++i) {
    weight.bytes[i] = static_cast<std::byte>(random_bits(seed, 1, i) & 0xFF);
  }
  const Meaning* meaning = find_meaning(type);
  std::vector<std::byte> block(row.block_bytes);
  for (std::size_t b = 0; b < (rows - 1) * blocks; ++b) {
    std::byte* at = weight.bytes.data() + b * row.block_bytes;
    const float value = random_value(seed + 7, b);
    if (meaning == nullptr) {
      const std::uint16_t half = type == ElementType::kF16 ? f32_to_f16(value) : f32_to_bf16(value);
      type == ElementType::kF32 ? std::memcpy(at, &value, 4) : std::memcpy(at, &half, 2);
      continue;
    }
    block.assign(at, at + row.block_bytes);
    set_scales(*meaning, block, f32_to_f16(value / 64), f32_to_f16(value / 32));
    if (type == ElementType::kMXFP4) block[0] = static_cast<std::byte>(120 + b % 5);
    if (type == ElementType::kNVFP4) block[1] = static_cast<std::byte>(0x30 + b % 19);
    std::copy(block.begin(), block.end(), at);
  }
  return weight;
}

std::vector<float> project_row(const Weight& weight, std::span<const float> x) {
  std::vector<float> y;
  const Meaning* meaning = find_meaning(weight.type);
  if (meaning == nullptr) {
    const std::vector<float> values = weight.decoded();
    for (std::size_t r = 0; r < weight.rows; ++r) {
      y.push_back(float_output(std::span(values).subspan(r * weight.cols, weight.cols), x));
    }
    return y;
  }
  const ElementTypeInfo& type = info(weight.type);
  const Encoded encoded = encode(x, meaning->activations);
  const std::byte* at = weight.bytes.data();
  for (std::size_t r = 0; r < weight.rows; ++r) {
    float acc = 0;
    for (std::size_t k = 0; k < weight.cols; k += type.block_values, at += type.block_bytes) {
      const std::vector<std::byte> bytes(at, at + type.block_bytes);
      acc = add_block(*meaning, take_apart(*meaning, bytes), encoded, k, acc);
    }
    y.push_back(acc);
  }
  return y;
}

}  // namespace cairn::conformance

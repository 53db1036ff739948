// Quantised weights times quantised activations. Per output one f32 accumulator from +0, blocks
// ascending: fma(float(isum), dw * da, acc), then for minimums fma(mw, da * float(msum), acc), or,
// where msum has factors of sub-blocks in it, fma(float(msum), mw * da, acc).
#include "kernels/cpu/portable/fma_lanes.h"
#include "kernels/cpu/portable/portable.h"

namespace cairn::kernels::portable {
namespace {

constexpr std::size_t kHalf = kSubValues / 2;

/// A sub-block's codes widened once for all tokens: products of 16-bit pairs are one instruction
/// on every x86-64 machine.
struct Wide {
  alignas(64) std::int16_t codes[kGroupRows][kSubValues];

  explicit Wide(const std::int8_t (&from)[kGroupRows][kSubValues]) {
    const std::int8_t* in = &from[0][0];
    std::int16_t* out = &codes[0][0];
    // NOLINTNEXTLINE(bugprone-signed-char-misuse): codes are numbers
    for (std::size_t i = 0; i < kGroupRows * kSubValues; ++i) out[i] = in[i];
  }
};

void widen(const std::int8_t* q, std::int16_t* out) {
  // NOLINTNEXTLINE(bugprone-signed-char-misuse): codes are numbers
  for (std::size_t k = 0; k < kSubValues; ++k) out[k] = q[k];
}

std::int32_t dot_run(const std::int16_t* a, const std::int16_t* b, std::size_t count) {
  std::int32_t sum = 0;
  for (std::size_t k = 0; k < count; ++k) {
    sum += static_cast<std::int32_t>(a[k]) * static_cast<std::int32_t>(b[k]);
  }
  return sum;
}

void dot_rows(const Wide& wide, const std::int16_t* a, std::int32_t* sums) {
  for (std::size_t r = 0; r < kGroupRows; ++r) {
    std::int32_t sum = 0;
    for (std::size_t k = 0; k < kSubValues; ++k) {
      sum += static_cast<std::int32_t>(wide.codes[r][k]) * static_cast<std::int32_t>(a[k]);
    }
    sums[r] = sum;
  }
}

/// Sums of the first and the second 16 values.
void dot_halves(const Wide& wide, const std::int16_t* a, std::int32_t* first,
                std::int32_t* second) {
  for (std::size_t r = 0; r < kGroupRows; ++r) {
    first[r] = dot_run(wide.codes[r], a, kHalf);
    second[r] = dot_run(wide.codes[r] + kHalf, a + kHalf, kHalf);
  }
}

/// acc[r] = fma(float(sums[r]), d[r] * da, acc[r]).
void add_scaled(const std::int32_t* sums, const float* d, float da, float* acc) {
  fma_lanes<kGroupRows>(
      acc, [sums](std::size_t r) { return static_cast<float>(sums[r]); },
      [d, da](std::size_t r) { return d[r] * da; });
}

/// The block at hand: its place among the row's blocks, and whose accumulators it goes to.
struct BlockAt {
  const Tile& tile;
  const Quantised& x;
  std::size_t block = 0;
  TokenRange tokens;
  float* acc = nullptr;
};

template <Form kForm>
void add_sub_32(const BlockAt& at, std::size_t sub, std::size_t subs) {
  const Wide wide(at.tile.codes[sub]);
  const std::size_t place = at.block * subs + sub;
  std::int16_t a[kSubValues];
  std::int32_t sums[kGroupRows];
  for (std::size_t t = at.tokens.begin; t < at.tokens.end; ++t) {
    float* acc = at.acc + (t - at.tokens.begin) * kGroupRows;
    const float da = at.x.d_row(t)[place];
    widen(at.x.q_row(t) + place * kSubValues, a);
    if constexpr (kForm == Form::kPlain16) {
      std::int32_t second[kGroupRows];
      dot_halves(wide, a, sums, second);
      add_scaled(sums, at.tile.d[2 * sub], da, acc);
      add_scaled(second, at.tile.d[2 * sub + 1], da, acc);
      continue;
    }
    dot_rows(wide, a, sums);
    add_scaled(sums, at.tile.d[sub], da, acc);
    if constexpr (kForm == Form::kMinimum32) {
      const std::int16_t* halves = at.x.sums_row(t) + 2 * place;
      const float msum = da * static_cast<float>(halves[0] + halves[1]);
      const float* m = at.tile.m[sub];
      fma_lanes<kGroupRows>(
          acc, [msum](std::size_t) { return msum; }, [m](std::size_t r) { return m[r]; });
    }
  }
}

template <Form kForm>
void add_block_32(const BlockAt& at, std::size_t values) {
  const std::size_t subs = values / kSubValues;
  for (std::size_t sub = 0; sub < subs; ++sub) add_sub_32<kForm>(at, sub, subs);
}

constexpr std::size_t kTokensMax = 64;

/// Integer sums of a block of 256 for up to kTokensMax tokens.
struct SuperSums {
  std::int32_t codes[kTokensMax][kGroupRows];
  std::int32_t minimums[kTokensMax][kGroupRows];
};

constexpr bool has_minimum(Form form) {
  return form == Form::kScaledMin32 || form == Form::kScaledMin16;
}
constexpr bool by_halves(Form form) {
  return form == Form::kScaled16 || form == Form::kScaledMin16;
}

template <Form kForm>
void sum_codes(const Tile& tile, std::size_t sub, const std::int16_t* a, const Wide& wide,
               std::int32_t* sums) {
  std::int32_t first[kGroupRows];
  if constexpr (by_halves(kForm)) {
    std::int32_t second[kGroupRows];
    dot_halves(wide, a, first, second);
    for (std::size_t r = 0; r < kGroupRows; ++r) {
      sums[r] += tile.scales[2 * sub][r] * first[r] + tile.scales[2 * sub + 1][r] * second[r];
    }
  } else {
    dot_rows(wide, a, first);
    for (std::size_t r = 0; r < kGroupRows; ++r) sums[r] += tile.scales[2 * sub][r] * first[r];
  }
}

template <Form kForm>
void sum_minimums(const Tile& tile, std::size_t sub, const std::int16_t* halves,
                  std::int32_t* sums) {
  for (std::size_t r = 0; r < kGroupRows; ++r) {
    if constexpr (by_halves(kForm)) {
      sums[r] += tile.minimums[2 * sub][r] * halves[0] + tile.minimums[2 * sub + 1][r] * halves[1];
    } else {
      sums[r] += tile.minimums[2 * sub][r] * (halves[0] + halves[1]);
    }
  }
}

template <Form kForm>
void add_block_256(const BlockAt& at, SuperSums& sums) {
  const std::size_t count = at.tokens.end - at.tokens.begin;
  for (std::size_t t = 0; t < count; ++t) {
    for (std::size_t r = 0; r < kGroupRows; ++r) sums.codes[t][r] = sums.minimums[t][r] = 0;
  }
  for (std::size_t sub = 0; sub < kSubsMax; ++sub) {
    const Wide wide(at.tile.codes[sub]);
    const std::size_t place = at.block * kSubsMax + sub;
    for (std::size_t t = 0; t < count; ++t) {
      std::int16_t a[kSubValues];
      widen(at.x.q_row(at.tokens.begin + t) + place * kSubValues, a);
      sum_codes<kForm>(at.tile, sub, a, wide, sums.codes[t]);
      if constexpr (has_minimum(kForm)) {
        const std::int16_t* halves = at.x.sums_row(at.tokens.begin + t) + 2 * place;
        sum_minimums<kForm>(at.tile, sub, halves, sums.minimums[t]);
      }
    }
  }
  for (std::size_t t = 0; t < count; ++t) {
    float* acc = at.acc + t * kGroupRows;
    const float da = at.x.d_row(at.tokens.begin + t)[at.block];
    add_scaled(sums.codes[t], at.tile.d[0], da, acc);
    if constexpr (has_minimum(kForm)) add_scaled(sums.minimums[t], at.tile.m[0], da, acc);
  }
}

void add_block(const PackedFormat& format, const BlockAt& at, SuperSums& sums) {
  switch (format.form) {
    case Form::kPlain32:
      return add_block_32<Form::kPlain32>(at, format.block_values);
    case Form::kMinimum32:
      return add_block_32<Form::kMinimum32>(at, format.block_values);
    case Form::kPlain16:
      return add_block_32<Form::kPlain16>(at, format.block_values);
    case Form::kScaled32:
      return add_block_256<Form::kScaled32>(at, sums);
    case Form::kScaledMin32:
      return add_block_256<Form::kScaledMin32>(at, sums);
    case Form::kScaled16:
      return add_block_256<Form::kScaled16>(at, sums);
    case Form::kScaledMin16:
      return add_block_256<Form::kScaledMin16>(at, sums);
  }
}

bool eats_a256(Form form) {
  return form == Form::kScaled32 || form == Form::kScaledMin32 || form == Form::kScaled16 ||
         form == Form::kScaledMin16;
}

/// y [tokens, 16] of one row group.
void dot_group(const DotTask& task, std::size_t group, float* y) {
  const PackedSegment& segment = *task.segment;
  const TokenRange tokens = task.tokens;
  if (segment.format == nullptr) {
    dot_floats(segment, group, task.inputs->values, tokens, y);
    return;
  }
  const PackedFormat& format = *segment.format;
  const Quantised& x = eats_a256(format.form) ? task.inputs->a256 : task.inputs->a32;
  const std::byte* packed = segment.group(group);
  for (std::size_t i = 0; i < (tokens.end - tokens.begin) * kGroupRows; ++i) y[i] = 0;
  Tile tile;
  SuperSums sums;
  for (std::size_t b = 0; b < segment.cols / format.block_values; ++b) {
    format.unpack(packed + b * format.block_bytes, tile);
    for (std::size_t t = tokens.begin; t < tokens.end; t += kTokensMax) {
      const std::size_t end = t + kTokensMax < tokens.end ? t + kTokensMax : tokens.end;
      add_block(format, {tile, x, b, {t, end}, y + (t - tokens.begin) * kGroupRows}, sums);
    }
  }
}

}  // namespace

Needs needs(const PackedSegment& segment) {
  if (segment.format == nullptr) return {.values = true};
  if (eats_a256(segment.format->form)) return {.a256 = true};
  return {.a32 = true};
}

void dot(const DotTask& task) {
  const std::size_t tokens = task.tokens.end - task.tokens.begin;
  for (std::size_t g = 0; g < task.groups; ++g) {
    dot_group(task, task.group + g, task.y + g * tokens * kGroupRows);
  }
}

}  // namespace cairn::kernels::portable

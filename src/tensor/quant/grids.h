// The grids of IQ1, IQ2 and IQ3: the combinations of values that an index stands for.
// An entry packs positions in a short list of values: eight of two bits, or four of four bits, the
// first value lowest.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace cairn::tensor {

extern const std::array<std::uint16_t, 256> kGridIq2Xxs;
extern const std::array<std::uint16_t, 512> kGridIq2Xs;
extern const std::array<std::uint16_t, 1024> kGridIq2S;
extern const std::array<std::uint16_t, 2048> kGridIq1;  // values -1, 0, 1
extern const std::array<std::uint16_t, 256> kGridIq3Xxs;
extern const std::array<std::uint16_t, 512> kGridIq3S;

inline constexpr std::array<std::uint8_t, 4> kIq2Values = {8, 25, 43, 0};  // the last is not used
inline constexpr std::array<std::uint8_t, 8> kIq3XxsValues = {4, 12, 20, 28, 36, 44, 52, 62};
inline constexpr std::array<std::uint8_t, 8> kIq3SValues = {1, 3, 5, 7, 9, 11, 13, 15};
inline constexpr float kIq1Delta = 0.125f;

/// Eight sign bits from the seven that are stored: the top one makes their number even.
std::uint32_t signs_of(std::uint32_t seven);

struct SignedScale {
  std::uint32_t signs = 0;  // bit i set: value i is negative
  float scale = 0.0f;
};

/// Eight values: scale * +-kIq2Values[...].
void expand_iq2(std::uint32_t entry, std::uint32_t signs, float scale, float* out);

/// Four values: scale * +-values[...].
void expand_iq3(std::uint32_t entry, const std::array<std::uint8_t, 8>& values, SignedScale by,
                float* out);

/// Eight values: scale * (-1, 0 or 1, + delta).
void expand_iq1(std::uint32_t entry, float delta, float scale, float* out);

}  // namespace cairn::tensor

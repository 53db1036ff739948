#include "kernels/cpu/pack/packed_format.h"

#include <algorithm>
#include <array>

#include "kernels/cpu/pack/formats.h"

namespace cairn::kernels {
namespace {

// A function, so that the rows of other files are read after their constant initialisation.
std::span<const PackedFormat> table() {
  static const std::array kFormats = {
      kPackedQ4_0,    kPackedQ4_1,   kPackedQ5_0,    kPackedQ5_1,  kPackedQ8_0,
      kPackedQ2_K,    kPackedQ3_K,   kPackedQ4_K,    kPackedQ5_K,  kPackedQ6_K,
      kPackedIQ2_XXS, kPackedIQ2_XS, kPackedIQ3_XXS, kPackedIQ1_S, kPackedIQ4_NL,
      kPackedIQ3_S,   kPackedIQ2_S,  kPackedIQ4_XS,  kPackedIQ1_M, kPackedTQ1_0,
      kPackedTQ2_0,   kPackedMXFP4,  kPackedNVFP4,   kPackedQ1_0,  kPackedQ2_0,
  };
  return kFormats;
}

}  // namespace

std::span<const PackedFormat> packed_formats() { return table(); }

const PackedFormat* find_packed_format(ElementType type) {
  const auto formats = table();
  const auto at = std::find_if(formats.begin(), formats.end(),
                               [type](const PackedFormat& row) { return row.type == type; });
  return at == formats.end() ? nullptr : &*at;
}

}  // namespace cairn::kernels

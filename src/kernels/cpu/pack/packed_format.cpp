#include "kernels/cpu/pack/packed_format.h"

#include <algorithm>
#include <array>

#include "kernels/cpu/pack/formats.h"

namespace cairn::kernels {
namespace {

// A function, so that the rows of other files are read after their constant initialisation.
std::span<const PackedFormat> table() {
  static const std::array kFormats = {
      kPackedQ40,    kPackedQ41,   kPackedQ50,    kPackedQ51,  kPackedQ80,
      kPackedQ2K,    kPackedQ3K,   kPackedQ4K,    kPackedQ5K,  kPackedQ6K,
      kPackedIq2Xxs, kPackedIq2Xs, kPackedIq3Xxs, kPackedIq1S, kPackedIq4Nl,
      kPackedIq3S,   kPackedIq2S,  kPackedIq4Xs,  kPackedIq1M, kPackedTq10,
      kPackedTq20,   kPackedMxfp4, kPackedNvfp4,  kPackedQ10,  kPackedQ20,
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

// What the portable tier offers: everything.
#include "kernels/cpu/portable/portable.h"

namespace cairn::kernels::portable {

namespace {

/// One kernel reads every format.
constexpr Dots every_dot() {
  Dots dots = {};
  dots.fill(&dot);
  return dots;
}

}  // namespace

constinit const Kernels kTable = {
    .isa = "portable",
    .numerics = Numerics::kExact,
    .cache_type = CacheType::kBf16,
    .needs = &needs,
    .norm = &norm,
    .quantise = &quantise,
    .dots = every_dot(),
    .gate = &gate,
    .soft_cap = &soft_cap,
    .angles = &angles,
    .attend = &attend,
};

}  // namespace cairn::kernels::portable

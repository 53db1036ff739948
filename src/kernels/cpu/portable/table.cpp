// What the portable tier offers: everything.
#include "kernels/cpu/portable/portable.h"

namespace cairn::kernels::portable {

constinit const Kernels kTable = {
    .isa = "portable",
    .numerics = Numerics::kExact,
    .cache_type = CacheType::kBf16,
    .needs = &needs,
    .norm = &norm,
    .quantise = &quantise,
    .dots = every_type(&dot),
    .gate = &gate,
    .soft_cap = &soft_cap,
    .angles = &angles,
    .attend = &attend,
};

}  // namespace cairn::kernels::portable

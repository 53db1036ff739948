// The reference class as a table of kernels.
#include <limits>

#include "kernels/cpu/reference/reference.h"

namespace cairn::kernels::reference {

constinit const Kernels kTable = {
    .isa = "portable",
    .numerics = Numerics::kReference,
    .cache_type = CacheType::kF32,
    .needs = &needs,
    .norm = &norm,
    .quantise = &quantise,
    .dots = every_type(&dot),
    .gate = &gate,
    .soft_cap = &soft_cap,
    .angles = &angles,
    .attend = &attend,
    .chunk_slots = std::numeric_limits<std::size_t>::max(),  // one pass
};

}  // namespace cairn::kernels::reference

// What the AMX tier offers; the AVX-512 VNNI tier fills what is null: grids, and all but dots.
#include "kernels/cpu/amx/amx.h"
// The tier's names come before the code that is written over them.
#include "kernels/cpu/amx/formats.h"

namespace cairn::kernels::amx {

constinit const Kernels kTable = {
    .isa = "amx",
    .numerics = Numerics::kExact,
    .cache_type = CacheType::kBf16,
    .dots = dots_of(kTileRows),
};

}  // namespace cairn::kernels::amx

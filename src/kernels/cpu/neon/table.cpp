// What the NEON tier offers; the portable tier fills what is null: floats, norms, activations,
// encoding and attention.
#include "kernels/cpu/neon/neon.h"
// The tier's names come before the code that is written over them.
#include "kernels/cpu/neon/vectors.h"
#include "kernels/cpu/rows16/rows16.h"

namespace cairn::kernels::neon {

constinit const Kernels kTable = {
    .isa = "neon",
    .numerics = Numerics::kExact,
    .cache_type = CacheType::kBf16,
    .dots = dots_of(kRows16),
};

}  // namespace cairn::kernels::neon

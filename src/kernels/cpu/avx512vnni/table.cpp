// What the AVX-512 VNNI tier offers; the AVX2 tier fills what is null: dots of floats, norms
// and encoding.
#include "kernels/cpu/avx512vnni/avx512vnni.h"
// The tier's names come before the code that is written over them.
#include "kernels/cpu/avx512vnni/vectors.h"
#include "kernels/cpu/rows16/rows16.h"

namespace cairn::kernels::avx512vnni {

constinit const Kernels kTable = {
    .isa = "avx512vnni",
    .numerics = Numerics::kExact,
    .cache_type = CacheType::kBf16,
    .dots = dots_of(kRows16),
    .gate = &gate,
    .attend = &attend,
};

}  // namespace cairn::kernels::avx512vnni

// What the AVX-512 VNNI tier offers; the AVX2 tier fills what is null: floats, norms, activations,
// encoding and attention.
#include "kernels/cpu/avx512vnni/avx512vnni.h"

namespace cairn::kernels::avx512vnni {
namespace {

constexpr DotRow kRows[] = {
    {ElementType::kQ4_0, &dot_q4_0},          {ElementType::kQ4_1, &dot_q4_1},
    {ElementType::kQ5_0, &dot_q5_0},          {ElementType::kQ5_1, &dot_q5_1},
    {ElementType::kQ8_0, &dot_q8_0},          {ElementType::kQ2_K, &dot_q2_k},
    {ElementType::kQ3_K, &dot_q3_k},          {ElementType::kQ4_K, &dot_q4_k},
    {ElementType::kQ5_K, &dot_q5_k},          {ElementType::kQ6_K, &dot_q6_k},
    {ElementType::kTQ1_0, &dot_ternary},      {ElementType::kTQ2_0, &dot_ternary},
    {ElementType::kIQ4_NL, &dot_iq4_nl},      {ElementType::kIQ4_XS, &dot_iq4_xs},
    {ElementType::kMXFP4, &dot_mxfp4},        {ElementType::kNVFP4, &dot_nvfp4},
    {ElementType::kQ1_0, &dot_q1_0},          {ElementType::kQ2_0, &dot_q2_0},
    {ElementType::kIQ1_S, &dot_grid_by_32},   {ElementType::kIQ2_XXS, &dot_grid_by_32},
    {ElementType::kIQ3_XXS, &dot_grid_by_32}, {ElementType::kIQ3_S, &dot_grid_by_32},
    {ElementType::kIQ1_M, &dot_grid_by_16},   {ElementType::kIQ2_XS, &dot_grid_by_16},
    {ElementType::kIQ2_S, &dot_grid_by_16},
};

}  // namespace

constinit const Kernels kTable = {
    .isa = "avx512vnni",
    .numerics = Numerics::kExact,
    .cache_type = CacheType::kBf16,
    .dots = dots_of(kRows),
};

}  // namespace cairn::kernels::avx512vnni

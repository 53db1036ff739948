// The AVX2 tier: AVX2, FMA and F16C (x86-64-v3 machines since 2013).
//
// Purpose     the exact class at the speed of 32-byte vectors; bits equal the portable tier's.
// Invariants  wide code stands in target regions and has internal linkage but for what is declared
//             here. Integer sums are exact in any order; float steps are those of the definition.
// Threads     pure functions.
// Adding      a kernel: its file here and its line in table.cpp.
#pragma once

#include "kernels/cpu/kernels.h"

namespace cairn::kernels::avx2 {

extern const Kernels kTable;

/// Dot kernels, whose contract is in kernels/cpu/kernels.h.
void dot_q4_0(const DotTask& task);
void dot_q4_1(const DotTask& task);
void dot_q5_0(const DotTask& task);
void dot_q5_1(const DotTask& task);
void dot_q8_0(const DotTask& task);
void dot_q2_k(const DotTask& task);
void dot_q3_k(const DotTask& task);
void dot_q4_k(const DotTask& task);
void dot_q5_k(const DotTask& task);
void dot_q6_k(const DotTask& task);
void dot_ternary(const DotTask& task);
void dot_iq4_nl(const DotTask& task);
void dot_iq4_xs(const DotTask& task);
void dot_mxfp4(const DotTask& task);
void dot_nvfp4(const DotTask& task);
void dot_q1_0(const DotTask& task);
void dot_q2_0(const DotTask& task);
void dot_grid_by_32(const DotTask& task);
void dot_grid_by_16(const DotTask& task);
void dot_f32(const DotTask& task);
void dot_f16(const DotTask& task);
void dot_bf16(const DotTask& task);

/// The other fields of Kernels.
void norm(std::span<const float> x, const Norm& norm, float* out);
void quantise(std::span<const float> x, const Quantised& out, std::size_t t);
void gate(Activation activation, std::span<const float> gate, const float* up, float* out);
void attend(const AttendTask& task);

}  // namespace cairn::kernels::avx2

// The AVX-512 VNNI tier: AVX-512 F, BW and VNNI (servers since 2019, many desktops since 2021).
//
// Purpose     the exact class with dots of bytes in one instruction: a vector is 4 values of k for
//             all 16 rows of a group, as pack/planes.h keeps them.
// Invariants  as the AVX2 tier's, which fills what this one leaves. All instructions are behind
//             vectors.h, so that tests build the same files over a scalar model of them and compare
//             bits on machines without AVX-512.
// Threads     pure functions.
// Adding      a kernel: its file here and its line in table.cpp.
#pragma once

#include "kernels/cpu/kernels.h"

namespace cairn::kernels::avx512vnni {

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

}  // namespace cairn::kernels::avx512vnni

// The AVX-512 VNNI tier: AVX-512 F, BW and VNNI (servers since 2019, many desktops since 2021).
//
// Purpose     the exact class with dots of bytes in one instruction: the kernels are rows16/'s.
// Invariants  as the AVX2 tier's, which fills what this one leaves. All instructions are behind
//             vectors.h, so that tests build the same files over a scalar model of them and compare
//             bits on machines without AVX-512.
// Threads     pure functions.
// Adding      a kernel: its file here and its line in table.cpp.
#pragma once

#include "kernels/cpu/kernels.h"

namespace cairn::kernels::avx512vnni {

extern const Kernels kTable;

/// Fields of Kernels in vectors of sixteen floats.
void gate(Activation activation, std::span<const float> gate, const float* up, float* out);
void attend(const AttendTask& task);

}  // namespace cairn::kernels::avx512vnni

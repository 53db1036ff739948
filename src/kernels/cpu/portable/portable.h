// The portable tier: plain C++ that defines the exact class to the bit (docs/numerics.md).
//
// Purpose     the definition that every other tier equals; fast enough to be used.
// Invariants  no target regions, no libm, no fma but fma32 and fma_lanes; sums in the order that
//             5.1 gives. Loops are written so that -O2 vectorises them for SSE2; gcc 12's -O3
//             was tried: 1.2 times faster on whole sub-blocks, 6 times slower on halves.
// Threads     pure functions.
// Adding      a kernel: its file here and its line in table.cpp.
#pragma once

#include "kernels/cpu/kernels.h"

namespace cairn::kernels::portable {

extern const Kernels kTable;

/// The fields of Kernels, whose contracts are in kernels/cpu/kernels.h.
Needs needs(const PackedSegment& segment);
void norm(std::span<const float> x, const Norm& norm, float* out);
void quantise(std::span<const float> x, const Quantised& out, std::size_t t);
void dot(const DotTask& task);
void dot_floats(const PackedSegment& segment, std::size_t group, const ConstMatrix& values,
                TokenRange tokens, float* y);
void gate(Activation activation, std::span<const float> gate, const float* up, float* out);
float soft_cap(float x, float cap);
void angles(const Rope& rope, std::uint32_t position, float* cosines, float* sines);
void attend(const AttendTask& task);

}  // namespace cairn::kernels::portable

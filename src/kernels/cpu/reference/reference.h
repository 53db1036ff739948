// The reference class: f32 values from dequantised weights, every sum in f64, elementary functions
// in f64. Slow and simple: the oracle of tests. The portable tier, not this, is the definition of
// the exact class.
#pragma once

#include "kernels/cpu/kernels.h"

namespace cairn::kernels::reference {

extern const Kernels kTable;

/// The fields of Kernels, whose contracts are in kernels/cpu/kernels.h.
Needs needs(const PackedSegment& segment);
void norm(std::span<const float> x, const Norm& norm, float* out);
void quantise(std::span<const float> x, const Quantised& out, std::size_t t);
void dot(const DotTask& task);
void gate(Activation activation, std::span<const float> gate, const float* up, float* out);
float soft_cap(float x, float cap);
void angles(const Rope& rope, std::uint32_t position, float* cosines, float* sines);
void attend(const AttendTask& task);

}  // namespace cairn::kernels::reference

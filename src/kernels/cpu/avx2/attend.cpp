// Attention and activations in vectors of eight floats: the kernels are lanes/'s.
#include "kernels/cpu/avx2/avx2.h"
// The tier's names come before the code that is written over them.
#include "kernels/cpu/avx2/lanes.h"
#include "kernels/cpu/lanes/attend.h"
#include "kernels/cpu/lanes/gate.h"

namespace cairn::kernels::avx2 {

void attend(const AttendTask& task) { attend_pages(task); }

void gate(Activation activation, std::span<const float> gate, const float* up, float* out) {
  gate_rows(activation, gate, up, out);
}

}  // namespace cairn::kernels::avx2

// Attention and activations in vectors of sixteen floats: the kernels are lanes/'s.
#include "kernels/cpu/avx512vnni/avx512vnni.h"
// The tier's names come before the code that is written over them.
#include "kernels/cpu/avx512vnni/lanes.h"
#include "kernels/cpu/lanes/attend.h"
#include "kernels/cpu/lanes/gate.h"

namespace cairn::kernels::avx512vnni {

void attend(const AttendTask& task) { attend_pages(task); }

void gate(Activation activation, std::span<const float> gate, const float* up, float* out) {
  gate_rows(activation, gate, up, out);
}

}  // namespace cairn::kernels::avx512vnni

// gate: activations times what they gate.
#pragma once

#include <span>

#include "kernels/cpu/kernels.h"
#include "kernels/cpu/lanes/math.h"

CAIRN_TIER_BEGIN
namespace cairn::kernels::CAIRN_TIER {
namespace {

/// The activation of each, as the portable tier has it.
inline CAIRN_INLINE Floats activated(Activation activation, Floats x) {
  if (activation == Activation::kReluSquared) {
    const Floats positive = larger(every_float(0), x);
    return multiply(positive, positive);
  }
  Floats slope = x;
  if (activation == Activation::kGeluTanh) {
    const Floats cubic = multiply(every_float(0.044715F), multiply(x, x));
    slope = multiply(every_float(0x1.988454p+0F), multiply(x, add(every_float(1.0F), cubic)));
  }
  return divide(x, add(every_float(1.0F), exp(negated(slope))));
}

/// Its contract is Kernels::gate's.
void gate_rows(Activation activation, std::span<const float> gate, const float* up, float* out) {
  std::size_t i = 0;
  for (; i + kLanes <= gate.size(); i += kLanes) {
    const Floats y = activated(activation, load_floats(gate.data() + i));
    store_floats(out + i, multiply(y, load_floats(up + i)));
  }
  const std::size_t left = gate.size() - i;
  if (left == 0) return;
  const Floats y = activated(activation, load_first(gate.data() + i, left));
  store_first(out + i, left, multiply(y, load_first(up + i, left)));
}

}  // namespace
}  // namespace cairn::kernels::CAIRN_TIER
CAIRN_TIER_END

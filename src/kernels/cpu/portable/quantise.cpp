// Activations in blocks of 32 or 256: d = amax / 127, q = nearest-even(x * (127 / amax)).
#include "kernels/cpu/portable/portable.h"
#include "kernels/cpu/quantise_block.h"

namespace cairn::kernels::portable {

void quantise(std::span<const float> x, const Quantised& out, std::size_t t) {
  std::int8_t* q = out.q_row(t);
  for (std::size_t b = 0; b < x.size() / out.block; ++b) {
    const std::size_t at = b * out.block;
    out.d_row(t)[b] = quantise_block(x.data() + at, out.block, q + at);
  }
  for (std::size_t s = 0; s < x.size() / 16; ++s) {
    int sum = 0;
    for (std::size_t i = 0; i < 16; ++i) sum += q[16 * s + i];
    out.sums_row(t)[s] = static_cast<std::int16_t>(sum);
  }
  for (std::size_t s = 0; s < x.size() / 32; ++s) {
    out.put_sum32(t, s, out.sums_row(t)[2 * s] + out.sums_row(t)[2 * s + 1]);
  }
}

}  // namespace cairn::kernels::portable

#include "base/float_mode.h"

#if defined(__x86_64__)
#include <immintrin.h>
#elif !defined(__aarch64__)
#error "float_mode.cpp: name the control register of this processor here"
#endif

namespace cairn {
namespace {

#if defined(__x86_64__)

// MXCSR: bit 15 flushes subnormal results, bit 6 reads subnormals as zero, 13 and 14 round.
constexpr std::uint64_t kOurs = 1U << 15 | 1U << 6 | 3U << 13;

std::uint64_t read_mode() { return _mm_getcsr(); }
void write_mode(std::uint64_t mode) { _mm_setcsr(static_cast<unsigned>(mode)); }

#else

// FPCR: bit 24 flushes subnormals, 19 those of f16, 22 and 23 round.
constexpr std::uint64_t kOurs = 1U << 24 | 1U << 19 | 3U << 22;

std::uint64_t read_mode() {
  std::uint64_t mode = 0;
  asm volatile("mrs %0, fpcr" : "=r"(mode));
  return mode;
}
void write_mode(std::uint64_t mode) { asm volatile("msr fpcr, %0" : : "r"(mode)); }

#endif

}  // namespace

FloatMode::FloatMode() : former_(read_mode()) {
  if ((former_ & kOurs) != 0) write_mode(former_ & ~kOurs);
}

FloatMode::~FloatMode() {
  if ((former_ & kOurs) != 0) write_mode(former_);
}

}  // namespace cairn

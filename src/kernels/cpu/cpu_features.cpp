#include "kernels/cpu/cpu_features.h"

#if defined(__x86_64__)
#include <cpuid.h>
#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif
#elif defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#endif

#include <algorithm>
#include <cstdint>

namespace cairn::kernels {

#if defined(__x86_64__)
namespace {

struct Leaf {
  std::uint32_t eax = 0;
  std::uint32_t ebx = 0;
  std::uint32_t ecx = 0;
  std::uint32_t edx = 0;
};

Leaf leaf(std::uint32_t number, std::uint32_t sub) {
  Leaf l;
  __get_cpuid_count(number, sub, &l.eax, &l.ebx, &l.ecx, &l.edx);
  return l;
}

/// Register state that the operating system saves: without it the instructions fault.
std::uint64_t saved_state(const Leaf& one) {
  if ((one.ecx >> 27 & 1) == 0) return 0;
  std::uint32_t low = 0;
  std::uint32_t high = 0;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return static_cast<std::uint64_t>(high) << 32 | low;
}

bool bit(std::uint32_t word, int n) { return (word >> n & 1) != 0; }

}  // namespace

// Source: Intel 64 and IA-32 Software Developer's Manual, volume 2A, CPUID; volume 1, 13.3 (XCR0).
std::vector<CpuFeature> cpu_features() {
  const Leaf one = leaf(1, 0);
  const Leaf seven = leaf(7, 0);
  const Leaf seven_one = leaf(7, 1);
  const std::uint64_t saved = saved_state(one);
  const bool ymm = (saved & 0x6) == 0x6;
  const bool zmm = (saved & 0xE6) == 0xE6;
  const bool tiles = (saved & 0x60000) == 0x60000;
  // Every x86-64 processor has what the portable tier needs; the AVX2 tier needs three together,
  // the AVX-512 VNNI tier three more.
  const bool avx2 = ymm && bit(seven.ebx, 5) && bit(one.ecx, 12) && bit(one.ecx, 29);
  const bool vnni = avx2 && zmm && bit(seven.ebx, 16) && bit(seven.ebx, 30) && bit(seven.ecx, 11);
  return {{"sse2", true, true},
          {"avx", ymm && bit(one.ecx, 28), false},
          {"fma", ymm && bit(one.ecx, 12), avx2},
          {"f16c", ymm && bit(one.ecx, 29), avx2},
          {"avx2", ymm && bit(seven.ebx, 5), avx2},
          {"avx_vnni", ymm && bit(seven_one.eax, 4), false},
          {"avx512f", zmm && bit(seven.ebx, 16), vnni},
          {"avx512bw", zmm && bit(seven.ebx, 30), vnni},
          {"avx512vl", zmm && bit(seven.ebx, 31), false},
          {"avx512vbmi", zmm && bit(seven.ecx, 1), false},
          {"avx512vnni", zmm && bit(seven.ecx, 11), vnni},
          {"avx512_bf16", zmm && bit(seven_one.eax, 5), false},
          {"avx512_fp16", zmm && bit(seven.edx, 23), false},
          {"amx_tile", tiles && bit(seven.edx, 24), false},
          {"amx_int8", tiles && bit(seven.edx, 25), false},
          {"amx_bf16", tiles && bit(seven.edx, 22), false}};
}

#if defined(__linux__)
bool may_use_tiles() {
  constexpr long kRequestPermission = 0x1023;  // ARCH_REQ_XCOMP_PERM
  constexpr long kTileData = 18;               // XFEATURE_XTILEDATA
  return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
}
#else
bool may_use_tiles() { return false; }
#endif
#elif defined(__aarch64__) && defined(__linux__)
// Source: Linux, Documentation/arch/arm64/elf_hwcaps.rst; bits in asm/hwcap.h.
std::vector<CpuFeature> cpu_features() {
  const unsigned long one = getauxval(AT_HWCAP);
  const unsigned long two = getauxval(AT_HWCAP2);
  const bool dots = (one >> 20 & 1) != 0;
  return {{"asimd", (one >> 1 & 1) != 0, true},
          {"asimddp", dots, dots},
          {"sve", (one >> 22 & 1) != 0, false},
          {"i8mm", (two >> 13 & 1) != 0, false}};
}
#else
std::vector<CpuFeature> cpu_features() { return {}; }
#endif

#if !defined(__x86_64__)
bool may_use_tiles() { return false; }
#endif

bool has_features(std::initializer_list<std::string_view> names) {
  const std::vector<CpuFeature> features = cpu_features();
  return std::all_of(names.begin(), names.end(), [&features](std::string_view name) {
    return std::any_of(features.begin(), features.end(), [name](const CpuFeature& feature) {
      return feature.name == name && feature.detected;
    });
  });
}

}  // namespace cairn::kernels

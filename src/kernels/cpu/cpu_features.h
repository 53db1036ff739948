// What this processor offers and what the built tiers use of it (Y02).
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace cairn::kernels {

struct CpuFeature {
  std::string_view name;  // "avx2"
  bool detected = false;  // the processor and the operating system offer it
  bool used = false;      // a built and usable tier needs it
};

/// Every feature that a tier could use on this kind of machine, in a fixed order.
std::vector<CpuFeature> cpu_features();

}  // namespace cairn::kernels

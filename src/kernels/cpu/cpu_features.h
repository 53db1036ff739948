// What this processor offers and what the built tiers use of it (Y02).
#pragma once

#include <initializer_list>
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

/// Asks the operating system for the right to use tile registers, once for the process; false where
/// it refuses or does not know them. Source: Linux, Documentation/arch/x86/xstate.rst.
bool may_use_tiles();

/// All of the named features are detected.
bool has_features(std::initializer_list<std::string_view> names);

}  // namespace cairn::kernels

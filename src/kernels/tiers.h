// The tiers of the CPU device, best first.
//
// Purpose     chooses the kernels that a device is created with.
// Invariants  a tier that was asked for is used or refused, never replaced.
// Threads     constant table.
// Adding      a tier: its folder, its row in tiers.cpp, and its name leaves kUnbuiltTiers there.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/status.h"
#include "kernels/cpu/kernels.h"

namespace cairn::kernels {

struct Tier {
  std::string_view name;
  const Kernels* exact = nullptr;      // may leave kernels to the next tier
  const Kernels* fast = nullptr;       // nullptr: the tier has no fast class
  const Kernels* reference = nullptr;  // nullptr: only the portable tier has it
  bool (*usable)() = nullptr;          // on this machine
};

/// Every built tier, best first.
std::span<const Tier> tiers();

/// The kernels of a class, of the tier called `isa` or else of the best usable tier that has it.
/// Errors: kInvalidArgument for a name that is no tier; kUnsupported for a tier that is not built
/// or not usable here, or that lacks the class.
Result<const Kernels*> find_kernels(const std::optional<std::string>& isa, Numerics numerics);

/// `over` with what it leaves null taken from `under`.
Kernels inherited(Kernels over, const Kernels& under);

/// "exact", "fast" or "reference".
std::string_view numerics_name(Numerics numerics);

/// "bf16", "f32" or "int8".
std::string_view cache_type_name(CacheType type);

}  // namespace cairn::kernels

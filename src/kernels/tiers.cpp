#include "kernels/tiers.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <vector>

#include "kernels/cpu/portable/portable.h"
#include "kernels/cpu/reference/reference.h"

namespace cairn::kernels {
namespace {

bool always() { return true; }

// Best first. Adding a tier: its folder, then its line here.
constexpr std::array kTiers = {
    Tier{.name = "portable",
         .exact = &portable::kTable,
         .reference = &reference::kTable,
         .usable = &always},
};

// Names that a person may ask for although this build has no such tier.
constexpr std::array<std::string_view, 4> kUnbuiltTiers = {"avx2", "avx512vnni", "amx", "neon"};

std::string built_names() {
  std::vector<std::string_view> names;
  for (const Tier& tier : kTiers) names.push_back(tier.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

Result<const Tier*> find_tier(const std::optional<std::string>& isa) {
  for (const Tier& tier : kTiers) {
    const bool asked = !isa || *isa == tier.name;
    if (asked && tier.usable()) return &tier;
    if (isa && asked) {
      return unsupported(fmt::format("isa: this processor cannot run {}", tier.name));
    }
  }
  if (std::find(kUnbuiltTiers.begin(), kUnbuiltTiers.end(), *isa) != kUnbuiltTiers.end()) {
    return unsupported(
        fmt::format("isa: {} is not in this build, which has {}", *isa, built_names()));
  }
  return invalid_argument(
      fmt::format("isa: \"{}\" is no tier; this build has {}", *isa, built_names()));
}

const Kernels* kernels_of(const Tier& tier, Numerics numerics) {
  switch (numerics) {
    case Numerics::kExact:
      return tier.exact;
    case Numerics::kFast:
      return tier.fast;
    case Numerics::kReference:
      return tier.reference;
  }
  return nullptr;
}

}  // namespace

std::span<const Tier> tiers() { return kTiers; }

std::string_view numerics_name(Numerics numerics) {
  constexpr std::array<std::string_view, 3> kNames = {"exact", "fast", "reference"};
  return kNames[static_cast<std::size_t>(numerics)];
}

Result<const Kernels*> find_kernels(const std::optional<std::string>& isa, Numerics numerics) {
  CAIRN_ASSIGN(const Tier* tier, find_tier(isa));
  const Kernels* kernels = kernels_of(*tier, numerics);
  if (kernels == nullptr) {
    return unsupported(fmt::format("numerics: the {} tier has no {} class; it has exact{}",
                                   tier->name, numerics_name(numerics),
                                   tier->reference != nullptr ? " and reference" : ""));
  }
  return kernels;
}

}  // namespace cairn::kernels

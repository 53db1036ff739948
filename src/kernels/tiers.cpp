#include "kernels/tiers.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <vector>

#include "kernels/cpu/amx/amx.h"
#include "kernels/cpu/avx2/avx2.h"
#include "kernels/cpu/avx512vnni/avx512vnni.h"
#include "kernels/cpu/cpu_features.h"
#include "kernels/cpu/neon/neon.h"
#include "kernels/cpu/portable/portable.h"
#include "kernels/cpu/reference/reference.h"

namespace cairn::kernels {
namespace {

bool always() { return true; }

#if defined(__x86_64__)
bool has_avx2() { return has_features({"avx2", "fma", "f16c"}); }

// What it leaves null is the AVX2 tier's.
bool has_avx512vnni() { return has_avx2() && has_features({"avx512f", "avx512bw", "avx512vnni"}); }

// What it leaves null is the AVX-512 VNNI tier's.
bool has_amx() {
  return has_avx512vnni() && has_features({"amx_tile", "amx_int8"}) && may_use_tiles();
}
#elif defined(__aarch64__)
bool has_neon() { return has_features({"asimddp"}); }
#endif

// Best first: what a tier leaves null, the next one fills. Adding a tier: its folder, then its line
// here.
constexpr std::array kTiers = {
#if defined(__x86_64__)
    Tier{.name = "amx", .exact = &amx::kTable, .usable = &has_amx},
    Tier{.name = "avx512vnni", .exact = &avx512vnni::kTable, .usable = &has_avx512vnni},
    Tier{.name = "avx2", .exact = &avx2::kTable, .usable = &has_avx2},
#elif defined(__aarch64__)
    Tier{.name = "neon", .exact = &neon::kTable, .usable = &has_neon},
#endif
    Tier{.name = "portable",
         .exact = &portable::kTable,
         .reference = &reference::kTable,
         .usable = &always},
};

// Names that a person may ask for although this build has no such tier.
constexpr auto kUnbuiltTiers = std::to_array<std::string_view>({
#if !defined(__x86_64__)
  "amx", "avx512vnni", "avx2",
#endif
#if !defined(__aarch64__)
      "neon",
#endif
});

using Exact = std::array<Kernels, kTiers.size()>;

/// The exact class of every tier, complete.
const Exact& exact_kernels() {
  static const Exact kExact = [] {
    Exact exact;
    exact.back() = *kTiers.back().exact;
    for (std::size_t i = kTiers.size() - 1; i-- > 0;) {
      exact[i] = inherited(*kTiers[i].exact, exact[i + 1]);
    }
    return exact;
  }();
  return kExact;
}

std::string built_names() {
  std::vector<std::string_view> names;
  for (const Tier& tier : kTiers) names.push_back(tier.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

Result<const Tier*> find_tier(const std::optional<std::string>& isa) {
  for (const Tier& tier : kTiers) {
    if (isa && *isa != tier.name) continue;
    if (tier.usable()) return &tier;
    if (isa) {
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
      return &exact_kernels()[static_cast<std::size_t>(&tier - kTiers.data())];
    case Numerics::kFast:
      return tier.fast;
    case Numerics::kReference:
      return tier.reference;  // complete by itself
  }
  return nullptr;
}

}  // namespace

std::span<const Tier> tiers() { return kTiers; }

Kernels inherited(Kernels over, const Kernels& under) {
#define CAIRN_INHERIT(field) \
  if (over.field == nullptr) over.field = under.field;
  CAIRN_KERNELS(CAIRN_INHERIT)
#undef CAIRN_INHERIT
  for (std::size_t i = 0; i < over.dots.size(); ++i) {
    if (over.dots[i] == nullptr) over.dots[i] = under.dots[i];
  }
  return over;
}

std::string_view numerics_name(Numerics numerics) {
  constexpr std::array<std::string_view, 3> kNames = {"exact", "fast", "reference"};
  return kNames[static_cast<std::size_t>(numerics)];
}

std::string_view cache_type_name(CacheType type) {
  constexpr std::array<std::string_view, 3> kNames = {"bf16", "f32", "int8"};
  return kNames[static_cast<std::size_t>(type)];
}

Result<const Kernels*> find_kernels(const std::optional<std::string>& isa, Numerics numerics) {
  CAIRN_ASSIGN(const Tier* tier, find_tier(isa));
  const Kernels* kernels = kernels_of(*tier, numerics);
  if (kernels == nullptr && !isa) {
    // Nobody asked for this tier: the best one that has the class.
    const auto at = std::find_if(kTiers.begin(), kTiers.end(), [numerics](const Tier& other) {
      return other.usable() && kernels_of(other, numerics) != nullptr;
    });
    if (at != kTiers.end()) kernels = kernels_of(*at, numerics);
  }
  if (kernels == nullptr) {
    return unsupported(fmt::format("numerics: the {} tier has no {} class; it has exact{}",
                                   tier->name, numerics_name(numerics),
                                   tier->reference != nullptr ? " and reference" : ""));
  }
  return kernels;
}

}  // namespace cairn::kernels

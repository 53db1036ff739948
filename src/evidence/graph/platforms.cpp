#include "evidence/graph/platforms.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace cairn::evidence {
namespace {

bool is_lower_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

/// [a-z0-9][a-z0-9-]*
bool is_slug(std::string_view text) {
  return !text.empty() && is_lower_or_digit(text[0]) &&
         std::ranges::all_of(text, [](char c) { return is_lower_or_digit(c) || c == '-'; });
}

enum class Suffix : std::uint8_t { kNone, kOptionalSlug, kSlug, kNvidiaSlug };

/// A backend, the systems and processors it runs on, and what follows a plus sign.
struct BackendRow {
  std::string_view backend;
  std::span<const std::string_view> machines;
  Suffix suffix = Suffix::kNone;
};

constexpr std::array<std::string_view, 1> kDarwinArm = {"darwin/arm64"};
constexpr std::array<std::string_view, 2> kLinux = {"linux/amd64", "linux/arm64"};
constexpr std::array<std::string_view, 6> kAny = {"linux/amd64",  "linux/arm64",   "darwin/amd64",
                                                  "darwin/arm64", "windows/amd64", "windows/arm64"};

constexpr std::array kBackends = {
    BackendRow{.backend = "metal", .machines = kDarwinArm, .suffix = Suffix::kNone},
    BackendRow{.backend = "cuda", .machines = kLinux, .suffix = Suffix::kNvidiaSlug},
    BackendRow{.backend = "cpu", .machines = kAny, .suffix = Suffix::kOptionalSlug},
    BackendRow{.backend = "vulkan", .machines = kAny, .suffix = Suffix::kSlug},
};

bool fits(Suffix suffix, bool has_plus, std::string_view rest) {
  constexpr std::string_view kNvidia = "nvidia-";
  switch (suffix) {
    case Suffix::kNone:
      return !has_plus;
    case Suffix::kOptionalSlug:
      return !has_plus || is_slug(rest);
    case Suffix::kSlug:
      return has_plus && is_slug(rest);
    case Suffix::kNvidiaSlug:
      return has_plus && rest.starts_with(kNvidia) && is_slug(rest.substr(kNvidia.size()));
  }
  return false;
}

}  // namespace

bool is_engine_name(std::string_view name) {
  if (name.empty() || name.size() > 64 || !is_lower_or_digit(name[0])) return false;
  return std::ranges::all_of(
      name, [](char c) { return is_lower_or_digit(c) || c == '.' || c == '_' || c == '-'; });
}

bool is_pinned_pair(std::string_view backend, std::string_view platform) {
  return (backend == "metal" && platform == "darwin/arm64") ||
         (backend == "cuda" && platform == "linux/amd64+nvidia-a100");
}

bool is_registered_pair(std::string_view backend, std::string_view platform) {
  const auto* const row = std::ranges::find(kBackends, backend, &BackendRow::backend);
  if (row == kBackends.end()) return false;
  const std::size_t plus = platform.find('+');
  const bool has_plus = plus != std::string_view::npos;
  const std::string_view rest = has_plus ? platform.substr(plus + 1) : std::string_view();
  return std::ranges::find(row->machines, platform.substr(0, plus)) != row->machines.end() &&
         fits(row->suffix, has_plus, rest);
}

}  // namespace cairn::evidence

// The rejected fixtures of native-performance.md 9.2 that no mode takes, each with its rule.
#pragma once

#include <array>
#include <string_view>

namespace cairn::evidence {

struct RejectedProfile {
  std::string_view name;  // the file is reject-<name>.json
  std::string_view rule;
};

inline constexpr std::array kRejectedProfiles = {
    RejectedProfile{.name = "forward-path-envelope-mismatch", .rule = "P-07"},
    RejectedProfile{.name = "invalid-native-identity", .rule = "P-06"},
    RejectedProfile{.name = "invalid-fallback-identity", .rule = "P-06"},
    RejectedProfile{.name = "missing-phase", .rule = "P-08"},
    RejectedProfile{.name = "overlapping-phases", .rule = "P-13"},
    RejectedProfile{.name = "non-finite-counter", .rule = "J-04"},
    RejectedProfile{.name = "negative-counter", .rule = "P-15"},
    RejectedProfile{.name = "missing-counter", .rule = "P-01"},
    RejectedProfile{.name = "mixed-backend-counters", .rule = "P-14"},
    RejectedProfile{.name = "missing-attribution-state", .rule = "P-16"},
    RejectedProfile{.name = "unknown-lever", .rule = "P-19"},
    RejectedProfile{.name = "mixed-envelope-lever", .rule = "P-20"},
    RejectedProfile{.name = "mixed-levers", .rule = "P-21"},
    RejectedProfile{.name = "unsupported-counter-comparison", .rule = "P-23"},
};

}  // namespace cairn::evidence

// Settings of the evidence commands (native-performance.md, Z-11).
#pragma once

#include <string>

#include "base/settings.h"
#include "evidence/data/pinned_graph.h"
#include "evidence/gate/gate.h"

namespace cairn::evidence {

constexpr std::string_view kPinnedLockCommand = "dos arbitrate --lane native-performance --paths";

/// Their defaults are the pinned values, with which every output keeps its bytes.
struct EvidenceSettings {
  std::string tracker_url = std::string(kPinnedTracker);
  std::string lock_command = std::string(kPinnedLockCommand);

  template <typename Self, typename Visitor>
  static void visit(Self& self, Visitor&& visitor) {
    visitor({.name = "tracker-url",
             .effect = Effect::kSurface,
             .sentence = "What stands before an issue's number in the urls of the pinned levers."},
            self.tracker_url);
    visitor({.name = "lock-command",
             .effect = Effect::kSurface,
             .sentence = "What a bisect packet says to take the lane with; the paths follow it."},
            self.lock_command);
  }
};

/// Puts the tracker into the urls of the pinned graph.
void apply(const EvidenceSettings& settings, Graph& pinned);
/// Puts the lock command into the bisect packet, where there is one.
void apply(const EvidenceSettings& settings, GateVerdict& verdict);

}  // namespace cairn::evidence

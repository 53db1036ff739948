// What the requests of one load come to, as readings of a bench record.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "cli/bench/load_client.h"
#include "evidence/bench/rounds.h"

namespace cairn::cli {

/// One load of a repetition.
struct ServedLoad {
  std::string label = {};                 // "c8": eight clients; "r4": four requests a second
  std::size_t warm_up = 1;                // the first so many requests are cold readings (M-52)
  std::vector<std::string> classes = {};  // of each request
};

/// The metrics of a load with their units: of all its requests, and the time to the first token of
/// each class that is among the later ones. Without usage there is no rate and no time per token
/// (M-40).
std::vector<evidence::MetricUnit> serve_units(const ServedLoad& load, bool usage);

/// Adds the load's readings and work to `round`; failed requests count as failed and give no
/// reading (B04). Errors: kUnavailable when not one request of a leg was answered, with what the
/// first one met.
Status add_load(const ServedLoad& load, const std::vector<LoadOutcome>& outcomes, bool usage,
                evidence::ArmRound& round);

}  // namespace cairn::cli

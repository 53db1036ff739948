// The committed graph (native-performance.md, chapter 11).
#pragma once

#include "evidence/graph/graph.h"

namespace cairn::evidence {

/// Two envelopes, three rungs, three features, twelve levers: a new value each time, so that what
/// one caller changes no other sees.
Graph pinned_graph();

/// The url that the tracker of the pinned levers gives an issue (Z-11).
constexpr std::string_view kPinnedTracker = "https://github.com/anthony-chaudhary/fak/issues/";

/// The parts of pinned_graph().
std::vector<Envelope> pinned_envelopes();
Throughput pinned_comparison();
std::vector<Rung> pinned_rungs();
std::vector<Feature> pinned_features();
std::vector<Lever> pinned_metal_levers();
std::vector<Lever> pinned_cuda_levers();
Issue pinned_issue(std::int64_t number);

}  // namespace cairn::evidence

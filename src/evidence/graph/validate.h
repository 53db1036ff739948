// The rules of a graph (native-performance.md 4.7 and 17.3).
#pragma once

#include "evidence/graph/graph.h"
#include "evidence/wire/finding.h"

namespace cairn::evidence {

/// Everything that is wrong with the graph (G-01..G-37 but G-34, Z-02, Z-06, Z-07), sorted.
/// Cost: n log n in the size of the graph.
Findings validate_graph(const Graph& graph, Rules rules = {});

/// The opt-in rule G-34: errors under --strict, else warnings.
Findings graph_warnings(const Graph& graph, Rules rules = {});

/// The five classes of chapter 9; a route names one of them.
bool is_bottleneck_class(std::string_view name);

}  // namespace cairn::evidence

#include "evidence/graph/validate.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "evidence/graph/view.h"

namespace cairn::evidence {
namespace {

void enabled_needs_dependencies(const GraphView& view, Report& report) {
  for (std::size_t i = 0; i < view.graph.levers.size(); ++i) {
    const Lever& lever = view.graph.levers[i];
    if (!lever.enabled) continue;
    for (const std::string& id : lever.dependency_ids) {
      const Lever* dependency = view.lever(id);
      if (dependency == nullptr || dependency->enabled) continue;
      report.add(item_path("levers", i), "enabled while its dependency " + quote(id) + " is not",
                 "an enabled lever with all its dependencies enabled");
    }
  }
}

constexpr std::array kGraphOptInRules = {
    GraphRule{.id = "G-34", .check = &enabled_needs_dependencies},
};

}  // namespace

Findings validate_graph(const Graph& graph, Rules rules) {
  const GraphView view(graph);
  Findings all;
  for (const std::span<const GraphRule> table :
       {envelope_rules(), ladder_rules(), lever_rules(), edge_rules()}) {
    Findings some = collect(table, view, rules);
    std::ranges::move(some, std::back_inserter(all));
  }
  return sorted(std::move(all));
}

Findings graph_warnings(const Graph& graph, Rules rules) {
  return collect(std::span<const GraphRule>(kGraphOptInRules), GraphView(graph), rules);
}

bool is_bottleneck_class(std::string_view name) {
  constexpr std::array<std::string_view, 5> kClasses = {"launch-bound", "bandwidth-bound",
                                                        "compute-bound", "synchronization-bound",
                                                        "cpu-orchestration-bound"};
  return std::ranges::find(kClasses, name) != kClasses.end();
}

}  // namespace cairn::evidence

// G-26..G-31, G-33: what levers depend on and conflict with.
#include <array>
#include <set>
#include <string>
#include <utility>

#include "evidence/graph/view.h"

namespace cairn::evidence {
namespace {

/// One edge of a lever, with the place where it stands.
struct Edge {
  const Lever* from = nullptr;
  const std::string* to = nullptr;
  std::string path;
};

/// Calls `visit` for each id of the member `list` of each lever.
template <typename Visit>
void for_each_edge(const GraphView& view, std::vector<std::string> Lever::*list,
                   std::string_view key, const Visit& visit) {
  for (std::size_t i = 0; i < view.graph.levers.size(); ++i) {
    const Lever& lever = view.graph.levers[i];
    const std::string path = member_path(item_path("levers", i), key);
    const std::vector<std::string>& ids = lever.*list;
    for (std::size_t j = 0; j < ids.size(); ++j) {
      visit(Edge{.from = &lever, .to = &ids[j], .path = item_path(path, j)});
    }
  }
}

template <typename Visit>
void for_each_conflict(const GraphView& view, const Visit& visit) {
  for_each_edge(view, &Lever::conflict_ids, "conflict_ids", visit);
}

template <typename Visit>
void for_each_edge(const GraphView& view, const Visit& visit) {
  for_each_edge(view, &Lever::dependency_ids, "dependency_ids", visit);
  for_each_conflict(view, visit);
}

void known(const GraphView& view, Report& report) {
  for_each_edge(view, [&](const Edge& edge) {
    if (view.lever(*edge.to) != nullptr) return;
    report.add(edge.path, "unknown lever " + quote(*edge.to), "the id of a lever");
  });
}

void same_envelope(const GraphView& view, Report& report) {
  for_each_edge(view, [&](const Edge& edge) {
    const Lever* to = view.lever(*edge.to);
    const std::string& own = edge.from->applicability.envelope_id;
    if (to == nullptr || to->applicability.envelope_id == own) return;
    report.add(edge.path, quote(*edge.to) + " of another envelope",
               "a lever of the envelope " + quote(own));
  });
}

void each_once(const GraphView& view, Report& report) {
  const Lever* current = nullptr;
  std::set<std::string_view> seen;
  const auto visit = [&](const Edge& edge) {
    if (edge.from != current) seen.clear();
    current = edge.from;
    if (seen.insert(*edge.to).second) return;
    report.add(edge.path, quote(*edge.to) + " again",
               "each id once in dependencies and conflicts together");
  };
  for (const Lever& lever : view.graph.levers) {
    const std::size_t index = static_cast<std::size_t>(&lever - view.graph.levers.data());
    const std::string path = item_path("levers", index);
    for (const std::string& id : lever.dependency_ids) {
      visit({.from = &lever, .to = &id, .path = member_path(path, "dependency_ids")});
    }
    for (const std::string& id : lever.conflict_ids) {
      visit({.from = &lever, .to = &id, .path = member_path(path, "conflict_ids")});
    }
  }
}

void symmetric(const GraphView& view, Report& report) {
  std::set<std::pair<std::string_view, std::string_view>> conflicts;
  for_each_conflict(view, [&](const Edge& edge) { conflicts.emplace(edge.from->id, *edge.to); });
  for_each_conflict(view, [&](const Edge& edge) {
    if (view.lever(*edge.to) == nullptr || conflicts.contains({*edge.to, edge.from->id})) return;
    report.add(edge.path, "a conflict of one side with " + quote(*edge.to),
               "the conflict named by both levers");
  });
}

void not_both_enabled(const GraphView& view, Report& report) {
  for_each_conflict(view, [&](const Edge& edge) {
    const Lever* to = view.lever(*edge.to);
    if (to == nullptr || to == edge.from || !to->enabled || !edge.from->enabled) return;
    report.add(edge.path, quote(edge.from->id) + " and " + quote(*edge.to) + " enabled",
               "one of two conflicting levers enabled");
  });
}

void cycles(const GraphView& view, Report& report) {
  std::vector<Node> nodes;
  for (const Lever& lever : view.graph.levers) {
    nodes.push_back({.id = lever.id, .targets = &lever.dependency_ids});
  }
  for (const std::string& cycle : find_cycles(nodes)) {
    report.add("levers", "the cycle " + cycle, "dependencies without a cycle");
  }
}

void no_self_conflict(const GraphView& view, Report& report) {
  for_each_conflict(view, [&](const Edge& edge) {
    if (edge.from->id != *edge.to) return;
    report.add(edge.path, "a conflict of " + quote(*edge.to) + " with itself",
               "conflicts with other levers");
  });
}

constexpr std::array kEdgeRules = {
    GraphRule{.id = "G-26", .check = &known},
    GraphRule{.id = "G-27", .check = &same_envelope},
    GraphRule{.id = "G-28", .check = &each_once},
    GraphRule{.id = "G-29", .check = &symmetric},
    GraphRule{.id = "G-30", .check = &not_both_enabled},
    GraphRule{.id = "G-31", .check = &cycles},
    GraphRule{.id = "G-33", .check = &no_self_conflict},
};

}  // namespace

std::span<const GraphRule> edge_rules() { return kEdgeRules; }

}  // namespace cairn::evidence

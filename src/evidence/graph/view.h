// What the rules of a graph look things up in: ids to places, built once.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "evidence/graph/graph.h"
#include "evidence/wire/finding.h"

namespace cairn::evidence {

using IdIndex = std::unordered_map<std::string_view, std::size_t>;

/// A graph with its ids; valid while the graph lives.
struct GraphView {
  explicit GraphView(const Graph& graph);

  const Envelope* envelope(std::string_view id) const;
  const Lever* lever(std::string_view id) const;

  const Graph& graph;
  Graph pinned;
  bool v3 = false;
  IdIndex rungs;
  IdIndex envelopes;
  IdIndex levers;
};

using GraphRule = Rule<GraphView>;

/// The rows of each part of the graph, one file each.
std::span<const GraphRule> ladder_rules();
std::span<const GraphRule> envelope_rules();
std::span<const GraphRule> lever_rules();
std::span<const GraphRule> edge_rules();

/// One node of a graph of ids and what it points to.
struct Node {
  std::string_view id;
  const std::vector<std::string>* targets = nullptr;
};

/// Every cycle that a walk meets first, as "a -> b -> a": at most one per walk, so that the texts
/// stay linear in the nodes. Ids that no node has are skipped.
std::vector<std::string> find_cycles(const std::vector<Node>& nodes);

/// Reports ids that stand twice or are blank, as `list`[i].id.
template <typename T>
void report_repeated_ids(const std::vector<T>& items, std::string_view list, std::string_view noun,
                         Report& report) {
  IdIndex seen;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (seen.emplace(items[i].id, i).second) continue;
    report.add(member_path(item_path(list, i), "id"),
               "duplicate " + std::string(noun) + " id " + quote(items[i].id), "each id once");
  }
}

/// Reports `value` at `path` when it is blank.
void report_blank(std::string_view value, std::string path, Report& report);

/// Reports a status that is none of present, partial, absent.
void report_status(const std::string& status, const std::string& path, Report& report);
/// Reports enabled with absent, and disabled with present.
void report_enablement(bool enabled, const std::string& status, const std::string& path,
                       Report& report);

}  // namespace cairn::evidence

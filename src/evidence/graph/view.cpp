#include "evidence/graph/view.h"

#include <algorithm>

#include "evidence/data/pinned_graph.h"
#include "evidence/wire/predicates.h"

namespace cairn::evidence {
namespace {

template <typename T>
IdIndex index_ids(const std::vector<T>& items) {
  IdIndex index;
  for (std::size_t i = 0; i < items.size(); ++i) index.emplace(items[i].id, i);
  return index;
}

enum class Mark : std::uint8_t { kNew, kOpen, kDone };

/// A depth-first walk that keeps its own stack: a file decides how deep it goes.
class CycleWalk {
 public:
  explicit CycleWalk(const std::vector<Node>& nodes) : nodes_(nodes), marks_(nodes.size()) {
    for (std::size_t i = 0; i < nodes.size(); ++i) index_.emplace(nodes[i].id, i);
  }

  std::vector<std::string> run() {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (marks_[i] == Mark::kNew) walk_from(i);
    }
    return std::move(cycles_);
  }

 private:
  struct Step {
    std::size_t node = 0;
    std::size_t next = 0;  // the target to look at next
  };

  void walk_from(std::size_t start) {
    bool reported = false;
    open(start);
    while (!stack_.empty()) {
      Step& step = stack_.back();
      const std::vector<std::string>& targets = *nodes_[step.node].targets;
      if (step.next == targets.size()) {
        marks_[step.node] = Mark::kDone;
        stack_.pop_back();
        continue;
      }
      const auto target = index_.find(targets[step.next++]);
      if (target == index_.end()) continue;
      if (marks_[target->second] == Mark::kNew) {
        open(target->second);
      } else if (marks_[target->second] == Mark::kOpen && !reported) {
        reported = true;
        cycles_.push_back(path_to(target->second));
      }
    }
  }

  void open(std::size_t node) {
    marks_[node] = Mark::kOpen;
    stack_.push_back({.node = node});
  }

  /// The open nodes from `node` on, and `node` again.
  std::string path_to(std::size_t node) const {
    std::string path;
    const auto start = std::ranges::find(stack_, node, &Step::node);
    for (auto step = start; step != stack_.end(); ++step) {
      path += std::string(nodes_[step->node].id) + " -> ";
    }
    return path + std::string(nodes_[node].id);
  }

  const std::vector<Node>& nodes_;
  std::vector<Mark> marks_;
  IdIndex index_;
  std::vector<Step> stack_;
  std::vector<std::string> cycles_;
};

}  // namespace

GraphView::GraphView(const Graph& from)
    : graph(from),
      pinned(pinned_graph()),
      v3(from.schema == kGraphSchemaV3),
      rungs(index_ids(from.rungs)),
      envelopes(index_ids(from.envelopes)),
      levers(index_ids(from.levers)) {}

const Envelope* GraphView::envelope(std::string_view id) const {
  const auto found = envelopes.find(id);
  return found == envelopes.end() ? nullptr : &graph.envelopes[found->second];
}

const Lever* GraphView::lever(std::string_view id) const {
  const auto found = levers.find(id);
  return found == levers.end() ? nullptr : &graph.levers[found->second];
}

std::vector<std::string> find_cycles(const std::vector<Node>& nodes) {
  return CycleWalk(nodes).run();
}

void report_blank(std::string_view value, std::string path, Report& report) {
  if (is_blank(value)) report.add(std::move(path), quote(value), "a text that is not blank");
}

void report_status(const std::string& status, const std::string& path, Report& report) {
  if (status == "present" || status == "partial" || status == "absent") return;
  report.add(member_path(path, "status"), quote(status), "present, partial or absent");
}

void report_enablement(bool enabled, const std::string& status, const std::string& path,
                       Report& report) {
  if (enabled && status == "absent") {
    report.add(path, "enabled with status absent", "present or partial where it is enabled");
  } else if (!enabled && status == "present") {
    report.add(path, "disabled with status present", "partial or absent where it is disabled");
  }
}

}  // namespace cairn::evidence

// The files that pages are made from and checked against, read (native-performance.md, chapter 18).
//
// Purpose     one value that holds everything `cairn report` looks at, so that generating and
//             checking are pure functions of it.
// Invariants  a file that does not read, or a record that breaks its own rules, is a finding and is
//             not in the maps; nothing is made from it.
// Threads     values; no shared state.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/arm/arm_record.h"
#include "evidence/bench/bench_record.h"
#include "evidence/gate/gate.h"
#include "evidence/graph/graph.h"
#include "evidence/pages/plan.h"
#include "evidence/state/state_record.h"

namespace cairn::evidence {

constexpr std::string_view kEvidenceFolder = "docs/evidence/";
constexpr std::string_view kPagesFolder = "docs/benchmarks/";
constexpr std::string_view kPlanPath = "docs/evidence/pages.json";
constexpr std::string_view kStatePath = "docs/evidence/record.jsonl";
constexpr std::string_view kGraphPath = "docs/evidence/graph.json";
constexpr std::string_view kIndexPath = "docs/benchmarks/README.md";
constexpr std::string_view kGapsPath = "docs/benchmarks/open-gaps.md";
constexpr std::string_view kReproducePath = "docs/benchmarks/reproduce.md";
constexpr std::string_view kGatesPath = "docs/benchmarks/gates.json";
constexpr std::string_view kGraphPagePath = "docs/native-performance.md";

/// Files as they were found, and what else the checker must be told.
struct Tree {
  std::map<std::string, std::string> files;     // text of docs/ and of the Markdown at the root
  std::set<std::string> names;                  // every file of the tree, for links
  std::map<std::string, std::string> defaults;  // settings of the default path by name (M-74)
  std::vector<StateVersion> earlier;            // the state record at earlier commits
  std::map<std::int64_t, std::string> line_commits;  // time of the commit that added a line, by id
};

/// What the files say.
struct Evidence {
  PagesPlan plan;
  Graph graph;
  StateRecord state;
  GatedRows gates;
  std::map<std::string, BenchRecord> records;  // by path below docs/evidence/, like the next three
  std::map<std::string, Receipt> receipts;
  std::map<std::string, ArmRecord> arms;
  std::map<std::string, std::string> digests;          // of records and receipts
  std::map<std::string, std::string> verdicts;         // attestations by digest: clean and so on
  std::map<std::string, std::vector<double>> ambient;  // their percentages
  Findings findings;
};

/// Reads and validates everything below docs/evidence/ whose schema it knows. M-01 and the other
/// rules of one record, M-03, and the rules of chapter 3 for the plan.
Evidence read_evidence(const Tree& tree, Rules rules = {});

/// "measured" of the state record: the last line with this digest, or null.
const StateLine* state_line(const Evidence& evidence, std::string_view digest);
/// True when the last word of the state record about this digest is `kind`.
bool is_marked(const Evidence& evidence, std::string_view digest, std::string_view kind);

}  // namespace cairn::evidence

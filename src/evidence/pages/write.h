// Writing the pages (native-performance.md 18.10).
//
// Purpose     every generated file as a function of the evidence.
// Invariants  no clock, no map order, no locale: the same evidence gives the same bytes.
// Threads     pure functions.
// Adding      a page: its function here and its path in write_pages().
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/pages/cells.h"

namespace cairn::evidence {

/// A line of a Markdown table.
std::string table_line(std::span<const std::string> cells);
/// The header of a table and the line below it.
std::string table_head(std::span<const std::string_view> names);

/// "docs/benchmarks/<id>.md".
std::string page_path(std::string_view id);
/// True when a row of the page has this key.
bool has_key(const PlanPage& page, std::string_view key);

/// The text of one page of the plan.
std::string write_page(const Evidence& evidence, const PlanPage& page);
/// The rows of a page that have a source, in order; superseded ones last.
struct PageRows {
  std::vector<RowSource> current;
  std::vector<RowSource> history;
};
PageRows section_rows(const Evidence& evidence, const PlanSection& section);

/// The index with the scoreboard.
std::string write_index(const Evidence& evidence);
/// The register of open gaps.
std::string write_gaps(const Evidence& evidence);
/// How to make each page's figures again.
std::string write_reproduce(const Evidence& evidence);
/// Which rows have a command that is able to fail.
std::string write_gates(const Evidence& evidence);
/// docs/native-performance.md, from the graph alone.
std::string write_graph_page(const Graph& graph);

/// A page that the index lists beside the plan's: id, subject, disposition.
struct FixedPage {
  std::string_view id;
  std::string_view subject;
  std::string_view disposition;
};
std::span<const FixedPage> fixed_pages();

/// Every generated file by its path.
std::map<std::string, std::string> write_pages(const Evidence& evidence);

}  // namespace cairn::evidence

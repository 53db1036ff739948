// Checking the pages against the evidence (native-performance.md, chapter 18).
//
// Purpose     every rule about pages, as a function of the files.
// Invariants  the pages are read as they stand; nothing is repaired. Findings are sorted by their
//             text, which the id leads.
// Threads     pure functions.
// Adding      a rule: a function and its row in one of the check_*.cpp.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/pages/markdown.h"
#include "evidence/pages/write.h"

namespace cairn::evidence {

/// A row of figures as it stands on a page, with what the plan and the evidence say of it.
struct RowOnPage {
  std::string path;  // of the page
  std::string page;  // its id
  const MarkdownTable* table = nullptr;
  const MarkdownRow* row = nullptr;
  const RowSource* source = nullptr;  // null where the plan has no such row or it has no evidence

  std::string_view cell(std::string_view name) const { return table->cell(*row, name); }
  bool is_history() const { return table->heading == "History"; }
  bool is_total() const { return cell("key") == "total"; }
  /// "docs/benchmarks/x.md:7 (key)"
  std::string place() const;
};

/// A cell with a figure, and the figure behind it.
struct CellFigure {
  std::string_view name;
  const std::optional<Figure>* figure = nullptr;
};
/// Those of a row that has a source.
std::array<CellFigure, 2> cell_figures(const RowOnPage& row);

/// What the rules of pages look at.
struct PagesView {
  const Tree& tree;
  const Evidence& evidence;
  std::map<std::string, Markdown> pages;         // docs/benchmarks/*.md as they stand
  std::map<std::string, std::string> generated;  // what they should be
  std::vector<std::unique_ptr<RowSource>> sources;
  std::vector<RowOnPage> rows;
};

using PagesRule = Rule<PagesView>;

/// The rows of each part of chapter 18, one file each.
std::span<const PagesRule> word_rules();
std::span<const PagesRule> figure_rules();
std::span<const PagesRule> measuring_rules();
std::span<const PagesRule> structure_rules();
std::span<const PagesRule> register_rules();
std::span<const PagesRule> graph_rules();

/// The id of the page at `path`.
std::string page_id(std::string_view path);
/// The first table of the page at `path` that has this column, or null.
const MarkdownTable* find_table(const PagesView& view, std::string_view path,
                                std::string_view column);
/// True for a word of a row that waits for something: PENDING, BLOCKED, NOT MEASURED, OWED.
bool is_open_word(std::string_view word);

/// "file:line".
std::string at_line(std::string_view path, std::size_t line);

/// Everything that is wrong with the pages and their evidence, sorted.
Findings check_pages(const Tree& tree, Rules rules = {});

}  // namespace cairn::evidence

#include "evidence/pages/check.h"

#include <algorithm>
#include <iterator>
#include <tuple>

#include "evidence/wire/predicates.h"

namespace cairn::evidence {
namespace {

bool is_page(std::string_view path) {
  return path.starts_with(kPagesFolder) && path.ends_with(".md");
}

constexpr std::array<std::string_view, 4> kOpenWords = {"PENDING", "BLOCKED", "NOT MEASURED",
                                                        "OWED"};

using RowKey = std::tuple<std::string, std::string, std::string, std::string, std::string>;

/// The sources of the plan's rows by page, key, metric, statistic and legs; those of the history
/// stand apart under their evidence.
std::map<RowKey, std::vector<const RowSource*>> make_sources(PagesView& view) {
  std::map<RowKey, std::vector<const RowSource*>> found;
  for (const PlanPage& page : view.evidence.plan.pages) {
    for (const PlanSection& section : page.sections) {
      for (const PlanRow& row : section.rows) {
        std::optional<RowSource> source = row_source(view.evidence, row);
        if (!source) continue;
        view.sources.push_back(std::make_unique<RowSource>(std::move(*source)));
        found[{page.id, row.key, row.metric, row.statistic, row.legs}].push_back(
            view.sources.back().get());
      }
    }
  }
  return found;
}

const RowSource* source_of(const RowOnPage& row, const std::vector<const RowSource*>& sources) {
  for (const RowSource* source : sources) {
    if ((source->row.word == "SUPERSEDED") == row.is_history()) return source;
  }
  return nullptr;
}

void find_rows(PagesView& view) {
  const auto sources = make_sources(view);
  for (const auto& [path, page] : view.pages) {
    if (path == kIndexPath) continue;
    for (const MarkdownTable& table : page.tables) {
      if (!table.column("ours") || !table.column("ratio")) continue;
      for (const MarkdownRow& row : table.rows) {
        RowOnPage one = {.path = path, .page = page_id(path), .table = &table, .row = &row};
        const auto found =
            sources.find({one.page, std::string(one.cell("key")), std::string(one.cell("metric")),
                          std::string(one.cell("statistic")), std::string(one.cell("legs"))});
        if (found != sources.end()) one.source = source_of(one, found->second);
        view.rows.push_back(one);
      }
    }
  }
}

}  // namespace

std::string RowOnPage::place() const {
  return at_line(path, row->line) + " (" + std::string(cell("key")) + ")";
}

std::array<CellFigure, 2> cell_figures(const RowOnPage& row) {
  return {{{"ours", &row.source->standing.ours}, {"reference", &row.source->standing.reference}}};
}

std::string page_id(std::string_view path) {
  path.remove_prefix(kPagesFolder.size());
  return std::string(path.substr(0, path.size() - 3));
}

const MarkdownTable* find_table(const PagesView& view, std::string_view path,
                                std::string_view column) {
  const auto page = view.pages.find(std::string(path));
  if (page == view.pages.end()) return nullptr;
  for (const MarkdownTable& table : page->second.tables) {
    if (table.column(column)) return &table;
  }
  return nullptr;
}

bool is_open_word(std::string_view word) { return one_of(word, kOpenWords); }

std::string at_line(std::string_view path, std::size_t line) {
  return std::string(path) + ":" + std::to_string(line);
}

Findings check_pages(const Tree& tree, Rules rules) {
  const Evidence evidence = read_evidence(tree, rules);
  PagesView view = {.tree = tree,
                    .evidence = evidence,
                    .pages = {},
                    .generated = write_pages(evidence),
                    .sources = {},
                    .rows = {}};
  for (const auto& [path, text] : tree.files) {
    if (is_page(path)) view.pages[path] = parse_markdown(text);
  }
  find_rows(view);
  Findings all = evidence.findings;
  for (const std::span<const PagesRule> table :
       {word_rules(), figure_rules(), measuring_rules(), structure_rules(), register_rules(),
        graph_rules()}) {
    std::ranges::move(collect(table, view, rules), std::back_inserter(all));
  }
  return sorted(std::move(all));
}

}  // namespace cairn::evidence

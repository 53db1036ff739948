// The pages as documents: M-59..M-63, M-65..M-70.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "evidence/pages/check.h"
#include "evidence/pages/prose.h"

namespace cairn::evidence {
namespace {

/// M-59
void index_rows(const PagesView& view, Report& report) {
  const MarkdownTable* table = find_table(view, kIndexPath, "disposition");
  if (table == nullptr) {
    report.add(std::string(kIndexPath), "no table of pages", "one row for each page");
    return;
  }
  std::map<std::string, int> rows;
  for (const MarkdownRow& row : table->rows) {
    const std::string id(table->cell(row, "id"));
    const std::string link = fmt::format("[{0}.md]({0}.md)", id);
    if (++rows[id] == 2) report.add(at_line(kIndexPath, row.line), quote(id) + " twice", "once");
    if (!view.pages.contains(page_path(id))) {
      report.add(at_line(kIndexPath, row.line), "no page " + quote(id), "a page for each row");
    }
    if (table->cell(row, "link") != link || table->cell(row, "subject").empty()) {
      report.add(at_line(kIndexPath, row.line), quote(table->cell(row, "link")), link);
    }
  }
  for (const auto& [path, page] : view.pages) {
    if (path == kIndexPath) continue;
    if (!rows.contains(page_id(path)))
      report.add(path, "a page without a row", "a row of the index");
  }
}

/// The number of the first line that differs.
std::size_t first_difference(std::string_view one, std::string_view other) {
  std::size_t line = 1;
  for (std::size_t i = 0; i < std::min(one.size(), other.size()) && one[i] == other[i]; ++i) {
    if (one[i] == '\n') ++line;
  }
  return line;
}

void texts_as_generated(const PagesView& view, Report& report) {
  for (const auto& [path, text] : view.generated) {
    if (path == kGraphPagePath) continue;  // M-77
    const auto found = view.tree.files.find(path);
    if (found == view.tree.files.end()) {
      report.add(path, "no such file", "the page that cairn report writes");
    } else if (found->second != text) {
      report.add(at_line(path, first_difference(found->second, text)), "another text",
                 "what cairn report writes");
    }
  }
}

/// A row that waits for its first figure names no evidence, and has an open word.
bool waits(const PlanRow& row) { return row.evidence.empty() && is_open_word(row.word); }

bool has_source(const PagesView& view, const PlanRow& row) {
  return std::ranges::any_of(view.sources,
                             [&](const auto& source) { return &source->row == &row; });
}

void plan_has_evidence(const PagesView& view, Report& report) {
  for (const PlanPage& page : view.evidence.plan.pages) {
    for (const PlanSection& section : page.sections) {
      for (const PlanRow& row : section.rows) {
        if (waits(row) || has_source(view, row)) continue;
        report.add(page.id + " (" + row.key + ")", "no evidence " + quote(row.evidence),
                   "a receipt pair or bench record that reads, and known words");
      }
    }
  }
}

bool names_its_evidence(const RowOnPage& row) {
  return row.source != nullptr && row.cell("digest") == "`" + row.source->digest + "`" &&
         row.cell("evidence").find(row.source->row.evidence) != std::string_view::npos;
}

/// M-60
void as_generated(const PagesView& view, Report& report) {
  texts_as_generated(view, report);
  plan_has_evidence(view, report);
  for (const RowOnPage& row : view.rows) {
    if (row.is_total() || names_its_evidence(row)) continue;
    report.add(row.place(), "a figure without its evidence", "its record and digest");
  }
}

/// M-61
void row_lengths(const PagesView& view, Report& report) {
  for (const auto& [path, page] : view.pages) {
    for (const MarkdownTable& table : page.tables) {
      for (const MarkdownRow& row : table.rows) {
        if (row.cells.size() == table.names.size()) continue;
        report.add(at_line(path, row.line), std::to_string(row.cells.size()) + " cells",
                   std::to_string(table.names.size()) + " as the header");
      }
    }
  }
}

/// What tells a row of a page from another.
std::string row_key(const RowOnPage& row) {
  std::string key;
  for (const std::string_view name : {"key", "metric", "statistic", "legs"}) {
    key += std::string(row.cell(name)) + "|";
  }
  return key;
}

/// M-62
void unique_keys(const PagesView& view, Report& report) {
  for (const auto& [path, page] : view.pages) {
    std::set<std::string> headings;
    for (const MarkdownLine& heading : page.headings) {
      if (headings.insert(heading.text).second) continue;
      report.add(at_line(path, heading.line), "the heading " + quote(heading.text) + " again",
                 "each heading once");
    }
  }
  std::map<std::string, const RowOnPage*> keys;
  for (const RowOnPage& row : view.rows) {
    if (row.is_history() || row.is_total()) continue;
    if (keys.emplace(row.path + "|" + row_key(row), &row).second) continue;
    report.add(row.place(), "the same row key again", "each key once on a page");
  }
}

/// A relative target below the root, or nothing when it leaves it.
std::optional<std::string> resolved(std::string_view page, std::string_view target) {
  std::vector<std::string> parts;
  std::string whole(page.substr(0, page.rfind('/') + 1));
  whole += target.substr(0, target.find('#'));
  for (std::size_t at = 0; at <= whole.size();) {
    const std::size_t end = std::min(whole.find('/', at), whole.size());
    const std::string part = whole.substr(at, end - at);
    at = end + 1;
    if (part.empty() || part == ".") continue;
    if (part != "..") {
      parts.push_back(part);
    } else if (parts.empty()) {
      return std::nullopt;
    } else {
      parts.pop_back();
    }
  }
  std::string path;
  for (const std::string& part : parts) path += (path.empty() ? "" : "/") + part;
  return path;
}

bool exists(const Tree& tree, const std::string& path) {
  if (tree.names.contains(path)) return true;
  const auto below = tree.names.lower_bound(path + "/");
  return below != tree.names.end() && below->starts_with(path + "/");
}

/// M-63
void links_resolve(const PagesView& view, Report& report) {
  for (const auto& [path, page] : view.pages) {
    for (const MarkdownLink& link : page.links) {
      if (link.target.starts_with('#')) continue;
      const auto target = resolved(path, link.target);
      const bool outside =
          link.target.find("://") != std::string::npos || link.target.starts_with('/') || !target;
      if (!outside && exists(view.tree, *target)) continue;
      report.add(at_line(path, link.line), quote(link.target),
                 outside ? "a link inside the tree" : "a file that is there");
    }
  }
}

/// M-65
void one_current(const PagesView& view, Report& report) {
  std::map<std::string, const RowOnPage*> current;
  for (const RowOnPage& row : view.rows) {
    if (row.is_total() || row.is_history()) continue;
    if (!current.emplace(row_key(row), &row).second) {
      report.add(row.place(), "a second current value", "one current value for each key");
    }
    for (const std::string& cell : row.row->cells) {
      if (cell.find("SUPERSEDED") == std::string::npos &&
          cell.find("superseded") == std::string::npos) {
        continue;
      }
      report.add(row.place(), quote(cell) + " in a current row",
                 "superseded values in the history");
    }
  }
}

/// M-66
void own_denominator(const PagesView& view, Report& report) {
  for (const RowOnPage& row : view.rows) {
    if (!row.is_history() || parse_figure(row.cell("reference"))) continue;
    report.add(row.place(), "no reference of its own", "the denominator that it was measured with");
  }
}

/// M-67
void one_run_a_section(const PagesView& view, Report& report) {
  std::map<const MarkdownTable*, std::string> runs;
  for (const RowOnPage& row : view.rows) {
    if (row.is_history() || row.is_total()) continue;
    const std::string found(row.cell("run"));
    const std::string& first = runs.emplace(row.table, found).first->second;
    if (found == first && found.size() > 2) continue;
    report.add(row.place(), "the run " + quote(found) + " beside " + quote(first),
               "one measuring run in a section, named in each row");
  }
}

/// "WITHDRAWN" or "SUPERSEDED" where the state record says so of a digest, else "".
std::string_view mark_of(const Evidence& evidence, std::string_view digest) {
  if (is_marked(evidence, digest, "withdrawn")) return "WITHDRAWN";
  return is_marked(evidence, digest, "superseded") ? "SUPERSEDED" : "";
}

/// The mark of the evidence that a link of `path` leads to, "" for any other link.
std::string_view mark_of_link(const PagesView& view, std::string_view path,
                              const MarkdownLink& link) {
  const auto target = resolved(path, link.target);
  if (!target || !target->starts_with(kEvidenceFolder)) return "";
  const auto digest = view.evidence.digests.find(target->substr(kEvidenceFolder.size()));
  return digest == view.evidence.digests.end() ? "" : mark_of(view.evidence, digest->second);
}

/// M-68 for one line: it says so where it leans on marked evidence.
void check_sentence(const PagesView& view, const std::string& path, const MarkdownLine& line,
                    Report& report) {
  for (const MarkdownLink& link : links_of(line.text, line.line)) {
    const std::string_view mark = mark_of_link(view, path, link);
    if (mark.empty() || says(line.text, mark)) continue;
    report.add(at_line(path, line.line), "a sentence on evidence that is " + std::string(mark),
               "the same word in the sentence");
  }
}

/// M-68
void withdrawals(const PagesView& view, Report& report) {
  for (const RowOnPage& row : view.rows) {
    if (row.source == nullptr) continue;
    const std::string_view mark = mark_of(view.evidence, row.source->digest);
    if (mark.empty() || row.cell("word") == mark) continue;
    report.add(row.place(), quote(row.cell("word")), std::string(mark) + " by the state record");
  }
  for (const auto& [path, text] : view.tree.files) {
    if (!path.ends_with(".md")) continue;
    const Markdown page = parse_markdown(text);
    for (const MarkdownLine& line : page.prose) check_sentence(view, path, line, report);
    if (view.pages.contains(path)) continue;  // whose tables are rows, seen above
    for (const MarkdownLine& line : page.table_lines) check_sentence(view, path, line, report);
  }
}

std::string joined(std::span<const std::string_view> cells) {
  std::string text;
  for (const std::string_view cell : cells) text += std::string(cell) + "|";
  return text;
}

/// The scoreboard: what it says of each row, by page, key, metric, statistic and legs.
std::map<std::string, std::string> read_scoreboard(const Markdown& index) {
  std::map<std::string, std::string> board;
  for (const MarkdownTable& table : index.tables) {
    if (!table.column("standing")) continue;
    for (const MarkdownRow& row : table.rows) {
      const auto cell = [&](std::string_view name) { return table.cell(row, name); };
      board[joined(
          std::array{cell("page"), cell("key"), cell("metric"), cell("statistic"), cell("legs")})] =
          joined(std::array{cell("ratio"), cell("standing"), cell("word")});
    }
  }
  return board;
}

/// M-69
void scoreboard(const PagesView& view, Report& report) {
  const auto index = view.pages.find(std::string(kIndexPath));
  if (index == view.pages.end()) return;
  std::map<std::string, std::string> board = read_scoreboard(index->second);
  std::size_t current = 0;
  for (const RowOnPage& row : view.rows) {
    if (row.is_history() || row.is_total()) continue;
    ++current;
    const std::string key = joined(std::array<std::string_view, 5>{
        row.page, row.cell("key"), row.cell("metric"), row.cell("statistic"), row.cell("legs")});
    const std::string accepted =
        joined(std::array{row.cell("ratio"), row.cell("standing"), row.cell("word")});
    if (board[key] == accepted) continue;
    report.add(row.place(), "the scoreboard's " + quote(board[key]), quote(accepted));
  }
  if (board.size() > current) {
    report.add(std::string(kIndexPath), "a scoreboard line without its row", "the pages' rows");
  }
}

void bounds_hold(const RowOnPage& row, const MarkdownLine& line, Report& report) {
  for (const Bound& bound : bounds_of(line.text)) {
    const std::string fault = broken_bound(bound, row);
    if (!fault.empty()) report.add(at_line(row.path, line.line), quote(bound.text), fault);
  }
}

/// M-70
void prose(const PagesView& view, Report& report) {
  for (const auto& [path, page] : view.pages) {
    for (const MarkdownLine& line : page.prose) {
      const std::string digit = unreferenced_digit(line.text);
      if (digit.empty()) continue;
      report.add(at_line(path, line.line), quote(digit), "a link to its receipt or bench record");
    }
  }
  for (const RowOnPage& row : view.rows) {
    if (row.is_history()) continue;
    for (const MarkdownLine& line : view.pages.at(row.path).prose) bounds_hold(row, line, report);
  }
}

constexpr std::array kCheckStructureRules = {
    PagesRule{.id = "M-59", .check = &index_rows},
    PagesRule{.id = "M-60", .check = &as_generated},
    PagesRule{.id = "M-61", .check = &row_lengths},
    PagesRule{.id = "M-62", .check = &unique_keys},
    PagesRule{.id = "M-63", .check = &links_resolve},
    PagesRule{.id = "M-65", .check = &one_current},
    PagesRule{.id = "M-66", .check = &own_denominator},
    PagesRule{.id = "M-67", .check = &one_run_a_section},
    PagesRule{.id = "M-68", .check = &withdrawals},
    PagesRule{.id = "M-69", .check = &scoreboard},
    PagesRule{.id = "M-70", .check = &prose},
};

}  // namespace

std::span<const PagesRule> structure_rules() { return kCheckStructureRules; }

}  // namespace cairn::evidence

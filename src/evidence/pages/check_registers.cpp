// Dates, gaps, reproduction and gates: M-09..M-12, M-75, M-76.
#include <array>
#include <map>

#include "evidence/pages/check.h"
#include "evidence/wire/encode.h"
#include "evidence/wire/predicates.h"
#include "evidence/wire/utc.h"

namespace cairn::evidence {
namespace {

/// The date of a row is that of its line in the state record.
void check_date(const PagesView& view, const RowOnPage& row, Report& report) {
  const StateLine* line =
      row.source == nullptr ? nullptr : state_line(view.evidence, row.source->digest);
  if (line == nullptr) {
    report.add(row.place(), quote(row.cell("date")), "a line of the state record");
  } else if (row.cell("date") != utc_date(line->time_utc)) {
    report.add(row.place(), quote(row.cell("date")), quote(utc_date(line->time_utc)));
  }
}

/// A superseded row is not younger than the current one of its key.
void dates_forward(const PagesView& view, Report& report) {
  std::map<std::string, std::string> current;
  for (const RowOnPage& row : view.rows) {
    if (!row.is_history()) current[row.path + std::string(row.cell("key"))] = row.cell("date");
  }
  for (const RowOnPage& row : view.rows) {
    const auto now = current.find(row.path + std::string(row.cell("key")));
    if (!row.is_history() || now == current.end() || row.cell("date") <= now->second) continue;
    report.add(row.place(), "a current date before " + quote(row.cell("date")),
               "dates that do not move backwards");
  }
}

/// No line is older than the commit that added it.
void lines_before_commits(const PagesView& view, Report& report) {
  for (const StateLine& line : view.evidence.state.lines) {
    const auto commit = view.tree.line_commits.find(line.id);
    if (commit == view.tree.line_commits.end()) continue;
    const auto time = utc_key(line.time_utc);
    const auto committed = utc_key(commit->second);
    if (!time || !committed || *time <= *committed) continue;
    report.add(std::string(kStatePath) + ": line " + std::to_string(line.id), quote(line.time_utc),
               "not later than its commit at " + commit->second);
  }
}

/// M-09
void dates(const PagesView& view, Report& report) {
  for (const RowOnPage& row : view.rows) {
    if (!row.is_total()) check_date(view, row, report);
  }
  dates_forward(view, report);
  lines_before_commits(view, report);
}

/// The register as it stands.
const MarkdownTable* gap_table(const PagesView& view) {
  return find_table(view, kGapsPath, "next gate");
}

/// M-10
void gaps_filled(const PagesView& view, Report& report) {
  const MarkdownTable* table = gap_table(view);
  if (table == nullptr) {
    report.add(std::string(kGapsPath), "no register", "a table of the open gaps");
    return;
  }
  for (const MarkdownRow& row : table->rows) {
    for (const std::string_view name :
         {"key", "track", "status", "last figure", "next gate", "what closes it"}) {
      const std::string_view cell = table->cell(row, name);
      if (!is_blank(cell) && cell != "``") continue;
      report.add(at_line(kGapsPath, row.line), "no " + std::string(name), "a filled cell");
    }
  }
}

/// "page/row key" of every row that waits for something. Rows without a figure have no evidence
/// and stand in the plan only.
std::map<std::string, int> open_rows(const PagesView& view) {
  std::map<std::string, int> open;
  for (const RowOnPage& row : view.rows) {
    if (row.is_history()) continue;
    if (row.cell("standing") != "BEHIND" && !is_open_word(row.cell("word"))) continue;
    open[row.page + "/" + std::string(row.cell("key"))] = 0;
  }
  for (const PlanPage& page : view.evidence.plan.pages) {
    for (const PlanSection& section : page.sections) {
      for (const PlanRow& row : section.rows) {
        if (is_open_word(row.word)) open[page.id + "/" + row.key] = 0;
      }
    }
  }
  return open;
}

/// M-11
void gaps_complete(const PagesView& view, Report& report) {
  const MarkdownTable* table = gap_table(view);
  if (table == nullptr) return;
  std::map<std::string, int> open = open_rows(view);
  for (const MarkdownRow& row : table->rows) {
    const auto found = open.find(std::string(table->cell(row, "key")));
    if (found != open.end()) ++found->second;
  }
  for (const auto& [key, count] : open) {
    if (count == 1) continue;
    report.add(std::string(kGapsPath), std::to_string(count) + " rows of " + quote(key),
               "exactly one");
  }
}

/// M-12
void gaps_closed(const PagesView& view, Report& report) {
  for (const OpenGap& gap : view.evidence.plan.gaps) {
    const bool closed = gap.status == "closed";
    if (closed == view.evidence.digests.contains(gap.closed_by)) continue;
    report.add("gaps." + gap.key, quote(gap.status) + " by " + quote(gap.closed_by),
               closed ? "its receipt or bench record" : "nothing while it is open");
  }
}

/// M-75
void reproducible(const PagesView& view, Report& report) {
  const auto page = view.pages.find(std::string(kReproducePath));
  if (page == view.pages.end() || page->second.tables.empty()) {
    report.add(std::string(kReproducePath), "no table", "one command for each page");
    return;
  }
  const MarkdownTable& table = page->second.tables[0];
  std::map<std::string, int> rows;
  for (const MarkdownRow& row : table.rows) {
    ++rows[std::string(table.cell(row, "page"))];
    for (const std::string_view name : {"command", "pins", "flags", "evidence", "time"}) {
      const std::string_view cell = table.cell(row, name);
      if (!cell.empty() && cell != "``" && cell != "`-`") continue;
      report.add(at_line(kReproducePath, row.line), "no " + std::string(name), "a filled cell");
    }
  }
  for (const PlanPage& planned : view.evidence.plan.pages) {
    if (rows[planned.id] == 1) continue;
    report.add(std::string(kReproducePath),
               std::to_string(rows[planned.id]) + " commands of " + quote(planned.id), "one");
  }
}

/// M-76
void gates_pinned(const PagesView& view, Report& report) {
  const auto found = view.tree.files.find(std::string(kGatesPath));
  if (found == view.tree.files.end()) {
    report.add(std::string(kGatesPath), "no such file", "the rows with a command able to fail");
    return;
  }
  if (found->second == write_gates(view.evidence)) return;
  report.add(std::string(kGatesPath), std::to_string(view.evidence.gates.rows.size()) + " rows",
             "exactly those of the plan, in its order");
}

constexpr std::array kCheckRegistersRules = {
    PagesRule{.id = "M-09", .check = &dates},
    PagesRule{.id = "M-10", .check = &gaps_filled},
    PagesRule{.id = "M-11", .check = &gaps_complete},
    PagesRule{.id = "M-12", .check = &gaps_closed},
    PagesRule{.id = "M-75", .check = &reproducible},
    PagesRule{.id = "M-76", .check = &gates_pinned},
};

}  // namespace

std::span<const PagesRule> register_rules() { return kCheckRegistersRules; }

}  // namespace cairn::evidence

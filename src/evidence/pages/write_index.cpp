// The index with its scoreboard, the register of gaps, and how to reproduce.
#include <fmt/format.h>

#include <array>

#include "evidence/pages/write.h"
#include "evidence/wire/encode.h"

namespace cairn::evidence {
namespace {

constexpr std::array kFixedPages = {
    FixedPage{.id = "open-gaps", .subject = "What is not known yet", .disposition = "Gap register"},
    FixedPage{.id = "reproduce",
              .subject = "How to make the figures again",
              .disposition = "Index of entry points"},
};

std::string index_line(std::string_view id, std::string_view subject,
                       std::string_view disposition) {
  return table_line(std::array<std::string, 4>{std::string(id), std::string(subject),
                                               std::string(disposition),
                                               fmt::format("[{}.md]({}.md)", id, id)});
}

/// M-69: the rows of the pages, shortened.
std::string scoreboard(const Evidence& evidence) {
  std::string text;
  for (const PlanPage& page : evidence.plan.pages) {
    for (const PlanSection& section : page.sections) {
      for (const RowSource& row : section_rows(evidence, section).current) {
        const RowCells cells = row_cells(evidence, row);
        text += table_line(std::array<std::string, 8>{page.id, cells[0], cells[1], cells[2],
                                                      cells[3], cells[8], cells[9], cells[10]});
      }
    }
  }
  if (text.empty()) return "No row has a figure yet.\n";
  return table_head(std::array<std::string_view, 8>{"page", "key", "metric", "statistic", "legs",
                                                    "ratio", "standing", "word"}) +
         text;
}

std::string tried_levers(const Evidence& evidence) {
  std::string text = table_head(std::array<std::string_view, 3>{"lever", "outcome", "evidence"});
  for (const TriedLever& tried : evidence.plan.levers_tried) {
    text += table_line(std::array<std::string, 3>{
        "`" + tried.lever + "`", tried.outcome,
        "[" + tried.outcome + "](" + evidence_link(tried.evidence) + ")"});
  }
  return evidence.plan.levers_tried.empty() ? "No lever has been tried through the gate yet.\n"
                                            : text;
}

std::string or_nothing(const std::string& text) {
  return text.empty() ? std::string(kNothing) : text;
}

}  // namespace

std::span<const FixedPage> fixed_pages() { return kFixedPages; }

std::string write_index(const Evidence& evidence) {
  std::string text =
      "# Benchmarks\n\nThese pages are made by `cairn report` from the records under "
      "[evidence](../evidence/); `cairn report --check` makes every figure again.\n\n"
      "## Pages\n\n";
  text += table_head(std::array<std::string_view, 4>{"id", "subject", "disposition", "link"});
  for (const PlanPage& page : evidence.plan.pages) {
    text += index_line(page.id, page.subject, page.disposition);
  }
  for (const FixedPage& page : kFixedPages) {
    text += index_line(page.id, page.subject, page.disposition);
  }
  return text + "\n## At a glance\n\n" + scoreboard(evidence) + "\n## Tried levers\n\n" +
         tried_levers(evidence);
}

std::string write_gaps(const Evidence& evidence) {
  std::string text =
      "# What is not known yet\n\nEach row that has no figure, or a figure that is behind, with "
      "the "
      "command that would close it.\n\n";
  text += table_head(std::array<std::string_view, 7>{"key", "track", "status", "last figure",
                                                     "next gate", "what closes it", "closed by"});
  for (const OpenGap& gap : evidence.plan.gaps) {
    text += table_line(std::array<std::string, 7>{
        gap.key, gap.track, gap.status, gap.last_figure, "`" + gap.next_gate + "`", gap.closes,
        gap.closed_by.empty() ? std::string(kNothing)
                              : "[record](" + evidence_link(gap.closed_by) + ")"});
  }
  return text;
}

std::string write_reproduce(const Evidence& evidence) {
  std::string text =
      "# How to make the figures again\n\nOne command a page. The time is that of the whole "
      "command on a machine of two cores.\n\n";
  text += table_head(
      std::array<std::string_view, 6>{"page", "command", "pins", "flags", "evidence", "time"});
  for (const ReproduceRow& row : evidence.plan.reproduce) {
    text += table_line(std::array<std::string, 6>{
        row.page, "`" + row.command + "`", "`" + or_nothing(row.pins) + "`",
        "`" + or_nothing(row.flags) + "`", "`" + or_nothing(row.evidence) + "`",
        "`" + or_nothing(row.time) + "`"});
  }
  return text;
}

std::string write_gates(const Evidence& evidence) {
  GatedRows gates = {.schema = std::string(kGatedRowsSchema), .rows = {}};
  for (const PlanPage& page : evidence.plan.pages) {
    for (const PlanSection& section : page.sections) {
      for (const PlanRow& row : section.rows) {
        if (row.gate) gates.rows.push_back({.page = page.id, .key = row.key, .command = *row.gate});
      }
    }
  }
  return document_text(gates);
}

std::map<std::string, std::string> write_pages(const Evidence& evidence) {
  std::map<std::string, std::string> files;
  for (const PlanPage& page : evidence.plan.pages) {
    files[page_path(page.id)] = write_page(evidence, page);
  }
  files[std::string(kIndexPath)] = write_index(evidence);
  files[std::string(kGapsPath)] = write_gaps(evidence);
  files[std::string(kReproducePath)] = write_reproduce(evidence);
  files[std::string(kGraphPagePath)] = write_graph_page(evidence.graph);
  return files;
}

}  // namespace cairn::evidence

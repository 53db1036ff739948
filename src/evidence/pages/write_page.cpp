// One benchmark page.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "evidence/bench/load.h"
#include "evidence/pages/write.h"

namespace cairn::evidence {
namespace {

constexpr std::string_view kSuperseded = "SUPERSEDED";

std::string rows_table(const Evidence& evidence, std::span<const RowSource> rows) {
  std::string text = table_head(kColumns);
  for (const RowSource& row : rows) text += table_line(row_cells(evidence, row));
  return text;
}

/// M-64: the sums of the cells as printed.
std::string total_line(const Evidence& evidence, std::span<const RowSource> rows) {
  double ours = 0;
  double reference = 0;
  std::string unit(kNothing);
  for (const RowSource& row : rows) {
    const RowCells cells = row_cells(evidence, row);
    unit = cells[4];
    if (const auto cell = parse_figure(cells[5])) ours += cell->value;
    if (const auto cell = parse_figure(cells[6])) reference += cell->value;
  }
  RowCells cells;
  cells.fill(std::string(kNothing));
  cells[0] = "total";
  cells[4] = unit;
  cells[5] = fmt::format("{:.3f}", ours);
  cells[6] = fmt::format("{:.3f}", reference);
  return table_line(cells);
}

/// M-35: what the arms differ in, one line each; digits only in code.
std::string differences(std::span<const RowSource> rows) {
  std::string text;
  for (const RowSource& row : rows) {
    const BenchArm* ours = our_arm(row.record);
    const BenchArm* reference = reference_arm(row.record);
    if (ours == nullptr || reference == nullptr) continue;
    for (const ManifestDifference& one :
         manifest_differences(ours->manifest, reference->manifest)) {
      const std::string line =
          fmt::format("- `{}`: `{}` is `{}` for `{}` and `{}` for `{}`\n", row.row.key, one.key,
                      one.ours, ours->name, one.reference, reference->name);
      if (text.find(line) == std::string::npos) text += line;
    }
  }
  return text.empty() ? "" : "Differences between the arms:\n\n" + text + "\n";
}

/// M-55
std::string reservations(std::span<const RowSource> rows) {
  std::string text;
  for (const RowSource& row : rows) {
    for (const BenchArm& arm : row.record.arms) {
      if (arm.manifest.memory_reservation != "up front") continue;
      const std::string line = fmt::format("`{}` reserves its memory up front.\n\n", arm.name);
      if (text.find(line) == std::string::npos) text += line;
    }
  }
  return text;
}

/// M-57, M-58: a table whose printed parts sum to the printed step.
std::string attribution(const RowSource& row) {
  const BenchArm* ours = our_arm(row.record);
  if (ours == nullptr || row.row.metric != kStepMetric) return "";
  const auto found = attribution_of(row.record, ours->name);
  if (!found || found->parts.size() < 2) return "";
  std::string text = fmt::format("### Parts of {}\n\n", row.row.key);
  text += table_head(std::array<std::string_view, 2>{"part", "milliseconds"});
  double left = parse_figure(fmt::format("{:.3f}", found->step))->value;
  for (std::size_t i = 0; i + 1 < found->parts.size(); ++i) {
    const std::string cell = fmt::format("{:.3f}", found->parts[i].value);
    left -= parse_figure(cell)->value;
    text += table_line(std::array<std::string, 2>{found->parts[i].name, cell});
  }
  text +=
      table_line(std::array<std::string, 2>{found->parts.back().name, fmt::format("{:.3f}", left)});
  text += table_line(std::array<std::string, 2>{"step", fmt::format("{:.3f}", found->step)});
  return text + "\n";
}

/// M-51: what was sent.
std::string load_of(const RowSource& row) {
  const BenchArm* ours = our_arm(row.record);
  if (ours == nullptr || row.record.subject.kind != "serve") return "";
  std::vector<double> lengths;
  for (const BenchSample& sample : row.record.samples) {
    if (sample.arm != ours->name || sample.metric != "prompt_length") continue;
    lengths.insert(lengths.end(), sample.values.begin(), sample.values.end());
  }
  std::string text = fmt::format("### Prompts of {}\n\nCorpus `sha256:{}`.\n\n", row.row.key,
                                 ours->manifest.prompt_corpus_sha256);
  text += table_head(std::array<std::string_view, 2>{"tokens from", "prompts"});
  for (const auto& [first, count] : length_histogram(lengths)) {
    text += table_line(std::array<std::string, 2>{std::to_string(first), std::to_string(count)});
  }
  return text + "\n";
}

/// M-56: planned against actual bytes per kind.
std::string plan_of(const RowSource& row) {
  const BenchArm* ours = our_arm(row.record);
  if (ours == nullptr || row.record.subject.kind != "memory") return "";
  std::string text = fmt::format("### Plan of {}\n\n", row.row.key);
  text += table_head(std::array<std::string_view, 3>{"kind", "planned bytes", "actual bytes"});
  for (const MetricUnit& unit : row.record.units) {
    if (!unit.metric.starts_with(kPlannedPrefix)) continue;
    const std::string kind = unit.metric.substr(kPlannedPrefix.size());
    const auto planned = figure_of(row.record, {.arm = ours->name, .metric = unit.metric});
    const std::string name = std::string(kActualPrefix) + kind;
    const auto actual = figure_of(row.record, {.arm = ours->name, .metric = name});
    if (!planned || !actual) continue;
    text += table_line(std::array<std::string, 3>{kind, fmt::format("{:.0f}", planned->value),
                                                  fmt::format("{:.0f}", actual->value)});
  }
  return text + "\n";
}

/// The tables of single records, each record once.
std::string details(std::span<const RowSource> rows) {
  std::string text;
  for (const RowSource& row : rows) {
    for (const std::string& part : {attribution(row), load_of(row), plan_of(row)}) {
      if (part.empty() || text.find(part.substr(0, part.find('\n') + 1)) != std::string::npos) {
        continue;
      }
      text += part;
    }
  }
  return text;
}

/// M-31: attempts of this page's rows that are void.
std::string voids(const Evidence& evidence, const PlanPage& page) {
  std::string text;
  for (const auto& [path, record] : evidence.records) {
    const std::vector<Limit> reasons = void_reasons(record);
    if (reasons.empty() || !has_key(page, record.subject.key)) continue;
    text += table_line(
        std::array<std::string, 4>{record.subject.key, std::to_string(record.work.size()),
                                   reasons[0].reason, "[record](" + evidence_link(path) + ")"});
  }
  if (text.empty()) return "";
  return "## Void attempts\n\n" +
         table_head(std::array<std::string_view, 4>{"key", "repetitions", "reason", "evidence"}) +
         text + "\n";
}

}  // namespace

std::string table_line(std::span<const std::string> cells) {
  std::string line = "|";
  for (const std::string& cell : cells) line += " " + cell + " |";
  return line + "\n";
}

std::string table_head(std::span<const std::string_view> names) {
  std::string line = "|";
  std::string rule = "|";
  for (const std::string_view name : names) {
    line += " " + std::string(name) + " |";
    rule += "---|";
  }
  return line + "\n" + rule + "\n";
}

std::string page_path(std::string_view id) {
  return std::string(kPagesFolder).append(id).append(".md");
}

bool has_key(const PlanPage& page, std::string_view key) {
  return std::ranges::any_of(page.sections, [&](const PlanSection& section) {
    return std::ranges::find(section.rows, key, &PlanRow::key) != section.rows.end();
  });
}

PageRows section_rows(const Evidence& evidence, const PlanSection& section) {
  PageRows rows;
  for (const PlanRow& row : section.rows) {
    std::optional<RowSource> source = row_source(evidence, row);
    if (!source) continue;
    (row.word == kSuperseded ? rows.history : rows.current).push_back(std::move(*source));
  }
  return rows;
}

std::string write_page(const Evidence& evidence, const PlanPage& page) {
  std::string text =
      fmt::format("# {}\n\nDisposition: {}.\n\n{}\n\n", page.subject, page.disposition, page.prose);
  std::vector<RowSource> history;
  for (const PlanSection& section : page.sections) {
    PageRows rows = section_rows(evidence, section);
    text += "## " + section.heading + "\n\n";
    if (!section.prose.empty()) text += section.prose + "\n\n";
    if (!rows.current.empty()) {
      text += rows_table(evidence, rows.current);
      if (section.total) text += total_line(evidence, rows.current);
      text += "\n";
    }
    text += differences(rows.current) + reservations(rows.current) + details(rows.current);
    std::ranges::move(rows.history, std::back_inserter(history));
  }
  text += voids(evidence, page);
  if (!history.empty()) text += "## History\n\n" + rows_table(evidence, history) + "\n";
  if (!page.cannot_see.empty()) text += "## What this cannot see\n\n" + page.cannot_see + "\n";
  while (text.ends_with("\n\n")) text.pop_back();
  return text;
}

}  // namespace cairn::evidence

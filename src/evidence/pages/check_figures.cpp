// Figures and units as printed: M-32, M-39, M-43..M-48, M-57, M-58, M-64, M-71, M-72.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <set>

#include "evidence/pages/check.h"

namespace cairn::evidence {
namespace {

/// Half a unit of the last printed place, with room for the sum's own rounding.
double half_place(int decimals) { return 0.5001 * std::pow(10.0, -decimals); }

bool near(double one, double other, int decimals) {
  return std::abs(one - other) <= half_place(decimals);
}

struct RatioCells {
  Printed ours;
  Printed reference;
  Printed ratio;
};

std::optional<RatioCells> ratio_cells(const RowOnPage& row) {
  const auto ours = parse_figure(row.cell("ours"));
  const auto reference = parse_figure(row.cell("reference"));
  const auto ratio = parse_figure(row.cell("ratio"));
  if (!ours || !reference || !ratio) return std::nullopt;
  return RatioCells{.ours = *ours, .reference = *reference, .ratio = *ratio};
}

double quotient(const RatioCells& cells, bool higher) {
  return ratio_of(cells.ours.value, cells.reference.value, higher);
}

void check_direction(const RowOnPage& row, Report& report) {
  if (row.source == nullptr) return;
  const std::string_view accepted =
      is_higher_better(row.source->record, row.source->row.metric) ? "higher" : "lower";
  if (row.cell("better") == accepted) return;
  report.add(row.place(), quote(row.cell("better")), std::string(accepted));
}

/// M-45: the printed ratio is the inverse of what it should be.
void upside_down(const PagesView& view, Report& report) {
  for (const RowOnPage& row : view.rows) {
    check_direction(row, report);
    const auto cells = ratio_cells(row);
    if (!cells) continue;
    const bool higher = row.cell("better") == "higher";
    const int decimals = cells->ratio.decimals;
    if (near(quotient(*cells, higher), cells->ratio.value, decimals)) continue;
    if (!near(quotient(*cells, !higher), cells->ratio.value, decimals)) continue;
    report.add(row.place(), "the ratio " + quote(row.cell("ratio")) + " upside down",
               higher ? "ours/reference" : "reference/ours");
  }
}

/// M-46
void ratios(const PagesView& view, Report& report) {
  for (const RowOnPage& row : view.rows) {
    if (!parse_figure(row.cell("ratio"))) continue;
    const auto cells = ratio_cells(row);
    if (!cells) {
      report.add(row.place(), "a ratio beside a missing cell", "both cells");
      continue;
    }
    const std::string accepted = fmt::format(
        "{:.{}f}", quotient(*cells, row.cell("better") == "higher"), cells->ratio.decimals);
    if (row.cell("ratio") == accepted) continue;
    report.add(row.place(), quote(row.cell("ratio")), accepted + " by its cells, rounded");
  }
}

/// M-32: the cell is the figure with an ambient percentage taken off or added.
bool corrected(const PagesView& view, const RowSource& source, double shown, double figure) {
  for (const BenchSample& sample : source.record.samples) {
    const auto ambient = view.evidence.ambient.find(sample.system_baseline_digest.value_or(""));
    if (ambient == view.evidence.ambient.end()) continue;
    for (const double percent : ambient->second) {
      for (const double factor : {1 - percent / 100, 1 + percent / 100, 1 / (1 - percent / 100)}) {
        const double value = figure * factor;
        if (factor != 1 && near(shown, value, decimals_of(value))) return true;
      }
    }
  }
  return false;
}

void ambient_kept(const PagesView& view, Report& report) {
  for (const RowOnPage& row : view.rows) {
    if (row.source == nullptr) continue;
    const std::string_view unit = unit_of(row.source->record, row.source->row.metric);
    for (const CellFigure& one : cell_figures(row)) {
      const auto shown = parse_figure(row.cell(one.name));
      if (!shown || !*one.figure) continue;
      const double figure = in_unit((*one.figure)->value, unit, row.cell("unit"));
      if (near(shown->value, figure, shown->decimals)) continue;
      if (!corrected(view, *row.source, shown->value, figure)) continue;
      report.add(row.place(), quote(row.cell(one.name)),
                 print_figure(figure) + ": nothing ambient is subtracted");
    }
  }
}

/// M-39
void one_rate_unit(const PagesView& view, Report& report) {
  std::map<const MarkdownTable*, std::set<std::string>> rates;
  for (const RowOnPage& row : view.rows) {
    if (!row.cell("unit").starts_with("tokens/s")) continue;
    std::set<std::string>& found = rates[row.table];
    if (!found.insert(std::string(row.cell("unit"))).second || found.size() == 1) continue;
    report.add(row.place(), quote(row.cell("unit")) + " beside " + quote(*found.begin()),
               "total, output and decode rates in tables of their own");
  }
}

/// M-43
void inter_token_beside_chunks(const PagesView& view, Report& report) {
  for (const RowOnPage& row : view.rows) {
    if (row.cell("metric") != "itl") continue;
    bool beside = false;
    for (const MarkdownRow& other : row.table->rows) {
      beside = beside || (row.table->cell(other, "key") == row.cell("key") &&
                          row.table->cell(other, "metric") == "tokens_per_chunk");
    }
    if (!beside) report.add(row.place(), "an inter-token latency alone", "tokens per chunk beside");
  }
}

/// M-44
void enough_readings(const PagesView& view, Report& report) {
  for (const RowOnPage& row : view.rows) {
    if (row.source == nullptr) continue;
    const std::size_t needed = readings_needed(row.source->statistic);
    for (const CellFigure& one : cell_figures(row)) {
      if (!parse_figure(row.cell(one.name))) continue;
      if (*one.figure && (*one.figure)->readings >= needed) continue;
      report.add(row.place(), "a printed " + std::string(row.cell("statistic")),
                 std::to_string(needed) + " readings, or no figure");
    }
  }
}

/// M-47
void units_kept(const PagesView& view, Report& report) {
  for (const RowOnPage& row : view.rows) {
    if (row.source == nullptr) continue;
    const std::string_view unit = unit_of(row.source->record, row.source->row.metric);
    const Unit* from = find_unit(unit);
    const Unit* to = find_unit(row.cell("unit"));
    const bool bytes = from != nullptr && to != nullptr && from->bytes > 0 && to->bytes > 0;
    if (!bytes && row.cell("unit") != unit) {
      report.add(row.place(), quote(row.cell("unit")), quote(unit) + " of the record");
      continue;
    }
    if (!bytes) continue;
    for (const CellFigure& one : cell_figures(row)) {
      const auto shown = parse_figure(row.cell(one.name));
      if (!shown || !*one.figure) continue;
      const double accepted = in_unit((*one.figure)->value, unit, row.cell("unit"));
      if (near(shown->value, accepted, shown->decimals)) continue;
      report.add(row.place(), quote(row.cell(one.name)) + " " + std::string(row.cell("unit")),
                 print_figure(accepted) + " " + std::string(row.cell("unit")));
    }
  }
}

/// M-48
void absent_acceptance(const PagesView& view, Report& report) {
  for (const RowOnPage& row : view.rows) {
    if (row.source == nullptr || row.cell("metric") != "draft_acceptance") continue;
    const BenchArm* ours = our_arm(row.source->record);
    if (ours != nullptr && draft_acceptance(row.source->record, ours->name)) continue;
    if (row.cell("ours") == "absent") continue;
    report.add(row.place(), quote(row.cell("ours")), "absent: no draft was measured");
  }
}

/// The printed parts and the printed step of one table of parts.
struct PrintedParts {
  std::string place;
  double sum = 0;
  double step = 0;
  double residual = 0;
  std::string_view residual_name;
};

PrintedParts printed_parts(const std::string& path, const MarkdownTable& table) {
  PrintedParts parts = {.place = at_line(path, table.line), .residual_name = {}};
  for (const MarkdownRow& row : table.rows) {
    const auto cell = parse_figure(table.cell(row, "milliseconds"));
    const std::string_view name = table.cell(row, "part");
    const double value = cell ? cell->value : 0;
    (name == "step" ? parts.step : parts.sum) += value;
    if (name != "residual" && name != "unattributed") continue;
    parts.residual = value;
    parts.residual_name = name;
  }
  return parts;
}

std::vector<PrintedParts> all_parts(const PagesView& view) {
  std::vector<PrintedParts> all;
  for (const auto& [path, page] : view.pages) {
    for (const MarkdownTable& table : page.tables) {
      if (table.column("part") && table.column("milliseconds")) {
        all.push_back(printed_parts(path, table));
      }
    }
  }
  return all;
}

/// M-57
void parts_sum(const PagesView& view, Report& report) {
  for (const PrintedParts& parts : all_parts(view)) {
    if (near(parts.sum, parts.step, 3)) continue;
    report.add(parts.place, fmt::format("parts of {:.3f}", parts.sum),
               fmt::format("the step of {:.3f}", parts.step));
  }
}

/// M-58
void residual_named(const PagesView& view, Report& report) {
  for (const PrintedParts& parts : all_parts(view)) {
    const std::string_view accepted = rest_name(parts.residual, parts.step);
    if (parts.residual_name == accepted) continue;
    report.add(parts.place, quote(parts.residual_name), quote(accepted) + ", 5 % being the border");
  }
}

/// M-64
void totals(const PagesView& view, Report& report) {
  for (const RowOnPage& row : view.rows) {
    if (!row.is_total()) continue;
    for (const std::string_view name : {"ours", "reference"}) {
      double sum = 0;
      for (const MarkdownRow& other : row.table->rows) {
        const auto cell = parse_figure(row.table->cell(other, name));
        if (cell && row.table->cell(other, "key") != "total") sum += cell->value;
      }
      const auto total = parse_figure(row.cell(name));
      if (total && near(total->value, sum, total->decimals)) continue;
      report.add(row.place(), quote(row.cell(name)), fmt::format("{:.3f}, the sum", sum));
    }
  }
}

/// M-71
void one_envelope(const PagesView& view, Report& report) {
  std::map<const MarkdownTable*, std::string> envelopes;
  for (const RowOnPage& row : view.rows) {
    const std::string found(row.cell("envelope"));
    if (row.is_history() || found == kNothing) continue;
    const std::string& first = envelopes.emplace(row.table, found).first->second;
    if (first == found) continue;
    report.add(row.place(), quote(found) + " beside " + quote(first),
               "one envelope in a table, a curve, a ratio");
  }
  for (const auto& source : view.sources) {
    const auto candidate = view.evidence.receipts.find(source->row.evidence);
    const auto baseline = view.evidence.receipts.find(source->row.baseline.value_or(""));
    if (candidate == view.evidence.receipts.end() || baseline == view.evidence.receipts.end()) {
      continue;
    }
    if (candidate->second.envelope_id == baseline->second.envelope_id) continue;
    report.add(source->row.evidence, "a ratio over two envelopes", "one envelope");
  }
}

constexpr std::array kCheckFiguresRules = {
    PagesRule{.id = "M-32", .check = &ambient_kept},
    PagesRule{.id = "M-39", .check = &one_rate_unit},
    PagesRule{.id = "M-43", .check = &inter_token_beside_chunks},
    PagesRule{.id = "M-44", .check = &enough_readings},
    PagesRule{.id = "M-45", .check = &upside_down},
    PagesRule{.id = "M-46", .check = &ratios},
    PagesRule{.id = "M-47", .check = &units_kept},
    PagesRule{.id = "M-48", .check = &absent_acceptance},
    PagesRule{.id = "M-57", .check = &parts_sum},
    PagesRule{.id = "M-58", .check = &residual_named},
    PagesRule{.id = "M-64", .check = &totals},
    PagesRule{.id = "M-71", .check = &one_envelope},
};

}  // namespace

std::span<const PagesRule> figure_rules() { return kCheckFiguresRules; }

}  // namespace cairn::evidence

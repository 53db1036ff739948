// The cells of one row of a benchmark page.
//
// Purpose     from a plan's row and the evidence to the texts that stand on the page, and back from
//             a printed cell to its number.
// Invariants  the printed ratio is that of the two printed cells, so a reader can check it.
// Threads     pure functions.
// Adding      a column: its name in kColumns and its text in row_cells().
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "evidence/bench/standing.h"
#include "evidence/pages/evidence_tree.h"

namespace cairn::evidence {

/// The columns of every table of rows, in order.
constexpr std::array<std::string_view, 19> kColumns = {
    "key",      "metric", "statistic", "legs",     "unit",   "ours",   "reference",
    "better",   "ratio",  "standing",  "word",     "reason", "tokens", "spread",
    "envelope", "run",    "date",      "evidence", "digest"};

/// What stands where there is nothing to show.
constexpr std::string_view kNothing = "-";
constexpr int kRatioDecimals = 2;

/// The record behind a row with its control and its standing.
struct RowSource {
  const PlanRow& row;
  BenchRecord record;
  const BenchRecord* control = nullptr;
  std::string digest;
  std::string envelope;
  Standing standing;
  Statistic statistic = Statistic::kMedian;
  Legs legs = Legs::kWarm;
};

/// The source of a row, or nothing when its evidence is missing or does not read.
std::optional<RowSource> row_source(const Evidence& evidence, const PlanRow& row);

/// A value in the record's unit as one in `unit`; the same where neither counts bytes.
double in_unit(double value, std::string_view from, std::string_view to);

/// Digits of a printed figure: 1 from 100, 2 from 10, else 3.
int decimals_of(double value);
std::string print_figure(double value);

/// A printed cell's number and its decimals; nothing for a cell that starts with none.
struct Printed {
  double value = 0;
  int decimals = 0;
};
std::optional<Printed> parse_figure(std::string_view cell);

/// The ratio of two printed cells in the printed precision.
std::string print_ratio(double ours, double reference, bool higher_is_better);

/// The texts of kColumns.
using RowCells = std::array<std::string, kColumns.size()>;
RowCells row_cells(const Evidence& evidence, const RowSource& source);

/// "../evidence/`path`", the link from a page.
std::string evidence_link(std::string_view path);

}  // namespace cairn::evidence

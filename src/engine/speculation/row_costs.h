// RowCosts: what a step costs by its number of rows, to tell whether guessing ahead pays.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace cairn::engine {

/// Learned from steps of newest ids and guesses alone; a moving mean for every number of rows.
class RowCosts {
 public:
  /// Of steps with up to `rows_max` rows.
  explicit RowCosts(std::size_t rows_max) : seconds_(rows_max + 1) {}

  /// A step of `rows` rows took `seconds`. One step that was held up counts for little: more than
  /// twice what was to be expected counts as twice.
  void measured(std::size_t rows, double seconds);

  /// How many times as long a step of `to` rows takes as one of `from`, 1 or more. Numbers that
  /// were not measured lie on the line between their neighbours; with none above, what is known
  /// below counts, so that more rows are tried. 1 while nothing is known.
  double ratio(std::size_t from, std::size_t to) const;

 private:
  std::optional<double> seconds(std::size_t rows) const;

  std::vector<std::optional<double>> seconds_;  // by number of rows
};

}  // namespace cairn::engine

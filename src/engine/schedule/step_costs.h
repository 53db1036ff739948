// StepCosts: what steps cost on this machine, learned from the steps themselves.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace cairn::engine {

/// How long the gap between two tokens may become while prompts are computed beside: the larger of
/// a multiple of the gap without them and a time.
struct GapLimit {
  double factor = 3;
  double seconds = 0.025;
  double margin = 0.85;  // the share of it that is planned for: steps scatter
};

class StepCosts {
 public:
  /// For steps of up to `sequences_max` newest ids beside prompt rows.
  explicit StepCosts(std::size_t sequences_max) : decode_s_(sequences_max + 1) {}

  /// A step of `decode_rows` newest ids and `prompt_rows` rows of prompts took `seconds`.
  void measured(std::size_t decode_rows, std::size_t prompt_rows, double seconds);

  /// Seconds of a step of `decode_rows` newest ids alone, or of the nearest number measured.
  std::optional<double> decode_s(std::size_t decode_rows) const;
  /// Seconds that one more prompt row costs.
  std::optional<double> prompt_row_s() const { return prompt_row_s_; }

  /// Most prompt rows of a step with `decode_rows` newest ids, so that it keeps `limit`; `rows_max`
  /// with none of them, at least kPromptRowsMin, a quarter of `rows_max` until costs are known.
  std::size_t prompt_rows(std::size_t decode_rows, std::size_t rows_max,
                          const GapLimit& limit) const;

  /// A prompt goes on by so many rows in a step, whatever that costs the others.
  static constexpr std::size_t kPromptRowsMin = 16;

 private:
  std::vector<std::optional<double>> decode_s_;  // by number of newest ids
  std::optional<double> prompt_row_s_;
};

}  // namespace cairn::engine

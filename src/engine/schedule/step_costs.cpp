#include "engine/schedule/step_costs.h"

#include <algorithm>

namespace cairn::engine {
namespace {

constexpr double kNewest = 0.2;  // weight of the newest measurement

void learn(std::optional<double>& known, double measured) {
  known = known ? *known + kNewest * (measured - *known) : measured;
}

}  // namespace

void StepCosts::measured(std::size_t decode_rows, std::size_t prompt_rows, double seconds) {
  if (prompt_rows == 0) {
    if (decode_rows < decode_s_.size()) learn(decode_s_[decode_rows], seconds);
    return;
  }
  const double beside = decode_rows > 0 ? decode_s(decode_rows).value_or(0) : 0;
  learn(prompt_row_s_, std::max(0.0, seconds - beside) / static_cast<double>(prompt_rows));
}

std::optional<double> StepCosts::decode_s(std::size_t decode_rows) const {
  const std::size_t last = decode_s_.size() - 1;
  const std::size_t wanted = std::min(decode_rows, last);
  for (std::size_t distance = 0; distance <= last; ++distance) {
    if (wanted >= distance && decode_s_[wanted - distance]) return decode_s_[wanted - distance];
    if (wanted + distance <= last && decode_s_[wanted + distance]) {
      return decode_s_[wanted + distance];
    }
  }
  return std::nullopt;
}

std::size_t StepCosts::prompt_rows(std::size_t decode_rows, std::size_t rows_max,
                                   const GapLimit& limit) const {
  if (decode_rows == 0) return rows_max;
  const std::optional<double> decode = decode_s(decode_rows);
  const std::size_t floor = std::min(kPromptRowsMin, rows_max);
  if (!decode || !prompt_row_s_) return std::max(floor, rows_max / 4);
  const double gap = std::max(limit.factor * *decode, limit.seconds) * limit.margin;
  const double rows = std::max(0.0, gap - *decode) / std::max(*prompt_row_s_, 1e-9);
  if (rows >= static_cast<double>(rows_max)) return rows_max;
  return std::max(floor, static_cast<std::size_t>(rows));
}

}  // namespace cairn::engine

#include "engine/speculation/row_costs.h"

#include <algorithm>

namespace cairn::engine {
namespace {

constexpr double kNewestCost = 0.2;  // weight of the newest measurement
constexpr double kOutlier = 2;       // times what was expected

}  // namespace

void RowCosts::measured(std::size_t rows, double seconds) {
  if (rows >= seconds_.size()) return;
  const std::optional<double> expected = this->seconds(rows);
  if (expected && *expected > 0) seconds = std::min(seconds, kOutlier * *expected);
  std::optional<double>& known = seconds_[rows];
  known = known ? *known + kNewestCost * (seconds - *known) : seconds;
}

std::optional<double> RowCosts::seconds(std::size_t rows) const {
  const std::size_t last = seconds_.size() - 1;
  const std::size_t wanted = std::min(rows, last);
  std::size_t below = wanted;
  while (below > 0 && !seconds_[below]) --below;
  std::size_t above = wanted;
  while (above < last && !seconds_[above]) ++above;
  if (!seconds_[below]) return seconds_[above];
  if (!seconds_[above] || above == below) return seconds_[below];
  const double share = static_cast<double>(wanted - below) / static_cast<double>(above - below);
  return *seconds_[below] + share * (*seconds_[above] - *seconds_[below]);
}

double RowCosts::ratio(std::size_t from, std::size_t to) const {
  const std::optional<double> less = seconds(from);
  const std::optional<double> more = seconds(to);
  if (!less || !more || *less <= 0) return 1;
  return std::max(1.0, *more / *less);
}

}  // namespace cairn::engine

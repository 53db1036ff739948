#include "kernels/cpu/running_best.h"

#include <algorithm>
#include <limits>

namespace cairn::kernels {
namespace {

constexpr float kNone = -std::numeric_limits<float>::infinity();

}  // namespace

RunningBest::RunningBest() {
  std::fill_n(first_, kGroupRows, kNone);
  std::fill_n(second_, kGroupRows, kNone);
  std::fill_n(spoilt_, kGroupRows, 0.0F);
  std::fill_n(id_, kGroupRows, 0);
}

void RunningBest::add(std::span<const float> logits, std::size_t first) {
  float group[kGroupRows];
  std::copy(logits.begin(), logits.end(), group);
  std::fill(group + logits.size(), group + kGroupRows, kNone);
  for (std::size_t r = 0; r < logits.size(); ++r) spoilt_[r] += group[r] - group[r];
  const auto base = static_cast<TokenId>(first);
  for (std::size_t r = 0; r < kGroupRows; ++r) {
    const float value = group[r];
    const bool larger = value > first_[r];
    const float loser = larger ? first_[r] : value;
    second_[r] = loser > second_[r] ? loser : second_[r];
    id_[r] = larger ? base + static_cast<TokenId>(r) : id_[r];
    first_[r] = larger ? value : first_[r];
  }
}

BestTwo RunningBest::finish() const {
  BestTwo best{.id = 0, .first = kNone, .second = kNone};
  for (std::size_t r = 0; r < kGroupRows; ++r) {
    if (!(spoilt_[r] == 0)) best.finite = 0;
    const bool larger = first_[r] > best.first || (first_[r] == best.first && id_[r] < best.id);
    best.second = std::max({best.second, second_[r], larger ? best.first : first_[r]});
    if (!larger) continue;
    best.first = first_[r];
    best.id = id_[r];
  }
  return best;
}

BestTwo merged(const BestTwo& low, const BestTwo& high) {
  BestTwo best = high.first > low.first ? high : low;
  best.second = std::max({std::min(low.first, high.first), low.second, high.second});
  best.finite = low.finite & high.finite;
  return best;
}

}  // namespace cairn::kernels

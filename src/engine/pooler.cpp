#include "engine/pooler.h"

#include "base/status.h"

namespace cairn::engine {

bool Pooler::wants(std::size_t position) const {
  return how_ == Pooling::kMean || position == first();
}

void Pooler::add(std::size_t position, std::span<const float> state) {
  if (position == first()) {
    count_ = 0;
    sum_.assign(state.size(), 0);
  }
  CAIRN_CHECK(wants(position) && position == first() + count_ && state.size() == sum_.size());
  for (std::size_t i = 0; i < state.size(); ++i) sum_[i] += static_cast<double>(state[i]);
  ++count_;
}

std::vector<float> Pooler::vector() const {
  std::vector<float> mean;
  mean.reserve(sum_.size());
  for (const double sum : sum_) {
    mean.push_back(static_cast<float>(sum / static_cast<double>(count_)));
  }
  return mean;
}

}  // namespace cairn::engine

#include "engine/sampling/repetition_stop.h"

namespace cairn::engine {

RepetitionStop::RepetitionStop(const SamplingParams& params)
    : shortest_(static_cast<std::size_t>(params.repetition_pattern_min)),
      copies_(static_cast<std::size_t>(params.repetition_count)),
      runs_(static_cast<std::size_t>(params.repetition_pattern_max) + 1),
      recent_(static_cast<std::size_t>(params.repetition_pattern_max)) {}

bool RepetitionStop::accept(TokenId id) {
  bool repeats = false;
  for (std::size_t size = shortest_; size < runs_.size(); ++size) {
    if (taken_ < size) break;
    const bool same = recent_[(taken_ - size) % recent_.size()] == id;
    runs_[size] = same ? runs_[size] + 1 : 0;
    repeats = repeats || runs_[size] >= size * (copies_ - 1);
  }
  if (recent_.empty()) return false;
  recent_[taken_ % recent_.size()] = id;
  ++taken_;
  return repeats;
}

}  // namespace cairn::engine

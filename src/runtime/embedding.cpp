#include "runtime/embedding.h"

#include <cmath>
#include <string>

namespace cairn::runtime {

void normalize(std::span<float> vector) {
  double squares = 0;
  for (const float each : vector) squares += static_cast<double>(each) * static_cast<double>(each);
  if (squares == 0) return;
  const double length = std::sqrt(squares);
  for (float& each : vector) each = static_cast<float>(static_cast<double>(each) / length);
}

Result<std::vector<float>> PooledEmbedding::vector() const {
  const FinishReason reason = *stream_->finish_reason();
  if (reason == FinishReason::kPooled) return stream_->pooled();
  return unavailable("the vector was not finished: " + std::string(engine::name_of(reason)));
}

Result<std::vector<float>> PooledEmbedding::wait() {
  CAIRN_TRY(stream_->next().status());
  return vector();
}

Result<std::optional<std::vector<float>>> PooledEmbedding::take() {
  CAIRN_TRY(stream_->take().status());
  if (!stream_->ended()) return std::optional<std::vector<float>>();
  CAIRN_ASSIGN(std::vector<float> found, vector());
  return std::optional<std::vector<float>>(std::move(found));
}

}  // namespace cairn::runtime

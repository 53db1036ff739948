#include "engine/request.h"

#include <array>

namespace cairn::engine {

std::string_view name_of(FinishReason reason) {
  constexpr std::array<std::string_view, 8> kNames = {
      "stop", "stop", "length", "cancelled", "error", "deadline", "repetition", "pooled"};
  return kNames[static_cast<std::size_t>(reason)];
}

std::optional<ContextFull> context_full_of(std::string_view word) {
  if (word == "stop") return ContextFull::kStop;
  if (word == "shift") return ContextFull::kShift;
  if (word == "refuse") return ContextFull::kRefuse;
  return std::nullopt;
}

std::optional<Pooling> pooling_of(std::string_view word) {
  if (word == "mean") return Pooling::kMean;
  if (word == "last") return Pooling::kLast;
  if (word == "cls") return Pooling::kCls;
  return std::nullopt;
}

}  // namespace cairn::engine

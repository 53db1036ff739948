#include "engine/request.h"

#include <array>

namespace cairn::engine {

std::string_view name_of(FinishReason reason) {
  constexpr std::array<std::string_view, 7> kNames = {"stop",  "stop",     "length",    "cancelled",
                                                      "error", "deadline", "repetition"};
  return kNames[static_cast<std::size_t>(reason)];
}

std::optional<ContextFull> context_full_of(std::string_view word) {
  if (word == "stop") return ContextFull::kStop;
  if (word == "shift") return ContextFull::kShift;
  if (word == "refuse") return ContextFull::kRefuse;
  return std::nullopt;
}

}  // namespace cairn::engine

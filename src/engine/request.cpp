#include "engine/request.h"

#include <array>

namespace cairn::engine {

std::string_view name_of(FinishReason reason) {
  constexpr std::array<std::string_view, 7> kNames = {"stop",  "stop",     "length",    "cancelled",
                                                      "error", "deadline", "repetition"};
  return kNames[static_cast<std::size_t>(reason)];
}

}  // namespace cairn::engine

#include "engine/request.h"

#include <array>

namespace cairn::engine {

std::string_view name_of(FinishReason reason) {
  constexpr std::array<std::string_view, 6> kNames = {"stop",      "stop",  "length",
                                                      "cancelled", "error", "deadline"};
  return kNames[static_cast<std::size_t>(reason)];
}

}  // namespace cairn::engine

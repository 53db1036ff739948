// JSON that strangers send.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/json.h"

namespace cairn::server {

/// Most keys of one object: finding one among them takes time by their number.
constexpr std::size_t kJsonKeysMax = 1024;

/// Parses one JSON text of which two readers must not see two values.
/// Errors: kInvalidArgument as parse_json(), and for an object with a key that stands twice or with
/// more than kJsonKeysMax keys.
Result<Json> parse_strict_json(std::string_view text, int depth_max);

}  // namespace cairn::server

// JSON as commands print it.
#pragma once

#include <string>

#include "base/json.h"

namespace cairn::cli {

/// `value` on one line, or with `indent` spaces per level; bytes that are no UTF-8, as names of
/// files may hold, become U+FFFD.
inline std::string json_text(const Json& value, int indent = -1) {
  return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace cairn::cli

// What the readers of nested values share.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "server/wire/readers.h"

namespace cairn::server {

using Fault = std::optional<FieldFault>;

/// A fault at `path` with that message.
inline Fault fault(std::string message, std::string path = {}) {
  return FieldFault{.path = std::move(path), .message = std::move(message)};
}

/// "VALUE was found; EXPECTED is expected".
inline Fault wrong(const Json& value, std::string_view expected, std::string path = {}) {
  return fault(fmt::format("{} was found; {} is expected", shown(value), expected),
               std::move(path));
}

/// The member, or null where it is missing; lives as long as `object`.
const Json& member(const Json& object, const char* name);

/// A name of 1 to 128 letters, digits or _-.:/ .
bool is_function_name(const Json& value);

}  // namespace cairn::server

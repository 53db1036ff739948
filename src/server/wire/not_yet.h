// Values of fields whose effect is not there yet: read, and then answered 501 by name.
#pragma once

#include <span>
#include <string_view>

#include "server/wire/request.h"

namespace cairn::server {

/// One row per field.
struct NotYet {
  std::string_view field;
  std::string_view value;  // what is not there, in words: "true"
  bool (*asks)(const GenerationRequest& request);
};

/// Every row.
std::span<const NotYet> not_yet();

}  // namespace cairn::server

// What handlers share.
#pragma once

#include <optional>
#include <string>

#include "base/json.h"
#include "server/api/api.h"
#include "server/wire/parse.h"

namespace cairn::server {

/// A body of JSON; bytes that are no UTF-8 become U+FFFD.
Response json_response(const Json& object);

/// What is wrong with a name of a model that a request gave: 404 with the names there are.
std::optional<WireError> check_model(const ServedModel& model,
                                     const std::optional<std::string>& name);

/// The body through the table of fields, and its model; cached pages are shared within one API key
/// alone.
ParsedRequest parse_body(const Api& api, Endpoint endpoint, const Exchange& exchange);

/// An error of the runtime or the engine as the client that sent `request` knows it: with the field
/// that its message is about, where it is about one.
WireError wire_error(const GenerationRequest& request, const Status& status);

}  // namespace cairn::server

// What an answer is kept to: a JSON Schema, calls of tools, or both.
#pragma once

#include <optional>

#include "runtime/runtime.h"
#include "server/api/api.h"
#include "server/http/errors.h"
#include "server/wire/request.h"

namespace cairn::server {

/// Sets `sampling.grammar` where the request has a schema, tools that are strict or a choice of
/// tool that is a must: any endpoint whose fields are read into answer_schema, tools and
/// tool_choice. Errors: 400 for a schema, with the tool, the JSON pointer and the keyword; 501 for
/// a syntax of calls that cannot be kept to schemas.
std::optional<WireError> constrain(const Api& api, const GenerationRequest& request,
                                   runtime::SamplingParams& sampling);

}  // namespace cairn::server

// What is refused before a request runs.
#pragma once

#include "base/status.h"
#include "engine/generation.h"
#include "engine/request.h"

namespace cairn::engine {

/// Errors: kInvalidArgument naming the field, what was found and what is accepted; kTooLarge for a
/// prompt longer than the context, with both numbers.
Status check(const Request& request, const GenerationLimits& limits);

}  // namespace cairn::engine

// What a client asked for, as the runtime takes it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/runtime.h"
#include "server/http/errors.h"
#include "server/wire/fields.h"
#include "server/wire/request.h"

namespace cairn::server {

/// Sets everything of `asked` but its prompt. Errors name the field: one whose effect is not there
/// yet (501), one that contradicts another (400).
std::optional<WireError> fill(Endpoint endpoint, const GenerationRequest& request,
                              const runtime::Runtime& model, runtime::GenerateRequest& asked);

/// The prompts of a request, one for a chat.
std::vector<runtime::Prompt> prompts_of(Endpoint endpoint, const GenerationRequest& request);

/// What was used in the end, for replies that ask for it.
Json effective_params(const runtime::GenerateRequest& asked);

}  // namespace cairn::server

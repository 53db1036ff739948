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

/// What no reader of one field can see: a value whose effect is not there yet (501), variables that
/// would replace the conversation (400). Errors name the field.
std::optional<WireError> check_fields(const GenerationRequest& request);

/// Sets everything of `asked` but its prompt. Errors name the field: one whose effect is not there
/// yet (501), one that contradicts another (400).
std::optional<WireError> fill(Endpoint endpoint, const GenerationRequest& request,
                              const runtime::Runtime& model, runtime::GenerateRequest& asked);

/// Whether the model is shown tools that it may call.
bool offers_tools(const GenerationRequest& request);

/// The conversation of a request that has messages.
runtime::ChatPrompt chat_prompt(const GenerationRequest& request);

/// The prompts of a request, one for a conversation.
std::vector<runtime::Prompt> prompts_of(const GenerationRequest& request);

/// What was used in the end, for replies that ask for it.
Json effective_params(const runtime::GenerateRequest& asked);

}  // namespace cairn::server

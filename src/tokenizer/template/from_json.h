// A JSON context as values, its strings marked as input.
#pragma once

#include "base/json.h"
#include "tokenizer/template/run.h"
#include "tokenizer/template/value.h"

namespace cairn::tokenizer::jinja {

/// The context as a dict. Strings and keys are input, except under the trusted names and the
/// trusted roles of messages (see RenderOptions). Fails the run for what is not an object, nests
/// too deeply, or holds strings that are not UTF-8.
Value context_from_json(Run& run, const Json& context);

}  // namespace cairn::tokenizer::jinja

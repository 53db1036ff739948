// The functions every template can call: range, dict, namespace, cycler, joiner, raise_exception,
// strftime_now.
#pragma once

#include <string_view>

#include "tokenizer/template/value.h"

namespace cairn::tokenizer::jinja {

/// The row of a global function, or nullptr.
const Builtin* find_global(std::string_view name);

}  // namespace cairn::tokenizer::jinja

// Tokens to a tree. Source of the grammar: jinja2 3.1.6, parser.py, as its behaviour.
#pragma once

#include <string_view>

#include "base/status.h"
#include "tokenizer/template/ast.h"

namespace cairn::tokenizer::jinja {

/// Parses `source`. Errors: kInvalidArgument with line and reason, kTooLarge for nesting deeper
/// than kNestingMax (token_walk.h).
Result<Program> parse_template(std::string_view source);

}  // namespace cairn::tokenizer::jinja

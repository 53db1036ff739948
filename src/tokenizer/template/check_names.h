// Filters and tests that do not exist, found before a template runs.
#pragma once

#include "base/status.h"
#include "tokenizer/template/ast.h"

namespace cairn::tokenizer::jinja {

/// Errors: kInvalidArgument with the line of the first unknown filter or test. As in jinja2, those
/// in an `if` statement or inline if are left until they run: a template may ask first
/// ("{% if 'x' is filter %}"). A loop, macro or other block inside such an `if` is checked again.
Status check_names(const Program& program);

}  // namespace cairn::tokenizer::jinja

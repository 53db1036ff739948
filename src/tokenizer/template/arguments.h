// Binding the arguments of calls to the parameters of functions written in C++, and reading them.
#pragma once

#include <optional>
#include <string_view>

#include "tokenizer/template/run.h"
#include "tokenizer/template/value.h"

namespace cairn::tokenizer::jinja {

/// Calls `row` on `self`: binds the arguments to its parameters, or fails the run where they do
/// not fit.
Value call_builtin(Run& run, const Builtin& row, const Value& self, Arguments arguments);

/// Argument `place`: the text of a string, or null after failing the run for another type.
const Text* text_argument(Run& run, const Arguments& arguments, std::size_t place);
/// An integer that was given, or `otherwise`; fails the run for another type.
Int int_argument(Run& run, const Arguments& arguments, std::size_t place, Int otherwise);
/// The same for a place or count that Python's own functions take: fails the run past 63 bits.
Int size_argument(Run& run, const Arguments& arguments, std::size_t place, Int otherwise);
/// Truth of an argument, false when it was not given.
bool flag_argument(const Arguments& arguments, std::size_t place);

/// `value` as text the way filters take it (soft_str): a string as it is, else str(value).
Value soft_text(Run& run, const Value& value);

}  // namespace cairn::tokenizer::jinja

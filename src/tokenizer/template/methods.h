// The methods of strings, lists, dicts and loops: one table per type.
#pragma once

#include <span>

#include "tokenizer/template/value.h"

namespace cairn::tokenizer::jinja {

/// The rows of each type, in no order that matters.
std::span<const Builtin> text_methods();
std::span<const Builtin> text_searches();
std::span<const Builtin> text_classes();
std::span<const Builtin> number_methods(const Value& value);
std::span<const Builtin> list_methods();
std::span<const Builtin> dict_methods();
std::span<const Builtin> loop_methods();
std::span<const Builtin> cycler_methods();

}  // namespace cairn::tokenizer::jinja

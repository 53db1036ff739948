// The filters and tests, found by name.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tokenizer/template/run.h"
#include "tokenizer/template/value.h"

namespace cairn::tokenizer::jinja {

/// The rows of each file of filters, and of the tests.
std::span<const Builtin> text_filters();
std::span<const Builtin> markup_filters();
std::span<const Builtin> wrapping_filters();
std::span<const Builtin> number_filters();
std::span<const Builtin> sequence_filters();
std::span<const Builtin> ordering_filters();
std::span<const Builtin> selecting_filters();
std::span<const Builtin> builtin_tests();

/// The reason why there is no filter `name`: jinja2 has it and cairn not, or neither has.
std::string no_filter(std::string_view name);

/// The row of a name, or nullptr.
const Builtin* find_filter(std::string_view name);
const Builtin* find_test(std::string_view name);

/// value | name(arguments); fails the run for an unknown name.
Value apply_filter(Run& run, std::string_view name, const Value& value, Arguments arguments);
/// value is name(arguments).
bool apply_test(Run& run, std::string_view name, const Value& value, Arguments arguments);

}  // namespace cairn::tokenizer::jinja

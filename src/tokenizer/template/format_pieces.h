// What both formatters are made of: widths, padding, conversions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "tokenizer/template/format.h"
#include "tokenizer/template/run.h"
#include "tokenizer/template/value.h"

namespace cairn::tokenizer::jinja {

/// Reads digits at `at`; fails the run past kFormatWidthMax.
std::size_t read_width(Run& run, std::string_view text, std::size_t& at);

/// Adds `text` with the fill that brings it to the width; `own` is the type's alignment.
void add_padded(const Text& text, const FormatSpec& spec, char own, TextBuilder& out);

/// `bytes` as text of the template's own.
Text plain_text(std::string bytes);

/// str(value) for the conversion 's', repr(value) for 'r', ascii(value) for 'a'.
Text printed_text(Run& run, const Value& value, char conversion);

/// The first `precision` characters; all of them below 0.
Text shortened_text(Text text, int precision);

}  // namespace cairn::tokenizer::jinja

// The words of template code: how long a number, name or string is, and what it stands for.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/status.h"
#include "tokenizer/template/lexer.h"

namespace cairn::tokenizer::jinja {

/// Size of the literal or name at the start of `text` (for floats at `at`), 0 when there is none.
std::size_t float_size(std::string_view source, std::size_t at);
std::size_t integer_size(std::string_view text);
std::size_t name_size(std::string_view text);
/// With both quotes; 0 when it does not end.
std::size_t string_size(std::string_view text);

/// Sets the value of a number token from its text; false when it is too large.
bool read_number(Token& token);

/// The inside of a string literal with its escapes resolved, as Python's unicode-escape does.
/// Errors: truncated escapes, code points that are none.
Result<std::string> unescape(std::string_view inside);

}  // namespace cairn::tokenizer::jinja

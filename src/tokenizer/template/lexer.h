// Template text to tokens, white space control included.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "tokenizer/template/value.h"

namespace cairn::tokenizer::jinja {

enum class TokenKind : std::uint8_t {
  kData,
  kVariableBegin,
  kVariableEnd,
  kBlockBegin,
  kBlockEnd,
  kName,
  kString,
  kInteger,
  kFloat,
  kOperator,  // text is the operator
  kEnd,
};

/// One token; `text` is the data, the name, the operator or the string without its quotes.
struct Token {
  TokenKind kind = TokenKind::kEnd;
  int line = 1;
  std::string text = {};
  Int integer = 0;
  double floating = 0;
};

/// The error of a template's text: kInvalidArgument with the line.
Status syntax_error(int line, std::string_view reason);

/// All tokens of `source` (UTF-8), kEnd last.
/// Errors: kInvalidArgument with the line: unclosed comments, raw blocks and strings, unbalanced
/// brackets, characters and numbers that are none.
Result<std::vector<Token>> tokenize(std::string_view source);

}  // namespace cairn::tokenizer::jinja

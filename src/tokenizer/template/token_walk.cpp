#include "tokenizer/template/token_walk.h"

#include <fmt/format.h>

namespace cairn::tokenizer::jinja {

std::string describe(const Token& token) {
  switch (token.kind) {
    case TokenKind::kData:
      return "template text";
    case TokenKind::kVariableBegin:
      return "'{{'";
    case TokenKind::kVariableEnd:
      return "'}}'";
    case TokenKind::kBlockBegin:
      return "'{%'";
    case TokenKind::kBlockEnd:
      return "'%}'";
    case TokenKind::kString:
      return "a string";
    case TokenKind::kEnd:
      return "the end of the template";
    default:
      return fmt::format("'{}'", token.text);
  }
}

bool TokenWalk::at_operator(std::string_view text) const {
  return current().kind == TokenKind::kOperator && current().text == text;
}

bool TokenWalk::at_name(std::string_view text) const {
  return current().kind == TokenKind::kName && current().text == text;
}

bool TokenWalk::skip_operator(std::string_view text) {
  const bool found = at_operator(text);
  if (found) next();
  return found;
}

bool TokenWalk::skip_name(std::string_view text) {
  const bool found = at_name(text);
  if (found) next();
  return found;
}

Status TokenWalk::expect_operator(std::string_view text) {
  return skip_operator(text) ? Status() : unexpected(fmt::format("'{}'", text));
}

Status TokenWalk::expect_kind(TokenKind kind) {
  if (!at_kind(kind)) return unexpected(describe({.kind = kind}));
  next();
  return {};
}

Result<std::string> TokenWalk::expect_any_name() {
  if (!at_kind(TokenKind::kName)) return unexpected("a name");
  std::string name = current().text;
  next();
  return name;
}

Status TokenWalk::error(std::string_view reason) const { return syntax_error(line(), reason); }

Status TokenWalk::unexpected(std::string_view wanted) const {
  return error(fmt::format("expected {}, found {}", wanted, describe(current())));
}

Status TokenWalk::nesting_fits(unsigned depth) const {
  if (depth <= kNestingMax) return {};
  return too_large(
      fmt::format("chat template, line {}: nested deeper than {}", line(), kNestingMax));
}

}  // namespace cairn::tokenizer::jinja

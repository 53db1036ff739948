// What follows an operand: attributes, subscripts, slices, calls, filters and tests.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>

#include "tokenizer/template/expression_parser.h"

namespace cairn::tokenizer::jinja {

ExpressionParser::Parsed ExpressionParser::parse_postfix(ExpressionPtr node) {
  while (true) {
    if (at_operator(".")) {
      CAIRN_ASSIGN(node, parse_attribute(std::move(node)));
    } else if (at_operator("[")) {
      CAIRN_ASSIGN(node, parse_item(std::move(node)));
    } else if (at_operator("(")) {
      CAIRN_ASSIGN(node, parse_call(std::move(node)));
    } else {
      return node;
    }
  }
}

ExpressionParser::Parsed ExpressionParser::parse_attribute(ExpressionPtr node) {
  const int at_line = line();
  next();
  if (at_kind(TokenKind::kInteger)) {
    CAIRN_ASSIGN(ExpressionPtr place, parse_number());
    ExpressionPtr item = make(ExpressionKind::kItem, at_line);
    item->items.push_back(std::move(node));
    item->items.push_back(std::move(place));
    return finish(std::move(item));
  }
  ExpressionPtr attribute = make(ExpressionKind::kAttribute, at_line);
  if (!at_kind(TokenKind::kName)) return unexpected("a name or number");
  attribute->name = current().text;
  next();
  attribute->items.push_back(std::move(node));
  return finish(std::move(attribute));
}

ExpressionParser::Parsed ExpressionParser::parse_item(ExpressionPtr node) {
  const int at_line = line();
  next();
  ExpressionPtr place;
  if (!at_operator(":")) {
    CAIRN_ASSIGN(place, parse_expression());
    if (at_operator(",")) return error("subscripts with commas are not supported");
  }
  if (at_operator(":")) return parse_slice(std::move(node), std::move(place), at_line);
  CAIRN_TRY(expect_operator("]"));
  ExpressionPtr item = make(ExpressionKind::kItem, at_line);
  item->items.push_back(std::move(node));
  item->items.push_back(std::move(place));
  return finish(std::move(item));
}

ExpressionParser::Parsed ExpressionParser::parse_slice(ExpressionPtr node, ExpressionPtr begin,
                                                       int at_line) {
  ExpressionPtr slice = make(ExpressionKind::kSlice, at_line);
  slice->items.push_back(std::move(node));
  slice->items.push_back(std::move(begin));
  for (int part = 0; part < 2; ++part) {
    ExpressionPtr bound;
    if (skip_operator(":") && !at_operator(":") && !at_operator("]")) {
      CAIRN_ASSIGN(bound, parse_expression());
    }
    slice->items.push_back(std::move(bound));
  }
  CAIRN_TRY(expect_operator("]"));
  return finish(std::move(slice));
}

Status ExpressionParser::parse_argument(CallArguments& arguments) {
  const bool keyword =
      at_kind(TokenKind::kName) && ahead().kind == TokenKind::kOperator && ahead().text == "=";
  const bool dynamic = arguments.star || arguments.double_star;
  const bool misplaced = at_operator("*")               ? dynamic
                         : keyword || at_operator("**") ? arguments.double_star != nullptr
                                                        : dynamic || !arguments.keywords.empty();
  if (misplaced) return error("invalid syntax for function call expression");
  if (skip_operator("*")) {
    CAIRN_ASSIGN(arguments.star, parse_expression());
  } else if (skip_operator("**")) {
    CAIRN_ASSIGN(arguments.double_star, parse_expression());
  } else if (keyword) {
    const std::string name = current().text;
    for (const auto& [other, value] : arguments.keywords) {
      if (other == name) return error(fmt::format("keyword argument repeated: {}", name));
    }
    next();
    next();
    CAIRN_ASSIGN(ExpressionPtr value, parse_expression());
    arguments.keywords.emplace_back(name, std::move(value));
  } else {
    CAIRN_ASSIGN(ExpressionPtr value, parse_expression());
    arguments.positional.push_back(std::move(value));
  }
  return {};
}

Result<std::unique_ptr<CallArguments>> ExpressionParser::parse_arguments() {
  auto arguments = std::make_unique<CallArguments>();
  CAIRN_TRY(expect_operator("("));
  bool first = true;
  while (!at_operator(")")) {
    if (!first) CAIRN_TRY(expect_operator(","));
    first = false;
    if (at_operator(")")) break;
    CAIRN_TRY(parse_argument(*arguments));
  }
  next();
  return arguments;
}

ExpressionParser::Parsed ExpressionParser::parse_call(ExpressionPtr node) {
  ExpressionPtr call = make(ExpressionKind::kCall, line());
  CAIRN_ASSIGN(call->call, parse_arguments());
  call->items.push_back(std::move(node));
  return finish(std::move(call));
}

Result<std::string> ExpressionParser::parse_dotted_name() {
  CAIRN_ASSIGN(std::string name, expect_any_name());
  while (skip_operator(".")) {
    CAIRN_ASSIGN(const std::string part, expect_any_name());
    name += "." + part;
  }
  return name;
}

ExpressionParser::Parsed ExpressionParser::parse_filters(ExpressionPtr node, FilterStart start) {
  bool is_inline = start == FilterStart::kInline;
  while (is_inline || skip_operator("|")) {
    is_inline = false;
    ExpressionPtr filter = make(ExpressionKind::kFilter, line());
    CAIRN_ASSIGN(filter->name, parse_dotted_name());
    filter->call = std::make_unique<CallArguments>();
    if (at_operator("(")) {
      CAIRN_ASSIGN(filter->call, parse_arguments());
    }
    filter->items.push_back(std::move(node));
    CAIRN_ASSIGN(node, finish(std::move(filter)));
  }
  return node;
}

ExpressionParser::Parsed ExpressionParser::parse_filter_expression(ExpressionPtr node) {
  while (true) {
    if (at_operator("|")) {
      CAIRN_ASSIGN(node, parse_filters(std::move(node), FilterStart::kPipe));
    } else if (at_name("is")) {
      CAIRN_ASSIGN(node, parse_test(std::move(node)));
    } else if (at_operator("(")) {
      CAIRN_ASSIGN(node, parse_call(std::move(node)));
    } else {
      return node;
    }
  }
}

Result<std::unique_ptr<CallArguments>> ExpressionParser::parse_test_arguments() {
  if (at_operator("(")) return parse_arguments();
  auto arguments = std::make_unique<CallArguments>();
  const bool starts = at_kind(TokenKind::kName) || at_kind(TokenKind::kString) ||
                      at_kind(TokenKind::kInteger) || at_kind(TokenKind::kFloat) ||
                      at_operator("[") || at_operator("{");
  if (!starts || at_name("else") || at_name("or") || at_name("and")) return arguments;
  if (at_name("is")) return error("You cannot chain multiple tests with is");
  CAIRN_ASSIGN(ExpressionPtr argument, parse_primary(Target::kNone));
  CAIRN_ASSIGN(argument, parse_postfix(std::move(argument)));
  arguments->positional.push_back(std::move(argument));
  return arguments;
}

ExpressionParser::Parsed ExpressionParser::parse_test(ExpressionPtr node) {
  const int at_line = line();
  next();
  const bool negated = skip_name("not");
  ExpressionPtr test = make(ExpressionKind::kTest, at_line);
  CAIRN_ASSIGN(test->name, parse_dotted_name());
  CAIRN_ASSIGN(test->call, parse_test_arguments());
  test->items.push_back(std::move(node));
  CAIRN_ASSIGN(test, finish(std::move(test)));
  if (!negated) return test;
  ExpressionPtr inverted = make(ExpressionKind::kNot, at_line);
  inverted->items.push_back(std::move(test));
  return finish(std::move(inverted));
}

}  // namespace cairn::tokenizer::jinja

// Operators, from the loosest (if-else) to the tightest (signs).
#include <array>
#include <optional>
#include <utility>

#include "tokenizer/template/expression_parser.h"

namespace cairn::tokenizer::jinja {
namespace {

struct OperatorName {
  std::string_view text;
  Operator op = Operator::kAdd;
};

constexpr std::array<OperatorName, 6> kComparisons = {{
    {"==", Operator::kEqual},
    {"!=", Operator::kNotEqual},
    {"<", Operator::kLess},
    {"<=", Operator::kLessEqual},
    {">", Operator::kGreater},
    {">=", Operator::kGreaterEqual},
}};
constexpr std::array<OperatorName, 2> kSums = {{
    {"+", Operator::kAdd},
    {"-", Operator::kSubtract},
}};
constexpr std::array<OperatorName, 4> kProducts = {{
    {"*", Operator::kMultiply},
    {"/", Operator::kDivide},
    {"//", Operator::kFloorDivide},
    {"%", Operator::kModulo},
}};

template <std::size_t N>
std::optional<Operator> find_operator(const std::array<OperatorName, N>& rows, const Token& token) {
  if (token.kind != TokenKind::kOperator) return {};
  for (const OperatorName& row : rows) {
    if (row.text == token.text) return row.op;
  }
  return {};
}

}  // namespace

ExpressionParser::Parsed ExpressionParser::parse_expression() {
  const Level level(*this);
  CAIRN_TRY(nesting_fits(nesting()));
  CAIRN_ASSIGN(ExpressionPtr node, parse_or());
  while (skip_name("if")) {
    ExpressionPtr conditional = make(ExpressionKind::kConditional, node->line);
    CAIRN_ASSIGN(ExpressionPtr test, parse_or());
    ExpressionPtr otherwise;
    if (skip_name("else")) {
      CAIRN_ASSIGN(otherwise, parse_expression());
    }
    conditional->items.push_back(std::move(test));
    conditional->items.push_back(std::move(node));
    conditional->items.push_back(std::move(otherwise));
    CAIRN_ASSIGN(node, finish(std::move(conditional)));
  }
  return node;
}

ExpressionParser::Parsed ExpressionParser::parse_or() {
  CAIRN_ASSIGN(ExpressionPtr left, parse_and());
  while (skip_name("or")) {
    CAIRN_ASSIGN(ExpressionPtr right, parse_and());
    CAIRN_ASSIGN(left, finish_binary(ExpressionKind::kOr, Operator::kAdd, std::move(left),
                                     std::move(right)));
  }
  return left;
}

ExpressionParser::Parsed ExpressionParser::parse_and() {
  CAIRN_ASSIGN(ExpressionPtr left, parse_not());
  while (skip_name("and")) {
    CAIRN_ASSIGN(ExpressionPtr right, parse_not());
    CAIRN_ASSIGN(left, finish_binary(ExpressionKind::kAnd, Operator::kAdd, std::move(left),
                                     std::move(right)));
  }
  return left;
}

ExpressionParser::Parsed ExpressionParser::parse_not() {
  if (!at_name("not")) return parse_compare();
  const Level level(*this);
  CAIRN_TRY(nesting_fits(nesting()));
  ExpressionPtr node = make(ExpressionKind::kNot, line());
  next();
  CAIRN_ASSIGN(ExpressionPtr operand, parse_not());
  node->items.push_back(std::move(operand));
  return finish(std::move(node));
}

ExpressionParser::Parsed ExpressionParser::parse_compare() {
  ExpressionPtr node = make(ExpressionKind::kCompare, line());
  CAIRN_ASSIGN(ExpressionPtr first, parse_sum());
  node->items.push_back(std::move(first));
  while (true) {
    std::optional<Operator> op = find_operator(kComparisons, current());
    if (op) {
      next();
    } else if (skip_name("in")) {
      op = Operator::kIn;
    } else if (at_name("not") && ahead().kind == TokenKind::kName && ahead().text == "in") {
      next();
      next();
      op = Operator::kNotIn;
    }
    if (!op) break;
    node->operators.push_back(*op);
    CAIRN_ASSIGN(ExpressionPtr operand, parse_sum());
    node->items.push_back(std::move(operand));
  }
  return node->operators.empty() ? Parsed(std::move(node->items[0])) : finish(std::move(node));
}

ExpressionParser::Parsed ExpressionParser::parse_sum() {
  CAIRN_ASSIGN(ExpressionPtr left, parse_concat());
  while (const auto op = find_operator(kSums, current())) {
    next();
    CAIRN_ASSIGN(ExpressionPtr right, parse_concat());
    CAIRN_ASSIGN(left,
                 finish_binary(ExpressionKind::kBinary, *op, std::move(left), std::move(right)));
  }
  return left;
}

ExpressionParser::Parsed ExpressionParser::parse_concat() {
  ExpressionPtr node = make(ExpressionKind::kConcat, line());
  CAIRN_ASSIGN(ExpressionPtr first, parse_product());
  if (!at_operator("~")) return first;
  node->items.push_back(std::move(first));
  while (skip_operator("~")) {
    CAIRN_ASSIGN(ExpressionPtr part, parse_product());
    node->items.push_back(std::move(part));
  }
  return finish(std::move(node));
}

ExpressionParser::Parsed ExpressionParser::parse_product() {
  CAIRN_ASSIGN(ExpressionPtr left, parse_power());
  while (const auto op = find_operator(kProducts, current())) {
    next();
    CAIRN_ASSIGN(ExpressionPtr right, parse_power());
    CAIRN_ASSIGN(left,
                 finish_binary(ExpressionKind::kBinary, *op, std::move(left), std::move(right)));
  }
  return left;
}

ExpressionParser::Parsed ExpressionParser::parse_power() {
  CAIRN_ASSIGN(ExpressionPtr left, parse_unary(Filters::kAllowed));
  while (skip_operator("**")) {
    CAIRN_ASSIGN(ExpressionPtr right, parse_unary(Filters::kAllowed));
    CAIRN_ASSIGN(left, finish_binary(ExpressionKind::kBinary, Operator::kPower, std::move(left),
                                     std::move(right)));
  }
  return left;
}

ExpressionParser::Parsed ExpressionParser::parse_unary(Filters filters) {
  const Level level(*this);
  CAIRN_TRY(nesting_fits(nesting()));
  ExpressionPtr node;
  if (at_operator("-") || at_operator("+")) {
    const ExpressionKind kind = at_operator("-") ? ExpressionKind::kNegate : ExpressionKind::kPlus;
    ExpressionPtr sign = make(kind, line());
    next();
    CAIRN_ASSIGN(ExpressionPtr operand, parse_unary(Filters::kNot));
    sign->items.push_back(std::move(operand));
    CAIRN_ASSIGN(node, finish(std::move(sign)));
  } else {
    CAIRN_ASSIGN(node, parse_primary(Target::kNone));
  }
  CAIRN_ASSIGN(node, parse_postfix(std::move(node)));
  return filters == Filters::kAllowed ? parse_filter_expression(std::move(node))
                                      : Parsed(std::move(node));
}

}  // namespace cairn::tokenizer::jinja

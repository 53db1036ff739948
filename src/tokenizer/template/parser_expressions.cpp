#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "tokenizer/template/parser.h"

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

Value text_constant(std::string bytes) {
  auto text = std::make_shared<Text>();
  text->bytes = std::move(bytes);
  return Value(std::shared_ptr<const Text>(std::move(text)));
}

unsigned deepest(const CallArguments& call) {
  unsigned depth = 0;
  const auto look = [&depth](const ExpressionPtr& part) {
    if (part) depth = std::max(depth, part->depth);
  };
  for (const ExpressionPtr& part : call.positional) look(part);
  for (const auto& [name, part] : call.keywords) look(part);
  look(call.star);
  look(call.double_star);
  return depth;
}

}  // namespace

ExpressionPtr ExpressionParser::make(ExpressionKind kind, int at_line) const {
  auto node = std::make_unique<Expression>();
  node->kind = kind;
  node->line = at_line;
  return node;
}

ExpressionParser::Parsed ExpressionParser::finish(ExpressionPtr node) const {
  unsigned depth = node->call ? deepest(*node->call) : 0;
  for (const ExpressionPtr& part : node->items) {
    if (part) depth = std::max(depth, part->depth);
  }
  node->depth = depth + 1;
  CAIRN_TRY(nesting_fits(node->depth));
  return node;
}

ExpressionParser::Parsed ExpressionParser::finish_binary(ExpressionKind kind, Operator op,
                                                         ExpressionPtr left, ExpressionPtr right) {
  ExpressionPtr node = make(kind, left->line);
  node->operators.push_back(op);
  node->items.push_back(std::move(left));
  node->items.push_back(std::move(right));
  return finish(std::move(node));
}

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

ExpressionParser::Parsed ExpressionParser::parse_primary(Target target) {
  switch (current().kind) {
    case TokenKind::kName:
      return parse_name(target);
    case TokenKind::kString:
      return parse_string();
    case TokenKind::kInteger:
    case TokenKind::kFloat:
      return parse_number();
    default:
      break;
  }
  if (at_operator("[")) return parse_list();
  if (at_operator("{")) return parse_dict();
  if (!skip_operator("(")) return unexpected("an expression");
  CAIRN_ASSIGN(ExpressionPtr node, parse_tuple({.parentheses = Parentheses::kExplicit}));
  CAIRN_TRY(expect_operator(")"));
  return node;
}

void ExpressionParser::mention(std::string_view name) {
  for (Mentions& seen : mentions_) {
    seen.caller = seen.caller || name == "caller";
    seen.varargs = seen.varargs || name == "varargs";
    seen.kwargs = seen.kwargs || name == "kwargs";
  }
}

ExpressionParser::Parsed ExpressionParser::parse_name(Target target) {
  ExpressionPtr node = make(ExpressionKind::kConstant, line());
  const std::string name = current().text;
  next();
  if (name == "true" || name == "True" || name == "false" || name == "False") {
    node->constant = Value(name == "true" || name == "True");
  } else if (name == "none" || name == "None") {
    node->constant = Value(NoneTag());
  } else {
    node->kind = ExpressionKind::kName;
    node->name = name;
    mention(name);
  }
  if (node->kind == ExpressionKind::kName && target == Target::kFields && skip_operator(".")) {
    node->kind = ExpressionKind::kNamespaceField;
    CAIRN_ASSIGN(node->field, expect_any_name());
  }
  return finish(std::move(node));
}

ExpressionParser::Parsed ExpressionParser::parse_string() {
  ExpressionPtr node = make(ExpressionKind::kConstant, line());
  std::string text;
  for (; at_kind(TokenKind::kString); next()) text += current().text;
  node->constant = text_constant(std::move(text));
  return finish(std::move(node));
}

ExpressionParser::Parsed ExpressionParser::parse_number() {
  ExpressionPtr node = make(ExpressionKind::kConstant, line());
  node->constant =
      at_kind(TokenKind::kInteger) ? Value(current().integer) : Value(current().floating);
  next();
  return finish(std::move(node));
}

bool ExpressionParser::tuple_ends(const TupleRules& rules) const {
  return at_kind(TokenKind::kVariableEnd) || at_kind(TokenKind::kBlockEnd) || at_operator(")") ||
         (!rules.end_name.empty() && at_name(rules.end_name));
}

ExpressionParser::Parsed ExpressionParser::parse_tuple(const TupleRules& rules) {
  ExpressionPtr tuple = make(ExpressionKind::kTuple, line());
  bool is_tuple = false;
  while (!tuple_ends(rules)) {
    Parsed part = rules.target != Target::kNone                ? parse_primary(rules.target)
                  : rules.conditional == Conditional::kAllowed ? parse_expression()
                                                               : parse_or();
    if (!part.ok()) return part;
    tuple->items.push_back(std::move(part).value());
    if (!skip_operator(",")) break;
    is_tuple = true;
  }
  if (!is_tuple && !tuple->items.empty()) return std::move(tuple->items[0]);
  if (!is_tuple && rules.parentheses == Parentheses::kNone) return unexpected("an expression");
  return finish(std::move(tuple));
}

Status ExpressionParser::check_target(const Expression& target) const {
  switch (target.kind) {
    case ExpressionKind::kName:
    case ExpressionKind::kNamespaceField:
      return {};
    case ExpressionKind::kTuple:
      for (const ExpressionPtr& part : target.items) CAIRN_TRY(check_target(*part));
      return {};
    default:
      return syntax_error(target.line, "can't assign here: expected a name, or names by commas");
  }
}

ExpressionParser::Parsed ExpressionParser::parse_target(Target kind, std::string_view end_name) {
  CAIRN_ASSIGN(ExpressionPtr target, parse_tuple({.target = kind, .end_name = end_name}));
  CAIRN_TRY(check_target(*target));
  return target;
}

ExpressionParser::Parsed ExpressionParser::parse_list() {
  ExpressionPtr node = make(ExpressionKind::kList, line());
  next();
  while (!at_operator("]")) {
    if (!node->items.empty()) CAIRN_TRY(expect_operator(","));
    if (at_operator("]")) break;
    CAIRN_ASSIGN(ExpressionPtr item, parse_expression());
    node->items.push_back(std::move(item));
  }
  next();
  return finish(std::move(node));
}

ExpressionParser::Parsed ExpressionParser::parse_dict() {
  ExpressionPtr node = make(ExpressionKind::kDict, line());
  next();
  while (!at_operator("}")) {
    if (!node->items.empty()) CAIRN_TRY(expect_operator(","));
    if (at_operator("}")) break;
    CAIRN_ASSIGN(ExpressionPtr key, parse_expression());
    CAIRN_TRY(expect_operator(":"));
    CAIRN_ASSIGN(ExpressionPtr value, parse_expression());
    node->items.push_back(std::move(key));
    node->items.push_back(std::move(value));
  }
  next();
  return finish(std::move(node));
}

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

// Names, literals, brackets and the targets of assignments; the nodes of the tree.
#include <algorithm>
#include <utility>

#include "tokenizer/template/expression_parser.h"

namespace cairn::tokenizer::jinja {
namespace {

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

}  // namespace cairn::tokenizer::jinja

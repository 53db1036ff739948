#include "tokenizer/template/check_names.h"

#include <fmt/format.h>

#include "tokenizer/template/filters.h"
#include "tokenizer/template/lexer.h"

namespace cairn::tokenizer::jinja {
namespace {

/// Whether an unknown name is refused at once or only where it runs.
enum class Names : std::uint8_t { kChecked, kLeft };

Status check(const ExpressionPtr& expression, Names names);

Status check_call(const CallArguments& call, Names names) {
  for (const ExpressionPtr& value : call.positional) CAIRN_TRY(check(value, names));
  for (const auto& [name, value] : call.keywords) CAIRN_TRY(check(value, names));
  CAIRN_TRY(check(call.star, names));
  return check(call.double_star, names);
}

Status check(const ExpressionPtr& expression, Names names) {
  if (!expression) return {};
  const Expression& node = *expression;
  const Names inner = node.kind == ExpressionKind::kConditional ? Names::kLeft : names;
  for (const ExpressionPtr& part : node.items) CAIRN_TRY(check(part, inner));
  if (node.call) CAIRN_TRY(check_call(*node.call, inner));
  if (inner == Names::kLeft) return {};
  if (node.kind == ExpressionKind::kFilter && find_filter(node.name) == nullptr) {
    return syntax_error(node.line, no_filter(node.name));
  }
  if (node.kind == ExpressionKind::kTest && find_test(node.name) == nullptr) {
    return syntax_error(node.line, fmt::format("no test named '{}'", node.name));
  }
  return {};
}

Status check(const Body& body, Names names);

Status check(const Statement& statement, Names names) {
  const bool chooses = statement.kind == StatementKind::kIf;
  const Names around = chooses ? Names::kLeft : names;
  CAIRN_TRY(check(statement.target, around));
  // The filters of a filter or set block are checked like its body.
  const bool filters =
      statement.kind == StatementKind::kFilterBlock || statement.kind == StatementKind::kSetBlock;
  CAIRN_TRY(check(statement.value, filters ? Names::kChecked : around));
  CAIRN_TRY(check(statement.test, Names::kChecked));
  for (const ExpressionPtr& part : statement.expressions) CAIRN_TRY(check(part, around));
  for (const Parameter& parameter : statement.parameters) {
    CAIRN_TRY(check(parameter.fallback, Names::kChecked));
  }
  const Names inside = chooses ? Names::kLeft : Names::kChecked;
  for (const Body& branch : statement.branches) CAIRN_TRY(check(branch, inside));
  CAIRN_TRY(check(statement.body, inside));
  return check(statement.otherwise, inside);
}

Status check(const Body& body, Names names) {
  for (const StatementPtr& statement : body) CAIRN_TRY(check(*statement, names));
  return {};
}

}  // namespace

Status check_names(const Program& program) { return check(program.body, Names::kChecked); }

}  // namespace cairn::tokenizer::jinja

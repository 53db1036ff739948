// Statements whose body is a function: macro, call and generation.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tokenizer/template/statement_parser.h"

namespace cairn::tokenizer::jinja {

Status StatementParser::parse_function_body(Statement& statement, std::string_view end) {
  const unsigned loops = std::exchange(loops_, 0);
  mentions_.emplace_back();
  Status status = parse_whole_block(statement.body, end);
  const Mentions seen = mentions_.back();
  mentions_.pop_back();
  loops_ = loops;
  const auto takes = [&statement](std::string_view name) {
    return std::none_of(statement.parameters.begin(), statement.parameters.end(),
                        [name](const Parameter& parameter) { return parameter.name == name; });
  };
  statement.takes_caller = seen.caller && takes("caller");
  statement.takes_varargs = seen.varargs && takes("varargs");
  statement.takes_kwargs = seen.kwargs && takes("kwargs");
  return status;
}

Status StatementParser::parse_parameters(Statement& statement) {
  CAIRN_TRY(expect_operator("("));
  while (!at_operator(")")) {
    if (!statement.parameters.empty()) CAIRN_TRY(expect_operator(","));
    Parameter parameter;
    CAIRN_ASSIGN(parameter.name, expect_any_name());
    for (const Parameter& other : statement.parameters) {
      if (other.name == parameter.name) {
        return error(fmt::format("duplicate argument '{}'", parameter.name));
      }
    }
    if (skip_operator("=")) {
      CAIRN_ASSIGN(parameter.fallback, parse_expression());
    } else if (!statement.parameters.empty() && statement.parameters.back().fallback) {
      return error("non-default argument follows default argument");
    }
    statement.parameters.push_back(std::move(parameter));
  }
  next();
  return {};
}

StatementParser::Made StatementParser::parse_macro(StatementPtr statement) {
  statement->kind = StatementKind::kMacro;
  CAIRN_ASSIGN(statement->name, expect_any_name());
  CAIRN_TRY(parse_parameters(*statement));
  CAIRN_TRY(parse_function_body(*statement, "endmacro"));
  return statement;
}

StatementParser::Made StatementParser::parse_call_block(StatementPtr statement) {
  statement->kind = StatementKind::kCallBlock;
  statement->name = "caller";
  if (at_operator("(")) CAIRN_TRY(parse_parameters(*statement));
  CAIRN_ASSIGN(statement->value, parse_expression());
  if (statement->value->kind != ExpressionKind::kCall) return error("expected a call");
  CAIRN_TRY(parse_function_body(*statement, "endcall"));
  return statement;
}

StatementParser::Made StatementParser::parse_generation(StatementPtr statement) {
  statement->kind = StatementKind::kGeneration;
  CAIRN_TRY(parse_function_body(*statement, "endgeneration"));
  return statement;
}

}  // namespace cairn::tokenizer::jinja

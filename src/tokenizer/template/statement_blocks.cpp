// Statements: for, if, set, filter, with, print, break and continue.
#include <fmt/format.h>

#include <utility>

#include "tokenizer/template/statement_parser.h"

namespace cairn::tokenizer::jinja {

StatementParser::Made StatementParser::parse_for(StatementPtr statement) {
  statement->kind = StatementKind::kFor;
  CAIRN_ASSIGN(statement->target, parse_target(Target::kNames, "in"));
  CAIRN_TRY(check_loop_target(*statement->target));
  if (!skip_name("in")) return unexpected("'in'");
  CAIRN_ASSIGN(statement->value,
               parse_tuple({.conditional = Conditional::kNot, .end_name = "recursive"}));
  if (skip_name("if")) {
    CAIRN_ASSIGN(statement->test, parse_expression());
  }
  statement->recursive = skip_name("recursive");
  ++loops_;
  const Status body = parse_block(statement->body, {"endfor", "else"});
  --loops_;
  CAIRN_TRY(body);
  if (skip_name("else")) {
    CAIRN_TRY(parse_whole_block(statement->otherwise, "endfor"));
  } else {
    next();
  }
  return statement;
}

Status StatementParser::check_loop_target(const Expression& target) const {
  if (target.kind == ExpressionKind::kName && target.name == "loop") {
    return syntax_error(target.line, "can't assign to special loop variable in for-loop target");
  }
  for (const ExpressionPtr& part : target.items) CAIRN_TRY(check_loop_target(*part));
  return {};
}

StatementParser::Made StatementParser::parse_if(StatementPtr statement) {
  statement->kind = StatementKind::kIf;
  do {
    CAIRN_ASSIGN(ExpressionPtr test, parse_tuple({.conditional = Conditional::kNot}));
    statement->expressions.push_back(std::move(test));
    CAIRN_TRY(parse_block(statement->branches.emplace_back(), {"elif", "else", "endif"}));
  } while (skip_name("elif"));
  if (skip_name("else")) {
    CAIRN_TRY(parse_whole_block(statement->otherwise, "endif"));
  } else {
    next();
  }
  return statement;
}

StatementParser::Made StatementParser::parse_set(StatementPtr statement) {
  CAIRN_ASSIGN(statement->target, parse_target(Target::kFields, {}));
  if (skip_operator("=")) {
    statement->kind = StatementKind::kSet;
    CAIRN_ASSIGN(statement->value, parse_tuple({}));
    return statement;
  }
  statement->kind = StatementKind::kSetBlock;
  CAIRN_ASSIGN(statement->value, parse_filters(nullptr, FilterStart::kPipe));
  CAIRN_TRY(parse_whole_block(statement->body, "endset"));
  return statement;
}

StatementParser::Made StatementParser::parse_filter_block(StatementPtr statement) {
  statement->kind = StatementKind::kFilterBlock;
  CAIRN_ASSIGN(statement->value, parse_filters(nullptr, FilterStart::kInline));
  CAIRN_TRY(parse_whole_block(statement->body, "endfilter"));
  return statement;
}

StatementParser::Made StatementParser::parse_with(StatementPtr statement) {
  statement->kind = StatementKind::kWith;
  while (!at_kind(TokenKind::kBlockEnd)) {
    if (!statement->expressions.empty()) CAIRN_TRY(expect_operator(","));
    CAIRN_ASSIGN(ExpressionPtr target, parse_target(Target::kNames, {}));
    CAIRN_TRY(expect_operator("="));
    CAIRN_ASSIGN(ExpressionPtr value, parse_expression());
    statement->expressions.push_back(std::move(target));
    statement->expressions.push_back(std::move(value));
  }
  CAIRN_TRY(parse_whole_block(statement->body, "endwith"));
  return statement;
}

StatementParser::Made StatementParser::parse_print(StatementPtr statement) {
  statement->kind = StatementKind::kOutput;
  while (!at_kind(TokenKind::kBlockEnd)) {
    if (!statement->expressions.empty()) CAIRN_TRY(expect_operator(","));
    CAIRN_ASSIGN(ExpressionPtr value, parse_expression());
    statement->expressions.push_back(std::move(value));
  }
  return statement;
}

StatementParser::Made StatementParser::parse_jump(StatementPtr statement, StatementKind kind) {
  statement->kind = kind;
  if (loops_ == 0) return error(fmt::format("'{}' outside loop", open_tags_.back()));
  return statement;
}

StatementParser::Made StatementParser::parse_break(StatementPtr statement) {
  return parse_jump(std::move(statement), StatementKind::kBreak);
}

StatementParser::Made StatementParser::parse_continue(StatementPtr statement) {
  return parse_jump(std::move(statement), StatementKind::kContinue);
}

}  // namespace cairn::tokenizer::jinja

// Statements: the half of the parser above the expressions. Its functions stand in three files:
// parser.cpp (bodies and the choice of a tag), statement_blocks.cpp (for, if, set, with, ...) and
// statement_macros.cpp (macro, call and what they share).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "tokenizer/template/ast.h"
#include "tokenizer/template/expression_parser.h"

namespace cairn::tokenizer::jinja {

/// Parses one template.
class StatementParser : public ExpressionParser {
 public:
  using ExpressionParser::ExpressionParser;

  /// The whole template. Errors: as parse_template().
  Result<Program> run();

 private:
  using Ends = std::vector<std::string_view>;
  using Made = Result<StatementPtr>;

  /// A tag and the function that parses what follows its name.
  struct Row {
    std::string_view name;
    Made (StatementParser::*parse)(StatementPtr) = nullptr;
  };

  StatementPtr make(StatementKind kind) const;
  bool at_end_tag(const Ends& ends) const;

  /// Statements up to one of `ends` (which stays the current token) or, without any, to the end.
  Status parse_body(Body& body, const Ends& ends);
  void parse_data(Body& body);
  Status parse_output(Body& body);
  Made parse_statement(const Ends& ends);
  Status unknown_tag(const Ends& ends) const;
  /// ":"? "%}" and the statements up to one of `ends`.
  Status parse_block(Body& body, const Ends& ends);
  /// A block with one end tag, which is taken.
  Status parse_whole_block(Body& body, std::string_view end);

  Made parse_for(StatementPtr statement);
  Status check_loop_target(const Expression& target) const;
  Made parse_if(StatementPtr statement);
  Made parse_set(StatementPtr statement);
  Made parse_filter_block(StatementPtr statement);
  Made parse_with(StatementPtr statement);
  Made parse_print(StatementPtr statement);
  Made parse_jump(StatementPtr statement, StatementKind kind);
  Made parse_break(StatementPtr statement);
  Made parse_continue(StatementPtr statement);

  /// A block whose body is a function of its own: no break out of it.
  Status parse_function_body(Statement& statement, std::string_view end);
  Status parse_parameters(Statement& statement);
  Made parse_macro(StatementPtr statement);
  Made parse_call_block(StatementPtr statement);
  Made parse_generation(StatementPtr statement);

  std::vector<std::string> open_tags_;
  unsigned loops_ = 0;
};

}  // namespace cairn::tokenizer::jinja

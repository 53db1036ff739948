#include "tokenizer/template/parser.h"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace cairn::tokenizer::jinja {
namespace {

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

class Parser : public ExpressionParser {
 public:
  using ExpressionParser::ExpressionParser;

  Result<Program> run() {
    Program program;
    CAIRN_TRY(parse_body(program.body, {}));
    return program;
  }

 private:
  using Ends = std::vector<std::string_view>;
  using Made = Result<StatementPtr>;

  /// A tag and the function that parses what follows its name.
  struct Row {
    std::string_view name;
    Made (Parser::*parse)(StatementPtr) = nullptr;
  };

  StatementPtr make(StatementKind kind) const {
    auto statement = std::make_unique<Statement>();
    statement->kind = kind;
    statement->line = line();
    return statement;
  }

  bool at_end_tag(const Ends& ends) const {
    return std::any_of(ends.begin(), ends.end(),
                       [this](std::string_view name) { return at_name(name); });
  }

  static std::string listed(const Ends& ends) { return fmt::format("{}", fmt::join(ends, " or ")); }

  /// Statements up to one of `ends` (which stays the current token) or, without any, to the end.
  Status parse_body(Body& body, const Ends& ends) {
    const Level level(*this);
    CAIRN_TRY(nesting_fits(nesting()));
    while (!at_kind(TokenKind::kEnd)) {
      if (at_kind(TokenKind::kData)) {
        body.push_back(make(StatementKind::kData));
        auto text = std::make_shared<Text>();
        text->bytes = current().text;
        body.back()->text = Value(std::shared_ptr<const Text>(std::move(text)));
        next();
      } else if (at_kind(TokenKind::kVariableBegin)) {
        CAIRN_TRY(parse_output(body));
      } else {
        CAIRN_TRY(expect_kind(TokenKind::kBlockBegin));
        if (at_end_tag(ends)) return {};
        CAIRN_ASSIGN(StatementPtr statement, parse_statement(ends));
        body.push_back(std::move(statement));
        CAIRN_TRY(expect_kind(TokenKind::kBlockEnd));
      }
    }
    if (ends.empty()) return {};
    return error(fmt::format("unexpected end of template: looking for {}, innermost open tag '{}'",
                             listed(ends), open_tags_.empty() ? "" : open_tags_.back()));
  }

  Status parse_output(Body& body) {
    StatementPtr output = make(StatementKind::kOutput);
    next();
    CAIRN_ASSIGN(ExpressionPtr value, parse_tuple({}));
    CAIRN_TRY(expect_kind(TokenKind::kVariableEnd));
    output->expressions.push_back(std::move(value));
    body.push_back(std::move(output));
    return {};
  }

  Made parse_statement(const Ends& ends) {
    static constexpr std::array<Row, 14> kRows = {{
        {"for", &Parser::parse_for},
        {"if", &Parser::parse_if},
        {"set", &Parser::parse_set},
        {"macro", &Parser::parse_macro},
        {"call", &Parser::parse_call_block},
        {"filter", &Parser::parse_filter_block},
        {"with", &Parser::parse_with},
        {"print", &Parser::parse_print},
        {"generation", &Parser::parse_generation},
        {"break", &Parser::parse_break},
        {"continue", &Parser::parse_continue},
    }};
    if (!at_kind(TokenKind::kName)) return error("tag name expected, found " + describe(current()));
    for (const Row& row : kRows) {
      if (row.parse == nullptr || !at_name(row.name)) continue;
      open_tags_.emplace_back(row.name);
      StatementPtr statement = make(StatementKind::kData);
      next();
      Made made = (this->*row.parse)(std::move(statement));
      open_tags_.pop_back();
      return made;
    }
    static constexpr std::array<std::string_view, 6> kRefused = {"block",  "extends", "include",
                                                                 "import", "from",    "autoescape"};
    for (const std::string_view name : kRefused) {
      if (at_name(name)) return error(fmt::format("the tag '{}' is not supported", name));
    }
    std::string reason = fmt::format("encountered unknown tag '{}'", current().text);
    if (!ends.empty()) reason += fmt::format(": looking for {}", listed(ends));
    return error(reason);
  }

  /// ":"? "%}" and the statements up to one of `ends`.
  Status parse_block(Body& body, const Ends& ends) {
    skip_operator(":");
    CAIRN_TRY(expect_kind(TokenKind::kBlockEnd));
    return parse_body(body, ends);
  }

  /// A block with one end tag, which is taken.
  Status parse_whole_block(Body& body, std::string_view end) {
    CAIRN_TRY(parse_block(body, {end}));
    next();
    return {};
  }

  /// The same for a body that is a function of its own: no break out of it.
  Status parse_function_body(Statement& statement, std::string_view end) {
    const unsigned loops = std::exchange(loops_, 0);
    mentions_.emplace_back();
    const Status status = parse_whole_block(statement.body, end);
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

  Made parse_for(StatementPtr statement) {
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

  Status check_loop_target(const Expression& target) const {
    if (target.kind == ExpressionKind::kName && target.name == "loop") {
      return syntax_error(target.line, "can't assign to special loop variable in for-loop target");
    }
    for (const ExpressionPtr& part : target.items) CAIRN_TRY(check_loop_target(*part));
    return {};
  }

  Made parse_if(StatementPtr statement) {
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

  Made parse_set(StatementPtr statement) {
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

  Status parse_parameters(Statement& statement) {
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

  Made parse_macro(StatementPtr statement) {
    statement->kind = StatementKind::kMacro;
    CAIRN_ASSIGN(statement->name, expect_any_name());
    CAIRN_TRY(parse_parameters(*statement));
    CAIRN_TRY(parse_function_body(*statement, "endmacro"));
    return statement;
  }

  Made parse_call_block(StatementPtr statement) {
    statement->kind = StatementKind::kCallBlock;
    statement->name = "caller";
    if (at_operator("(")) CAIRN_TRY(parse_parameters(*statement));
    CAIRN_ASSIGN(statement->value, parse_expression());
    if (statement->value->kind != ExpressionKind::kCall) return error("expected a call");
    CAIRN_TRY(parse_function_body(*statement, "endcall"));
    return statement;
  }

  Made parse_filter_block(StatementPtr statement) {
    statement->kind = StatementKind::kFilterBlock;
    CAIRN_ASSIGN(statement->value, parse_filters(nullptr, FilterStart::kInline));
    CAIRN_TRY(parse_whole_block(statement->body, "endfilter"));
    return statement;
  }

  Made parse_with(StatementPtr statement) {
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

  Made parse_print(StatementPtr statement) {
    statement->kind = StatementKind::kOutput;
    while (!at_kind(TokenKind::kBlockEnd)) {
      if (!statement->expressions.empty()) CAIRN_TRY(expect_operator(","));
      CAIRN_ASSIGN(ExpressionPtr value, parse_expression());
      statement->expressions.push_back(std::move(value));
    }
    return statement;
  }

  Made parse_generation(StatementPtr statement) {
    statement->kind = StatementKind::kGeneration;
    CAIRN_TRY(parse_function_body(*statement, "endgeneration"));
    return statement;
  }

  Made parse_jump(StatementPtr statement, StatementKind kind) {
    statement->kind = kind;
    if (loops_ == 0) return error(fmt::format("'{}' outside loop", open_tags_.back()));
    return statement;
  }
  Made parse_break(StatementPtr s) { return parse_jump(std::move(s), StatementKind::kBreak); }
  Made parse_continue(StatementPtr s) { return parse_jump(std::move(s), StatementKind::kContinue); }

  std::vector<std::string> open_tags_;
  unsigned loops_ = 0;
};

}  // namespace

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

Result<Program> parse_template(std::string_view source) {
  CAIRN_ASSIGN(std::vector<Token> tokens, tokenize(source));
  return Parser(std::move(tokens)).run();
}

}  // namespace cairn::tokenizer::jinja

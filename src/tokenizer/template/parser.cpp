#include "tokenizer/template/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "tokenizer/template/check_names.h"
#include "tokenizer/template/statement_parser.h"

namespace cairn::tokenizer::jinja {
namespace {

std::string listed(const std::vector<std::string_view>& ends) {
  return fmt::format("{}", fmt::join(ends, " or "));
}

}  // namespace

Result<Program> StatementParser::run() {
  Program program;
  CAIRN_TRY(parse_body(program.body, {}));
  return program;
}

StatementPtr StatementParser::make(StatementKind kind) const {
  auto statement = std::make_unique<Statement>();
  statement->kind = kind;
  statement->line = line();
  return statement;
}

bool StatementParser::at_end_tag(const Ends& ends) const {
  return std::any_of(ends.begin(), ends.end(),
                     [this](std::string_view name) { return at_name(name); });
}

Status StatementParser::parse_body(Body& body, const Ends& ends) {
  const Level level(*this);
  CAIRN_TRY(nesting_fits(nesting()));
  while (!at_kind(TokenKind::kEnd)) {
    if (at_kind(TokenKind::kData)) {
      parse_data(body);
      continue;
    }
    if (at_kind(TokenKind::kVariableBegin)) {
      CAIRN_TRY(parse_output(body));
      continue;
    }
    CAIRN_TRY(expect_kind(TokenKind::kBlockBegin));
    if (at_end_tag(ends)) return {};
    CAIRN_ASSIGN(StatementPtr statement, parse_statement(ends));
    body.push_back(std::move(statement));
    CAIRN_TRY(expect_kind(TokenKind::kBlockEnd));
  }
  if (ends.empty()) return {};
  return error(fmt::format("unexpected end of template: looking for {}, innermost open tag '{}'",
                           listed(ends), open_tags_.empty() ? "" : open_tags_.back()));
}

void StatementParser::parse_data(Body& body) {
  body.push_back(make(StatementKind::kData));
  auto text = std::make_shared<Text>();
  text->bytes = current().text;
  body.back()->text = Value(std::shared_ptr<const Text>(std::move(text)));
  next();
}

Status StatementParser::parse_output(Body& body) {
  StatementPtr output = make(StatementKind::kOutput);
  next();
  CAIRN_ASSIGN(ExpressionPtr value, parse_tuple({}));
  CAIRN_TRY(expect_kind(TokenKind::kVariableEnd));
  output->expressions.push_back(std::move(value));
  body.push_back(std::move(output));
  return {};
}

StatementParser::Made StatementParser::parse_statement(const Ends& ends) {
  static constexpr std::array<Row, 11> kParserRows = {{
      {"for", &StatementParser::parse_for},
      {"if", &StatementParser::parse_if},
      {"set", &StatementParser::parse_set},
      {"macro", &StatementParser::parse_macro},
      {"call", &StatementParser::parse_call_block},
      {"filter", &StatementParser::parse_filter_block},
      {"with", &StatementParser::parse_with},
      {"print", &StatementParser::parse_print},
      {"generation", &StatementParser::parse_generation},
      {"break", &StatementParser::parse_break},
      {"continue", &StatementParser::parse_continue},
  }};
  if (!at_kind(TokenKind::kName)) return error("tag name expected, found " + describe(current()));
  const auto* row = std::find_if(kParserRows.begin(), kParserRows.end(),
                                 [this](const Row& r) { return at_name(r.name); });
  if (row == kParserRows.end()) return unknown_tag(ends);
  open_tags_.emplace_back(row->name);
  StatementPtr statement = make(StatementKind::kData);
  next();
  Made made = (this->*row->parse)(std::move(statement));
  open_tags_.pop_back();
  return made;
}

Status StatementParser::unknown_tag(const Ends& ends) const {
  static constexpr std::array<std::string_view, 6> kRefused = {"block",  "extends", "include",
                                                               "import", "from",    "autoescape"};
  for (const std::string_view name : kRefused) {
    if (at_name(name)) return error(fmt::format("the tag '{}' is not supported", name));
  }
  std::string reason = fmt::format("encountered unknown tag '{}'", current().text);
  if (!ends.empty()) reason += fmt::format(": looking for {}", listed(ends));
  return error(reason);
}

Status StatementParser::parse_block(Body& body, const Ends& ends) {
  skip_operator(":");
  CAIRN_TRY(expect_kind(TokenKind::kBlockEnd));
  return parse_body(body, ends);
}

Status StatementParser::parse_whole_block(Body& body, std::string_view end) {
  CAIRN_TRY(parse_block(body, {end}));
  next();
  return {};
}

Result<Program> parse_template(std::string_view source) {
  CAIRN_ASSIGN(std::vector<Token> tokens, tokenize(source));
  CAIRN_ASSIGN(Program program, StatementParser(std::move(tokens)).run());
  CAIRN_TRY(check_names(program));
  return program;
}

}  // namespace cairn::tokenizer::jinja

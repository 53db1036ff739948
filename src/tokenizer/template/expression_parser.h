// Expressions: the half of the parser below the statements. Its functions stand in three files:
// expression_operators.cpp (by precedence), expression_primaries.cpp (names, literals, brackets)
// and expression_postfix.cpp (attributes, subscripts, calls, filters and tests).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "tokenizer/template/ast.h"
#include "tokenizer/template/token_walk.h"

namespace cairn::tokenizer::jinja {

/// The expression half.
class ExpressionParser : public TokenWalk {
 public:
  using TokenWalk::TokenWalk;

 protected:
  using Parsed = Result<ExpressionPtr>;

  enum class Conditional : std::uint8_t { kAllowed, kNot };
  enum class Parentheses : std::uint8_t { kNone, kExplicit };
  enum class Target : std::uint8_t { kNone, kNames, kFields };

  /// How to read a tuple: what may stand in it and the name that ends it.
  struct TupleRules {
    Conditional conditional = Conditional::kAllowed;
    Parentheses parentheses = Parentheses::kNone;
    Target target = Target::kNone;
    std::string_view end_name = {};
  };

  Parsed parse_expression();
  Parsed parse_or();
  Parsed parse_tuple(const TupleRules& rules);
  /// A target of set, for and with.
  Parsed parse_target(Target kind, std::string_view end_name);
  /// A chain of filters on `node`, which may be null; starts at the name with `kInline`.
  enum class FilterStart : std::uint8_t { kPipe, kInline };
  Parsed parse_filters(ExpressionPtr node, FilterStart start);
  Parsed parse_primary(Target target);
  Status check_target(const Expression& target) const;

  /// The special names (caller, varargs, kwargs) seen in each macro being parsed.
  struct Mentions {
    bool caller = false;
    bool varargs = false;
    bool kwargs = false;
  };
  std::vector<Mentions> mentions_;

 private:
  Parsed parse_and();
  Parsed parse_not();
  Parsed parse_compare();
  Parsed parse_sum();
  Parsed parse_concat();
  Parsed parse_product();
  Parsed parse_power();
  enum class Filters : std::uint8_t { kAllowed, kNot };
  Parsed parse_unary(Filters filters);
  Parsed parse_postfix(ExpressionPtr node);
  Parsed parse_filter_expression(ExpressionPtr node);
  Parsed parse_name(Target target);
  Parsed parse_string();
  Parsed parse_number();
  Parsed parse_list();
  Parsed parse_dict();
  Parsed parse_attribute(ExpressionPtr node);
  Parsed parse_item(ExpressionPtr node);
  Parsed parse_slice(ExpressionPtr node, ExpressionPtr begin, int at_line);
  Parsed parse_call(ExpressionPtr node);
  Parsed parse_test(ExpressionPtr node);
  Status parse_argument(CallArguments& arguments);
  Result<std::unique_ptr<CallArguments>> parse_arguments();
  Result<std::unique_ptr<CallArguments>> parse_test_arguments();
  Result<std::string> parse_dotted_name();
  bool tuple_ends(const TupleRules& rules) const;
  void mention(std::string_view name);

  ExpressionPtr make(ExpressionKind kind, int at_line) const;
  /// Finishes `node`: counts its depth over its parts.
  Parsed finish(ExpressionPtr node) const;
  Parsed finish_binary(ExpressionKind kind, Operator op, ExpressionPtr left, ExpressionPtr right);
};

}  // namespace cairn::tokenizer::jinja

// The tree of a parsed template.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tokenizer/template/value.h"

namespace cairn::tokenizer::jinja {

enum class ExpressionKind : std::uint8_t {
  kConstant,        // constant
  kName,            // name
  kNamespaceField,  // name.field, only as a target
  kTuple,           // items
  kList,            // items
  kDict,            // items: key, value, key, value, ...
  kAttribute,       // items[0].name
  kItem,            // items[0][items[1]]
  kSlice,           // items[0][items[1]:items[2]:items[3]], each of the last three may be null
  kCall,            // items[0](call)
  kFilter,          // items[0] | name(call); items[0] is null in filter blocks
  kTest,            // items[0] is name(call)
  kNot,             // items[0]
  kAnd,             // items[0], items[1]
  kOr,              // items[0], items[1]
  kConditional,     // items[1] if items[0] else items[2], which may be null
  kCompare,         // items[0] operators[0] items[1] operators[1] ...
  kBinary,          // items[0] operators[0] items[1]
  kNegate,          // items[0]
  kPlus,            // items[0]
  kConcat,          // items
};

enum class Operator : std::uint8_t {
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kFloorDivide,
  kModulo,
  kPower,
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kIn,
  kNotIn,
};

struct Expression;
using ExpressionPtr = std::unique_ptr<Expression>;

/// The arguments of a call as written.
struct CallArguments {
  std::vector<ExpressionPtr> positional;
  std::vector<std::pair<std::string, ExpressionPtr>> keywords;
  ExpressionPtr star;
  ExpressionPtr double_star;
};

/// One expression; ExpressionKind says which fields count.
struct Expression {
  ExpressionKind kind = ExpressionKind::kConstant;
  int line = 1;
  unsigned depth = 1;
  std::string name;
  std::string field;
  Value constant;
  std::vector<ExpressionPtr> items;
  std::vector<Operator> operators;
  std::unique_ptr<CallArguments> call;
};

enum class StatementKind : std::uint8_t {
  kData,         // text
  kOutput,       // expressions
  kFor,          // target in value if test: body, otherwise
  kIf,           // the first true one of expressions: its one of branches; else: otherwise
  kSet,          // target = value
  kSetBlock,     // target = body through value (a filter chain, may be null)
  kMacro,        // name(parameters): body
  kCallBlock,    // value is the call; parameters: body
  kFilterBlock,  // body through value (a filter chain)
  kWith,         // expressions: target, value, ...: body
  kGeneration,   // body
  kBreak,
  kContinue,
};

struct Statement;
using StatementPtr = std::unique_ptr<Statement>;
using Body = std::vector<StatementPtr>;

/// A parameter of a macro or call block.
struct Parameter {
  std::string name;
  ExpressionPtr fallback;  // null: none
};

/// One statement; StatementKind says which fields count.
struct Statement {
  StatementKind kind = StatementKind::kData;
  int line = 1;
  std::string name;
  Value text;
  ExpressionPtr target;
  ExpressionPtr value;
  ExpressionPtr test;
  std::vector<ExpressionPtr> expressions;
  std::vector<Parameter> parameters;
  std::vector<Body> branches;
  Body body;
  Body otherwise;
  bool recursive = false;
  // A macro takes these only when its body speaks of them.
  bool takes_caller = false;
  bool takes_varargs = false;
  bool takes_kwargs = false;
};

/// A whole template.
struct Program {
  Body body;
};

}  // namespace cairn::tokenizer::jinja

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "tokenizer/template/access.h"
#include "tokenizer/template/filters.h"
#include "tokenizer/template/frame.h"
#include "tokenizer/template/globals.h"
#include "tokenizer/template/interpreter.h"
#include "tokenizer/template/operators.h"

namespace cairn::tokenizer::jinja {

Value Interpreter::evaluate(const Expression& expression) {
  const Level level(run_);
  if (!level.fits() || !run_.step()) return run_.fail("");
  run_.set_line(expression.line);
  return evaluate_kind(expression);
}

Value Interpreter::evaluate_kind(const Expression& expression) {
  const auto part = [&](std::size_t i) { return evaluate(*expression.items[i]); };
  switch (expression.kind) {
    case ExpressionKind::kConstant:
      return expression.constant;
    case ExpressionKind::kName:
    case ExpressionKind::kNamespaceField:
      return evaluate_name(expression);
    case ExpressionKind::kTuple:
      return evaluate_sequence(expression, ListKind::kTuple);
    case ExpressionKind::kList:
      return evaluate_sequence(expression, ListKind::kList);
    case ExpressionKind::kDict:
      return evaluate_dict(expression);
    case ExpressionKind::kAttribute: {
      const Value object = part(0);
      run_.set_line(expression.line);
      return get_attribute(run_, object, expression.name);
    }
    case ExpressionKind::kItem: {
      const Value object = part(0);
      const Value key = part(1);
      run_.set_line(expression.line);
      return get_item(run_, object, key);
    }
    case ExpressionKind::kSlice:
      return evaluate_slice(expression);
    case ExpressionKind::kCall:
      return evaluate_call(expression, nullptr);
    case ExpressionKind::kFilter:
      return evaluate_filter(expression, Value());
    case ExpressionKind::kTest:
      return evaluate_test(expression);
    case ExpressionKind::kNot:
      return Value(!truthy(part(0)));
    case ExpressionKind::kAnd: {
      Value left = part(0);
      return truthy(left) ? part(1) : left;
    }
    case ExpressionKind::kOr: {
      Value left = part(0);
      return truthy(left) ? left : part(1);
    }
    case ExpressionKind::kConditional:
      return evaluate_conditional(expression);
    case ExpressionKind::kCompare:
      return evaluate_compare(expression);
    case ExpressionKind::kBinary: {
      const Value left = part(0);
      const Value right = part(1);
      run_.set_line(expression.line);
      return calculate(run_, expression.operators[0], left, right);
    }
    case ExpressionKind::kNegate:
    case ExpressionKind::kPlus:
      return evaluate_sign(expression);
    case ExpressionKind::kConcat:
      return evaluate_concat(expression);
  }
  return run_.fail("");
}

Value Interpreter::evaluate_name(const Expression& expression) {
  for (const Scope* scope = scope_.get(); scope != nullptr; scope = scope->parent.get()) {
    const auto found = scope->names.find(expression.name);
    if (found != scope->names.end()) return found->second;
  }
  const Value* found = context_.dict().find("s" + expression.name);
  if (found != nullptr) return *found;
  if (const Builtin* row = find_global(expression.name)) return Value(row);
  return run_.undefined(fmt::format("'{}' is undefined", expression.name));
}

Value Interpreter::evaluate_sequence(const Expression& expression, ListKind kind) {
  std::vector<Value> items;
  items.reserve(expression.items.size());
  for (const ExpressionPtr& item : expression.items) items.push_back(evaluate(*item));
  return run_.list(std::move(items), kind);
}

Value Interpreter::evaluate_dict(const Expression& expression) {
  std::vector<Entry> entries;
  for (std::size_t i = 0; i + 1 < expression.items.size(); i += 2) {
    Value key = evaluate(*expression.items[i]);
    entries.push_back({.key = std::move(key), .value = evaluate(*expression.items[i + 1])});
  }
  return run_.dict(std::move(entries));
}

Value Interpreter::evaluate_slice(const Expression& expression) {
  const auto bound = [&](std::size_t i) {
    return expression.items[i] ? evaluate(*expression.items[i]) : Value();
  };
  const Value object = evaluate(*expression.items[0]);
  SliceBounds bounds;
  bounds.begin = bound(1);
  bounds.end = bound(2);
  bounds.step = bound(3);
  run_.set_line(expression.line);
  return get_slice(run_, object, bounds);
}

Value Interpreter::evaluate_conditional(const Expression& expression) {
  const bool taken = truthy(evaluate(*expression.items[0]));
  if (taken) return evaluate(*expression.items[1]);
  if (expression.items[2]) return evaluate(*expression.items[2]);
  return run_.undefined(fmt::format(
      "the inline if-expression on line {} evaluated to false and no else section was defined",
      expression.line));
}

Value Interpreter::evaluate_compare(const Expression& expression) {
  Value left = evaluate(*expression.items[0]);
  for (std::size_t i = 0; i < expression.operators.size(); ++i) {
    Value right = evaluate(*expression.items[i + 1]);
    run_.set_line(expression.line);
    if (run_.failed()) return left;
    if (!test_operator(run_, expression.operators[i], left, right)) return Value(false);
    left = std::move(right);
  }
  return Value(true);
}

Value Interpreter::evaluate_sign(const Expression& expression) {
  const Value value = evaluate(*expression.items[0]);
  const bool negate = expression.kind == ExpressionKind::kNegate;
  if (value.undefined()) return fail_undefined(run_, value);
  if (value.is(ValueKind::kFloat)) return negate ? Value(-value.floating()) : value;
  if (!value.is_integral()) {
    return run_.fail(
        fmt::format("bad operand type for unary {}: '{}'", negate ? '-' : '+', type_name(value)));
  }
  return negate ? calculate(run_, Operator::kSubtract, Value(Int{0}), value)
                : Value(value.as_int());
}

Value Interpreter::evaluate_concat(const Expression& expression) {
  TextBuilder out;
  for (const ExpressionPtr& item : expression.items) {
    const Value value = evaluate(*item);
    if (run_.failed()) break;
    print(run_, value, out);
  }
  return run_.text(std::move(out));
}

Value Interpreter::evaluate_filter(const Expression& expression, const Value& input) {
  // A chain is evaluated from its innermost filter, whose input is null in blocks.
  Value value = input;
  if (expression.items[0]) {
    const Expression& inner = *expression.items[0];
    const bool chain = inner.kind == ExpressionKind::kFilter && !input.missing();
    const Level level(run_);
    if (!level.fits()) return value;
    value = chain ? evaluate_filter(inner, input) : evaluate(inner);
  }
  Arguments arguments = evaluate_arguments(*expression.call);
  run_.set_line(expression.line);
  if (run_.failed()) return value;
  return apply_filter(run_, expression.name, value, std::move(arguments));
}

Value Interpreter::evaluate_test(const Expression& expression) {
  Value value = evaluate(*expression.items[0]);
  Arguments arguments = evaluate_arguments(*expression.call);
  run_.set_line(expression.line);
  if (run_.failed()) return value;
  return Value(apply_test(run_, expression.name, value, std::move(arguments)));
}

}  // namespace cairn::tokenizer::jinja

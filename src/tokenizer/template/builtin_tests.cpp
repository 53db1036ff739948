// The tests behind `is`.
#include <fmt/format.h>

#include <array>

#include "tokenizer/template/arguments.h"
#include "tokenizer/template/filters.h"
#include "tokenizer/template/operators.h"
#include "tokenizer/template/python_text.h"
#include "tokenizer/template/text_pieces.h"

namespace cairn::tokenizer::jinja {
namespace {

template <bool (*kIs)(const Value&)>
Value property(Run& /*run*/, const Value& self, const Arguments& /*arguments*/) {
  return Value(kIs(self));
}

bool is_defined(const Value& value) { return !value.undefined(); }
bool is_undefined(const Value& value) { return value.undefined(); }
bool is_none(const Value& value) { return value.none(); }
bool is_boolean(const Value& value) { return value.is(ValueKind::kBool); }
bool is_true(const Value& value) { return is_boolean(value) && value.boolean(); }
bool is_false(const Value& value) { return is_boolean(value) && !value.boolean(); }
bool is_integer(const Value& value) { return value.is(ValueKind::kInt); }
bool is_float(const Value& value) { return value.is(ValueKind::kFloat); }
bool is_number(const Value& value) { return value.is_number(); }
bool is_string(const Value& value) { return value.is_string(); }
bool is_mapping(const Value& value) { return value.is(ValueKind::kDict); }
bool is_escaped(const Value& value) { return value.is_string() && value.text().markup; }

// Python asks for len() and []: an undefined value has both, views have only the first.
bool is_sequenced(const Value& value) {
  return value.is_string() || value.is(ValueKind::kDict) || is_sequence(value) || value.undefined();
}

bool is_callable(const Value& value) {
  switch (value.kind()) {
    case ValueKind::kUndefined:
    case ValueKind::kMacro:
    case ValueKind::kFunction:
    case ValueKind::kMethod:
    case ValueKind::kLoop:
      return true;
    case ValueKind::kCounter:
      return value.counter().kind == CounterKind::kJoiner;
    default:
      return false;
  }
}

template <Operator kOp>
Value compared(Run& run, const Value& self, const Arguments& arguments) {
  return Value(test_operator(run, kOp, self, arguments.at(0)));
}

Value remainder_is(Run& run, const Value& self, const Value& divisor, Int wanted) {
  const Value rest = calculate(run, Operator::kModulo, self, divisor);
  return run.failed() ? rest : Value(equal(run, rest, Value(wanted)));
}

Value is_odd(Run& run, const Value& self, const Arguments& /*arguments*/) {
  return remainder_is(run, self, Value(Int{2}), 1);
}

Value is_even(Run& run, const Value& self, const Arguments& /*arguments*/) {
  return remainder_is(run, self, Value(Int{2}), 0);
}

Value is_divisible(Run& run, const Value& self, const Arguments& arguments) {
  return remainder_is(run, self, arguments.at(0), 0);
}

template <bool (*kWanted)(char32_t), bool (*kBarred)(char32_t)>
Value is_case(Run& run, const Value& self, const Arguments& /*arguments*/) {
  Value text = to_text(run, self);
  if (run.failed()) return text;
  bool any = false;
  for (const char32_t code : decode(text.text().bytes)) {
    if (kBarred(code) || is_title(code)) return Value(false);
    any = any || kWanted(code);
  }
  return Value(any);
}

Value is_same(Run& run, const Value& self, const Arguments& arguments) {
  const Value& other = arguments.at(0);
  if (self.kind() != other.kind()) return Value(false);
  if (self.is(ValueKind::kList)) return Value(&self.list() == &other.list());
  if (self.is(ValueKind::kDict)) return Value(&self.dict() == &other.dict());
  return Value(equal(run, self, other));
}

Value is_filter_name(Run& /*run*/, const Value& self, const Arguments& /*arguments*/) {
  return Value(self.is_string() && find_filter(self.text().bytes) != nullptr);
}

Value is_test_name(Run& /*run*/, const Value& self, const Arguments& /*arguments*/) {
  return Value(self.is_string() && find_test(self.text().bytes) != nullptr);
}

constexpr std::array<Builtin, 39> kBuiltinTestsRows = {{
    {"odd", "", 0, &is_odd},
    {"even", "", 0, &is_even},
    {"divisibleby", "num", 1, &is_divisible},
    {"defined", "", 0, &property<&is_defined>},
    {"undefined", "", 0, &property<&is_undefined>},
    {"filter", "", 0, &is_filter_name},
    {"test", "", 0, &is_test_name},
    {"none", "", 0, &property<&is_none>},
    {"boolean", "", 0, &property<&is_boolean>},
    {"false", "", 0, &property<&is_false>},
    {"true", "", 0, &property<&is_true>},
    {"integer", "", 0, &property<&is_integer>},
    {"float", "", 0, &property<&is_float>},
    {"lower", "", 0, &is_case<&is_lower, &is_upper>},
    {"upper", "", 0, &is_case<&is_upper, &is_lower>},
    {"string", "", 0, &property<&is_string>},
    {"mapping", "", 0, &property<&is_mapping>},
    {"number", "", 0, &property<&is_number>},
    {"sequence", "", 0, &property<&is_sequenced>},
    {"iterable", "", 0, &property<&is_iterable>},
    {"callable", "", 0, &property<&is_callable>},
    {"sameas", "other", 1, &is_same},
    {"escaped", "", 0, &property<&is_escaped>},
    {"in", "seq", 1, &compared<Operator::kIn>},
    {"==", "other", 1, &compared<Operator::kEqual>},
    {"eq", "other", 1, &compared<Operator::kEqual>},
    {"equalto", "other", 1, &compared<Operator::kEqual>},
    {"!=", "other", 1, &compared<Operator::kNotEqual>},
    {"ne", "other", 1, &compared<Operator::kNotEqual>},
    {">", "other", 1, &compared<Operator::kGreater>},
    {"gt", "other", 1, &compared<Operator::kGreater>},
    {"greaterthan", "other", 1, &compared<Operator::kGreater>},
    {">=", "other", 1, &compared<Operator::kGreaterEqual>},
    {"ge", "other", 1, &compared<Operator::kGreaterEqual>},
    {"<", "other", 1, &compared<Operator::kLess>},
    {"lt", "other", 1, &compared<Operator::kLess>},
    {"lessthan", "other", 1, &compared<Operator::kLess>},
    {"<=", "other", 1, &compared<Operator::kLessEqual>},
    {"le", "other", 1, &compared<Operator::kLessEqual>},
}};

}  // namespace

std::span<const Builtin> builtin_tests() { return kBuiltinTestsRows; }

}  // namespace cairn::tokenizer::jinja

// calculate(): + - * / // % ** with Python's types and messages.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>

#include "tokenizer/template/format.h"
#include "tokenizer/template/operators.h"
#include "tokenizer/template/python_number.h"

namespace cairn::tokenizer::jinja {
namespace {

std::string_view sign_of(Operator op) {
  static constexpr std::array<std::string_view, 7> kSigns = {"+",  "-", "*",          "/",
                                                             "//", "%", "** or pow()"};
  return kSigns[static_cast<std::size_t>(op)];
}

Value unsupported_operands(Run& run, Operator op, const Value& a, const Value& b) {
  return run.fail(fmt::format("unsupported operand type(s) for {}: '{}' and '{}'", sign_of(op),
                              type_name(a), type_name(b)));
}

Value checked(Run& run, const std::optional<Int>& result) {
  return result ? Value(*result) : run.fail("an integer result is out of the range of 128 bits");
}

Value calculate_floats(Run& run, Operator op, double a, double b) {
  const bool divides =
      op == Operator::kDivide || op == Operator::kFloorDivide || op == Operator::kModulo;
  if (divides && b == 0) return run.fail("division by zero");
  switch (op) {
    case Operator::kAdd:
      return Value(a + b);
    case Operator::kSubtract:
      return Value(a - b);
    case Operator::kMultiply:
      return Value(a * b);
    case Operator::kDivide:
      return Value(a / b);
    case Operator::kFloorDivide:
      return Value(floor_divide(a, b));
    case Operator::kModulo:
      return Value(modulo(a, b));
    default:
      break;
  }
  if (a == 0 && b < 0) return run.fail("0.0 cannot be raised to a negative power");
  const double result = std::pow(a, b);
  if (std::isinf(result) && std::isfinite(a) && std::isfinite(b)) {
    return run.fail("Numerical result out of range");
  }
  return std::isnan(result) && !std::isnan(a) && !std::isnan(b)
             ? run.fail("a complex number is not supported")
             : Value(result);
}

Value calculate_ints(Run& run, Operator op, Int a, Int b) {
  const bool divides =
      op == Operator::kDivide || op == Operator::kFloorDivide || op == Operator::kModulo;
  if (divides && b == 0) return run.fail("integer division or modulo by zero");
  switch (op) {
    case Operator::kAdd:
      return checked(run, add(a, b));
    case Operator::kSubtract:
      return checked(run, subtract(a, b));
    case Operator::kMultiply:
      return checked(run, multiply(a, b));
    case Operator::kDivide:
      return Value(true_divide(a, b));
    case Operator::kFloorDivide:
      return b == -1 ? checked(run, subtract(0, a)) : Value(floor_divide(a, b));
    case Operator::kModulo:
      return Value(modulo(a, b));
    default:
      break;
  }
  if (b < 0) {
    return calculate_floats(run, op, static_cast<double>(a), static_cast<double>(b));
  }
  return checked(run, power(a, b));
}

/// How often a sequence of `size` bytes or items repeats; empty after failing when it is too much.
std::optional<std::size_t> repeats(Run& run, Int count, std::size_t size) {
  if (count <= 0 || size == 0) return 0;
  const Int total = count > Int{1} << 62 ? Int{1} << 62 : count * static_cast<Int>(size);
  const Int most = Int{1} << 62;
  if (!run.allow_bytes(static_cast<std::uint64_t>(total < most ? total : most))) return {};
  return static_cast<std::size_t>(count);
}

Value repeat(Run& run, const Value& sequence, Int count) {
  if (sequence.is_string()) {
    const auto times = repeats(run, count, sequence.text().bytes.size());
    if (!times) return sequence;
    TextBuilder out;
    for (std::size_t i = 0; i < *times; ++i) out.add(sequence.text());
    return sequence.text().markup ? run.markup(std::move(out)) : run.text(std::move(out));
  }
  const std::vector<Value>& items = sequence.list().items;
  const auto times = repeats(run, count, items.size() * sizeof(Value));
  if (!times) return sequence;
  std::vector<Value> out;
  for (std::size_t i = 0; i < *times; ++i) out.insert(out.end(), items.begin(), items.end());
  return run.list(std::move(out), sequence.list().kind);
}

Value join_texts(Run& run, const Text& a, const Text& b) {
  if (!run.allow_bytes(a.bytes.size() + b.bytes.size())) return run.fail("");
  TextBuilder out;
  if (!a.markup && !b.markup) {
    out.add(a);
    out.add(b);
    return run.text(std::move(out));
  }
  print_as_markup(a, out);
  print_as_markup(b, out);
  return run.markup(std::move(out));
}

bool repeatable(const Value& value) {
  return value.is_string() || value.is_list(ListKind::kList) || value.is_list(ListKind::kTuple);
}

}  // namespace

Value calculate(Run& run, Operator op, const Value& a, const Value& b) {
  if (!run.step()) return run.fail("");
  if (op == Operator::kModulo && a.is_string()) return format_percent(run, a.text(), b);
  if (a.undefined() || b.undefined()) return fail_undefined(run, a.undefined() ? a : b);
  if (a.is_integral() && b.is_integral()) return calculate_ints(run, op, a.as_int(), b.as_int());
  if (a.is_number() && b.is_number()) {
    return calculate_floats(run, op, a.as_double(), b.as_double());
  }
  if (op == Operator::kAdd && a.is_string() && b.is_string()) {
    return join_texts(run, a.text(), b.text());
  }
  const bool lists = repeatable(a) && repeatable(b) && a.kind() == b.kind() && !a.is_string();
  if (op == Operator::kAdd && lists && a.list().kind == b.list().kind) {
    std::vector<Value> items = a.list().items;
    items.insert(items.end(), b.list().items.begin(), b.list().items.end());
    return run.list(std::move(items), a.list().kind);
  }
  if (op == Operator::kMultiply && repeatable(a) && b.is_integral()) {
    return repeat(run, a, b.as_int());
  }
  if (op == Operator::kMultiply && repeatable(b) && a.is_integral()) {
    return repeat(run, b, a.as_int());
  }
  return unsupported_operands(run, op, a, b);
}

}  // namespace cairn::tokenizer::jinja

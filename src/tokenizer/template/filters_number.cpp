// Filters on numbers and on any single value.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>

#include "tokenizer/template/access.h"
#include "tokenizer/template/arguments.h"
#include "tokenizer/template/filters.h"
#include "tokenizer/template/operators.h"
#include "tokenizer/template/python_number.h"

namespace cairn::tokenizer::jinja {
namespace {

Value absolute(Run& run, const Value& self, const Arguments& /*arguments*/) {
  if (self.is(ValueKind::kFloat)) return Value(std::fabs(self.floating()));
  if (!self.is_integral()) {
    return self.undefined()
               ? fail_undefined(run, self)
               : run.fail(fmt::format("bad operand type for abs(): '{}'", type_name(self)));
  }
  const Int value = self.as_int();
  return Value(value < 0 ? -value : value);
}

std::optional<Int> whole(const Value& value, unsigned base) {
  if (value.is_integral()) return value.as_int();
  if (value.is(ValueKind::kFloat)) return truncate(value.floating());
  if (!value.is_string()) return {};
  if (const auto parsed = parse_int(value.text().bytes, base)) return parsed;
  const auto parsed = parse_float(value.text().bytes);
  return parsed ? truncate(*parsed) : std::nullopt;
}

Value to_int(Run& run, const Value& self, const Arguments& arguments) {
  const Int base = int_argument(run, arguments, 1, 10);
  if (base != 0 && (base < 2 || base > 36)) return run.fail("int() base must be 2 to 36, or 0");
  if (self.undefined()) return fail_undefined(run, self);
  const auto value = whole(self, static_cast<unsigned>(base));
  if (value) return Value(*value);
  return arguments.has(0) ? arguments.at(0) : Value(Int{0});
}

Value to_float(Run& run, const Value& self, const Arguments& arguments) {
  if (self.undefined()) return fail_undefined(run, self);
  if (self.is_number()) return Value(self.as_double());
  const auto value = self.is_string() ? parse_float(self.text().bytes) : std::nullopt;
  if (value) return Value(*value);
  return arguments.has(0) ? arguments.at(0) : Value(0.0);
}

Value round_int(Run& run, Int value, Int digits) {
  if (digits >= 0) return Value(value);
  const auto scale = power(10, -digits);
  if (!scale) return Value(Int{0});
  const Int rest = modulo(value, *scale);
  const Int down = value - rest;
  const bool up = rest * 2 > *scale || (rest * 2 == *scale && (down / *scale) % 2 != 0);
  const auto rounded = up ? add(down, *scale) : std::optional<Int>(down);
  return rounded ? Value(*rounded) : run.fail("an integer is too large to be rounded");
}

Value round(Run& run, const Value& self, const Arguments& arguments) {
  const Int digits = int_argument(run, arguments, 0, 0);
  const bool has_method = arguments.has(1);
  const std::string method = !has_method                   ? "common"
                             : arguments.at(1).is_string() ? arguments.at(1).text().bytes
                                                           : "";
  if (method != "common" && method != "ceil" && method != "floor") {
    return run.fail("round: the method must be common, ceil or floor");
  }
  if (self.undefined()) return fail_undefined(run, self);
  if (!self.is_number()) {
    return run.fail(fmt::format("type {} cannot be rounded", type_name(self)));
  }
  if (digits > 400 || digits < -400) return run.fail("round: more than 400 digits");
  if (method == "common") {
    return self.is(ValueKind::kFloat) ? Value(round_to(self.floating(), static_cast<int>(digits)))
                                      : round_int(run, self.as_int(), digits);
  }
  const double scale = std::pow(10.0, static_cast<double>(digits));
  const double scaled = self.as_double() * scale;
  return Value((method == "ceil" ? std::ceil(scaled) : std::floor(scaled)) / scale);
}

Value default_value(Run& run, const Value& self, const Arguments& arguments) {
  const bool replaced = self.undefined() || (flag_argument(arguments, 1) && !truthy(self));
  if (!replaced) return self;
  return arguments.has(0) ? arguments.at(0) : run.text(std::string());
}

Value attribute(Run& run, const Value& self, const Arguments& arguments) {
  const Text* name = text_argument(run, arguments, 0);
  if (name == nullptr) return run.fail("");
  if (self.undefined()) return fail_undefined(run, self);
  // Only true attributes: not the items of a dict.
  if (self.is(ValueKind::kDict) && find_method(self, name->bytes) == nullptr) {
    return run.undefined(fmt::format("'dict object' has no attribute '{}'", name->bytes));
  }
  return get_attribute(run, self, name->bytes);
}

constexpr std::array<Builtin, 7> kRows = {{
    {"abs", "", 0, &absolute},
    {"attr", "name", 1, &attribute},
    {"d", "default_value boolean", 0, &default_value},
    {"default", "default_value boolean", 0, &default_value},
    {"float", "default", 0, &to_float},
    {"int", "default base", 0, &to_int},
    {"round", "precision method", 0, &round},
}};

}  // namespace

std::span<const Builtin> number_filters() { return kRows; }

}  // namespace cairn::tokenizer::jinja

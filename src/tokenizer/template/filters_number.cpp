// Filters on numbers and on any single value.
#include <fmt/format.h>

#include <algorithm>
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
  const auto size = value < 0 ? subtract(0, value) : std::optional<Int>(value);
  return size ? Value(*size) : run.fail("an integer result is out of the range of 128 bits");
}

/// int(value, base), else int(float(value)).
IntResult whole(const Value& value, Int base) {
  if (value.is_integral()) return {.kind = IntKind::kValue, .value = value.as_int()};
  if (value.is(ValueKind::kFloat)) return whole_part(value.floating());
  if (!value.is_string()) return {};
  const bool usable = base == 0 || (base >= 2 && base <= 36);
  if (usable) {
    const IntResult parsed = read_int(value.text().bytes, static_cast<unsigned>(base));
    if (parsed.kind != IntKind::kNone) return parsed;
  }
  const auto parsed = parse_float(value.text().bytes);
  return parsed ? whole_part(*parsed) : IntResult{};
}

Value to_int(Run& run, const Value& self, const Arguments& arguments) {
  const Int base = int_argument(run, arguments, 1, 10);
  if (self.undefined()) return fail_undefined(run, self);
  if (self.is(ValueKind::kFloat) && std::isinf(self.floating())) {
    return run.fail("cannot convert float infinity to integer");
  }
  const IntResult result = whole(self, base);
  if (result.kind == IntKind::kValue) return Value(result.value);
  if (result.kind == IntKind::kTooLarge) return run.fail("int: an integer beyond 128 bits");
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
  const auto scale = power(10, std::min(-digits, Int{100}));
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
  constexpr Int kDigitsMax = 400;
  const auto places = static_cast<int>(std::clamp(digits, -kDigitsMax, kDigitsMax));
  if (method == "common") {
    return self.is(ValueKind::kFloat) ? Value(round_to(self.floating(), places))
                                      : round_int(run, self.as_int(), places);
  }
  if (places != digits) return run.fail("round: ceil and floor take up to 400 digits");
  const double scale = std::pow(10.0, places);
  const double scaled = self.as_double() * scale;
  if (!std::isfinite(scaled)) return run.fail("round: infinity and not-a-number have no integer");
  // + 0.0: Python goes through an integer, which has no negative zero.
  return Value(((method == "ceil" ? std::ceil(scaled) : std::floor(scaled)) + 0.0) / scale);
}

Value default_value(Run& run, const Value& self, const Arguments& arguments) {
  const bool replaced = self.undefined() || (flag_argument(arguments, 1) && !truthy(self));
  if (!replaced) return self;
  return arguments.has(0) ? arguments.at(0) : run.text(std::string());
}

Value file_size(Run& run, const Value& self, const Arguments& arguments) {
  static constexpr std::string_view kLetters = "kMGTPEZY";
  if (self.undefined()) return fail_undefined(run, self);
  const auto given = self.is_number()   ? std::optional<double>(self.as_double())
                     : self.is_string() ? parse_float(self.text().bytes)
                                        : std::nullopt;
  if (!given || std::isinf(*given)) return run.fail("filesizeformat wants a finite number");
  const bool binary = flag_argument(arguments, 0);
  const Int base = binary ? 1024 : 1000;
  if (*given == 1) return run.text(std::string("1 Byte"));
  if (*given < static_cast<double>(base)) {
    return run.text(fmt::format("{:.0f} Bytes", std::trunc(*given) + 0.0));
  }
  Int unit = base * base;
  std::size_t letter = 0;
  while (letter + 1 < kLetters.size() && !(*given < static_cast<double>(unit))) {
    unit *= base;
    ++letter;
  }
  const char first = binary && letter == 0 ? 'K' : kLetters[letter];
  return run.text(fmt::format("{:.1f} {}{}B",
                              static_cast<double>(base) * *given / static_cast<double>(unit), first,
                              binary ? "i" : ""));
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

constexpr std::array<Builtin, 8> kFiltersNumberRows = {{
    {"abs", "", 0, &absolute},
    {"attr", "name", 1, &attribute},
    {"d", "default_value boolean", 0, &default_value},
    {"default", "default_value boolean", 0, &default_value},
    {"filesizeformat", "binary", 0, &file_size},
    {"float", "default", 0, &to_float},
    {"int", "default base", 0, &to_int},
    {"round", "precision method", 0, &round},
}};

}  // namespace

std::span<const Builtin> number_filters() { return kFiltersNumberRows; }

}  // namespace cairn::tokenizer::jinja

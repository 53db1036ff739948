// The methods of numbers.
#include <array>
#include <cmath>

#include "tokenizer/template/methods.h"
#include "tokenizer/template/python_number.h"
#include "tokenizer/template/run.h"

namespace cairn::tokenizer::jinja {
namespace {

Value same(Run& /*run*/, const Value& self, const Arguments& /*arguments*/) {
  return self.is(ValueKind::kBool) ? Value(self.as_int()) : self;
}

std::string bits_of(const Value& self) {
  std::string bits = int_text(self.as_int(), 2);
  if (bits[0] == '-') bits.erase(0, 1);
  return bits;
}

Value bit_length(Run& /*run*/, const Value& self, const Arguments& /*arguments*/) {
  return Value(self.as_int() == 0 ? Int{0} : static_cast<Int>(bits_of(self).size()));
}

Value bit_count(Run& /*run*/, const Value& self, const Arguments& /*arguments*/) {
  Int count = 0;
  for (const char bit : bits_of(self)) count += bit == '1' ? 1 : 0;
  return Value(count);
}

Value is_whole(Run& /*run*/, const Value& self, const Arguments& /*arguments*/) {
  return Value(std::isfinite(self.floating()) && std::trunc(self.floating()) == self.floating());
}

constexpr std::array<Builtin, 6> kIntRows = {{
    {"as_integer_ratio", "*", 0, nullptr},
    {"bit_count", "", 0, &bit_count},
    {"bit_length", "", 0, &bit_length},
    {"conjugate", "", 0, &same},
    {"from_bytes", "*", 0, nullptr},
    {"to_bytes", "*", 0, nullptr},
}};

constexpr std::array<Builtin, 5> kFloatRows = {{
    {"as_integer_ratio", "*", 0, nullptr},
    {"conjugate", "", 0, &same},
    {"fromhex", "*", 0, nullptr},
    {"hex", "*", 0, nullptr},
    {"is_integer", "", 0, &is_whole},
}};

}  // namespace

std::span<const Builtin> number_methods(const Value& value) {
  if (value.is_integral()) return kIntRows;
  return kFloatRows;
}

}  // namespace cairn::tokenizer::jinja

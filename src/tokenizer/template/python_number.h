// How Python prints, reads and rounds numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tokenizer/template/value.h"

namespace cairn::tokenizer::jinja {

/// Decimal digits.
std::string int_text(Int value);
/// Digits in base 2, 8, 10 or 16, lower case, without a prefix.
std::string int_text(Int value, unsigned base);
/// repr(float): the shortest text that reads back, "1e+16", "100.0", "inf", "nan".
std::string float_text(double value);

/// What int() makes of something: kNone is its ValueError, kTooLarge an integer beyond Int.
enum class IntKind : std::uint8_t { kNone, kValue, kTooLarge };
struct IntResult {
  IntKind kind = IntKind::kNone;
  Int value = 0;
};
/// int(text, base) and int(float); kNone too for infinity and not-a-number.
IntResult read_int(std::string_view text, unsigned base);
IntResult whole_part(double value);

/// int(text, base): white space, sign, prefix, underscores. Base 0 and 2 to 36. Empty when it is
/// none, or too large.
std::optional<Int> parse_int(std::string_view text, unsigned base);
/// float(text). Empty when it is none.
std::optional<double> parse_float(std::string_view text);
/// int(float): empty when not finite or too large.
std::optional<Int> truncate(double value);

/// The order of an integer and a number that is not NaN, exactly: negative, 0 or positive.
int compare_exactly(Int a, double b);
/// a / b rounded once, as Python divides integers; `b` is not 0.
double true_divide(Int a, Int b);

/// Checked arithmetic; empty on overflow.
std::optional<Int> add(Int a, Int b);
std::optional<Int> subtract(Int a, Int b);
std::optional<Int> multiply(Int a, Int b);
std::optional<Int> power(Int base, Int exponent);
/// Python's // and %, which round down; `b` is not 0.
Int floor_divide(Int a, Int b);
Int modulo(Int a, Int b);
double modulo(double a, double b);
double floor_divide(double a, double b);

/// round(value, digits), half to even in decimal.
double round_to(double value, int digits);

}  // namespace cairn::tokenizer::jinja

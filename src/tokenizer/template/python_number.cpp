#include "tokenizer/template/python_number.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "tokenizer/template/python_text.h"

namespace cairn::tokenizer::jinja {
namespace {

__extension__ typedef unsigned __int128 Unsigned;

Unsigned magnitude(Int value) {
  return value < 0 ? Unsigned{0} - static_cast<Unsigned>(value) : static_cast<Unsigned>(value);
}

std::string_view strip(std::string_view text) {
  text = text.substr(0, skip_space_back(text));
  return text.substr(std::min(skip_space(text), text.size()));
}

/// Without the underscores; empty when one stands where Python allows none.
std::optional<std::string> without_underscores(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_') {
      out += text[i];
      continue;
    }
    const auto alnum = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
    if (i == 0 || i + 1 == text.size() || !alnum(text[i - 1]) || !alnum(text[i + 1])) return {};
  }
  return out;
}

unsigned prefix_base(std::string_view text) {
  if (text.size() < 2 || text[0] != '0') return 0;
  switch (text[1]) {
    case 'x':
    case 'X':
      return 16;
    case 'o':
    case 'O':
      return 8;
    case 'b':
    case 'B':
      return 2;
    default:
      return 0;
  }
}

unsigned digit_value(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'z') return static_cast<unsigned>(c - 'a') + 10;
  if (c >= 'A' && c <= 'Z') return static_cast<unsigned>(c - 'A') + 10;
  return 99;
}

IntResult parse_digits(std::string_view digits, unsigned base) {
  IntResult result{.kind = digits.empty() ? IntKind::kNone : IntKind::kValue};
  for (const char c : digits) {
    const unsigned digit = digit_value(c);
    if (digit >= base) return {};
    if (result.kind == IntKind::kTooLarge) continue;
    if (__builtin_mul_overflow(result.value, Int{base}, &result.value) ||
        __builtin_add_overflow(result.value, Int{digit}, &result.value)) {
      result.kind = IntKind::kTooLarge;
    }
  }
  return result;
}

/// The finite `value` rounded to a multiple of 10^tens, half to even, from its exact digits.
double round_to_tens(double value, int tens) {
  const std::string digits = fmt::format("{:.17e}", std::fabs(value));
  int exponent = 0;
  const std::size_t e = digits.find('e');
  std::from_chars(digits.data() + e + (digits[e + 1] == '+' ? 2 : 1), digits.data() + digits.size(),
                  exponent);
  const int kept = exponent - tens;  // digits after the first that stay
  if (value == 0 || kept < -1) return std::copysign(0.0, value);
  double rounded = 0;
  if (kept >= 0) {
    const std::string text = fmt::format("{:.{}e}", std::fabs(value), kept);
    std::from_chars(text.data(), text.data() + text.size(), rounded);
  } else {
    const std::string half = fmt::format("5e{}", tens - 1);
    const std::string whole = fmt::format("1e{}", tens);
    double limit = 0;
    std::from_chars(half.data(), half.data() + half.size(), limit);
    std::from_chars(whole.data(), whole.data() + whole.size(), rounded);
    if (std::fabs(value) <= limit) rounded = 0;
  }
  return std::copysign(rounded, value);
}

}  // namespace

std::string int_text(Int value) { return int_text(value, 10); }

std::string int_text(Int value, unsigned base) {
  Unsigned rest = magnitude(value);
  std::string digits;
  do {
    digits += "0123456789abcdef"[static_cast<std::size_t>(rest % base)];
    rest /= base;
  } while (rest != 0);
  if (value < 0) digits += '-';
  std::reverse(digits.begin(), digits.end());
  return digits;
}

std::string float_text(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  // Shortest digits in the form d.ddde[+-]xx; Python writes 1e-4 <= |x| < 1e16 without exponent.
  std::string text = fmt::format("{:e}", value);
  char buffer[64];
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific);
  text.assign(buffer, end.ptr);
  const std::size_t e = text.find('e');
  int exponent = 0;
  std::from_chars(text.data() + e + (text[e + 1] == '+' ? 2 : 1), text.data() + text.size(),
                  exponent);
  if (value != 0 && (exponent < -4 || exponent >= 16)) return text;
  const auto fixed = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed);
  text.assign(buffer, fixed.ptr);
  return text.find('.') == std::string::npos ? text + ".0" : text;
}

std::optional<Int> parse_int(std::string_view text, unsigned base) {
  const IntResult result = read_int(text, base);
  return result.kind == IntKind::kValue ? std::optional<Int>(result.value) : std::nullopt;
}

IntResult read_int(std::string_view source, unsigned base) {
  const std::string ascii = ascii_digits(strip(source));
  std::string_view text = ascii;
  bool negative = false;
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) {
    negative = text[0] == '-';
    text.remove_prefix(1);
  }
  const unsigned prefix = prefix_base(text);
  if (prefix != 0 && (base == 0 || base == prefix)) {
    base = prefix;
    text.remove_prefix(2);
    if (!text.empty() && text[0] == '_') text.remove_prefix(1);
  } else if (base == 0) {
    base = 10;
    if (text.size() > 1 && text[0] == '0' && text.find_first_not_of("0_") != text.npos) return {};
  }
  const auto digits = without_underscores(text);
  if (!digits) return {};
  IntResult result = parse_digits(*digits, base);
  if (negative) result.value = -result.value;
  return result;
}

IntResult whole_part(double value) {
  if (!std::isfinite(value)) return {};
  const auto cut = truncate(value);
  if (!cut) return {.kind = IntKind::kTooLarge};
  return {.kind = IntKind::kValue, .value = *cut};
}

int compare_exactly(Int a, double b) {
  constexpr double kBound = 1.7014118346046923e38;  // 2^127: past every Int
  if (b >= kBound) return -1;
  if (b < -kBound) return 1;
  const auto whole = static_cast<Int>(b);
  if (a != whole) return a < whole ? -1 : 1;
  const double rest = b - static_cast<double>(whole);
  return rest > 0 ? -1 : static_cast<int>(rest < 0);
}

double true_divide(Int a, Int b) {
  constexpr Int kExact = Int{1} << 53;
  if (a < kExact && a > -kExact && b < kExact && b > -kExact) {
    return static_cast<double>(a) / static_cast<double>(b);
  }
  const bool negative = (a < 0) != (b < 0);
  Unsigned rest = magnitude(a);
  const Unsigned divisor = magnitude(b);
  // 66 bits of the quotient or more, and one for whether anything is left, round once in the end.
  Unsigned quotient = rest / divisor;
  rest %= divisor;
  int exponent = 0;
  while (quotient < (Unsigned{1} << 66U) && exponent > -200) {
    const bool carry = (rest >> 127U) != 0;
    rest <<= 1U;
    quotient <<= 1U;
    --exponent;
    if (carry || rest >= divisor) {
      rest -= divisor;
      quotient |= 1U;
    }
  }
  if (rest != 0) quotient |= 1U;
  const double value = std::ldexp(static_cast<double>(quotient), exponent);
  return negative ? -value : value;
}

/// A number without sign, spaces and underscores; one beyond the range is 0 or infinity.
std::optional<double> parse_unsigned_float(std::string_view digits) {
  const std::string lower = to_lower(digits);
  if (lower == "inf" || lower == "infinity") return std::numeric_limits<double>::infinity();
  if (lower == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (digits.empty() || (digits[0] != '.' && (digits[0] < '0' || digits[0] > '9'))) return {};
  double value = 0;
  const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (end.ptr != digits.data() + digits.size()) return {};
  if (end.ec == std::errc()) return value;
  if (end.ec != std::errc::result_out_of_range) return {};
  const std::size_t e = lower.find('e');
  const bool tiny = e != lower.npos && e + 1 < lower.size() && lower[e + 1] == '-';
  return tiny ? 0.0 : std::numeric_limits<double>::infinity();
}

std::optional<double> parse_float(std::string_view text) {
  const auto cleaned = without_underscores(ascii_digits(strip(text)));
  if (!cleaned || cleaned->empty()) return {};
  std::string_view digits = *cleaned;
  bool negative = false;
  if (digits[0] == '+' || digits[0] == '-') {
    negative = digits[0] == '-';
    digits.remove_prefix(1);
  }
  const auto value = parse_unsigned_float(digits);
  if (!value) return {};
  return negative ? -*value : *value;
}

std::optional<Int> truncate(double value) {
  if (!std::isfinite(value) || std::fabs(value) >= 1e38) return {};
  return static_cast<Int>(value);
}

std::optional<Int> add(Int a, Int b) {
  Int out = 0;
  if (__builtin_add_overflow(a, b, &out)) return {};
  return out;
}

std::optional<Int> subtract(Int a, Int b) {
  Int out = 0;
  if (__builtin_sub_overflow(a, b, &out)) return {};
  return out;
}

std::optional<Int> multiply(Int a, Int b) {
  Int out = 0;
  if (__builtin_mul_overflow(a, b, &out)) return {};
  return out;
}

std::optional<Int> power(Int base, Int exponent) {
  if (base == 0 || base == 1 || exponent == 0) return exponent == 0 ? 1 : base;
  if (base == -1) return exponent % 2 == 0 ? 1 : -1;
  if (exponent > 127) return {};
  Int out = 1;
  for (Int i = 0; i < exponent; ++i) {
    if (__builtin_mul_overflow(out, base, &out)) return {};
  }
  return out;
}

Int floor_divide(Int a, Int b) {
  if (b == -1) return Int{0} - (a + 1) + 1;  // the one overflow is excluded by the caller's range
  const Int quotient = a / b;
  return a % b != 0 && (a % b < 0) != (b < 0) ? quotient - 1 : quotient;
}

Int modulo(Int a, Int b) {
  if (b == -1) return 0;
  const Int rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

double modulo(double a, double b) {
  const double rest = std::fmod(a, b);
  if (rest == 0) return std::copysign(0.0, b);
  return (rest < 0) != (b < 0) ? rest + b : rest;
}

double floor_divide(double a, double b) {
  // Source: CPython 3.11, float_floor_div, as its behaviour: the quotient of what fmod leaves.
  double rest = std::fmod(a, b);
  double quotient = (a - rest) / b;
  if (rest != 0 && (b < 0) != (rest < 0)) quotient -= 1.0;
  if (quotient == 0) return std::copysign(0.0, a / b);
  const double whole = std::floor(quotient);
  return quotient - whole > 0.5 ? whole + 1.0 : whole;
}

double round_to(double value, int digits) {
  // Beyond these a double has no digits to round, and the result is the value or zero.
  if (!std::isfinite(value) || digits > 323) return value;
  if (digits < -308) return std::copysign(0.0, value);
  if (digits >= 0) {
    const auto rounded = parse_float(fmt::format("{:.{}f}", value, digits));
    return rounded ? *rounded : value;
  }
  return round_to_tens(value, -digits);
}

}  // namespace cairn::tokenizer::jinja

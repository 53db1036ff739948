// format_number(): one number by a format specification.
#include <fmt/format.h>

#include <cctype>
#include <cmath>

#include "base/utf8.h"
#include "tokenizer/template/format.h"
#include "tokenizer/template/python_number.h"

namespace cairn::tokenizer::jinja {
namespace {

std::string grouped(std::string digits, std::size_t group, char mark) {
  for (std::size_t at = digits.size(); at > group; at -= group) digits.insert(at - group, 1, mark);
  return digits;
}

/// Puts the sign, the prefix and the width around the digits of a number.
std::string framed(const FormatSpec& spec, bool negative, std::string prefix, std::string digits) {
  if (spec.comma || spec.underscore) {
    const std::size_t point =
        std::min(digits.find_first_not_of("0123456789abcdefABCDEF"), digits.size());
    const bool decimal = prefix.empty() && spec.type != 'x' && spec.type != 'b' && spec.type != 'o';
    digits = grouped(digits.substr(0, point), decimal ? 3 : 4, spec.comma ? ',' : '_') +
             digits.substr(point);
  }
  if (negative) {
    prefix.insert(0, "-");
  } else if (spec.sign != '-') {
    prefix.insert(0, 1, spec.sign);
  }
  if (spec.align == '=' && prefix.size() + digits.size() < spec.width) {
    std::string fill;
    for (std::size_t i = prefix.size() + digits.size(); i < spec.width; ++i) fill += spec.fill;
    return prefix + fill + digits;
  }
  return prefix + digits;
}

std::string float_digits(double value, const FormatSpec& spec) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return "inf";
  const int precision = spec.precision < 0 ? 6 : spec.precision;
  const char type = static_cast<char>(std::tolower(spec.type));
  if (type == 'e') return fmt::format("{:.{}e}", value, precision);
  if (type == 'f') return fmt::format("{:.{}f}", value, precision);
  if (type == '%') return fmt::format("{:.{}f}%", value * 100, precision);
  if (type != 0) return fmt::format("{:.{}g}", value, precision == 0 ? 1 : precision);
  if (spec.precision < 0) return float_text(value);
  const std::string digits = fmt::format("{:.{}g}", value, precision == 0 ? 1 : precision);
  return digits.find_first_of(".e") == std::string::npos ? digits + ".0" : digits;
}

std::string format_float(double value, const FormatSpec& spec) {
  std::string digits = float_digits(std::fabs(value), spec);
  if (spec.type == 'E' || spec.type == 'F' || spec.type == 'G') {
    for (char& c : digits) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return framed(spec, std::signbit(value) && !std::isnan(value), "", digits);
}

std::string format_int(Int value, const FormatSpec& spec) {
  const bool negative = value < 0;
  const auto based = [&](unsigned base, std::string_view prefix) {
    std::string digits = int_text(value, base);
    if (negative) digits.erase(0, 1);
    return framed(spec, negative, std::string(spec.alternate ? prefix : ""), digits);
  };
  switch (spec.type) {
    case 'x':
      return based(16, "0x");
    case 'o':
      return based(8, "0o");
    case 'b':
      return based(2, "0b");
    case 'X': {
      std::string text = based(16, "0x");
      for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
      return text;
    }
    default:
      return based(10, "");
  }
}

std::string format_character(Run& run, Int code) {
  std::string text;
  if (code < 0 || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) {
    run.fail("%c arg not in range(0x110000)");
  } else {
    append_utf8(text, static_cast<char32_t>(code));
  }
  return text;
}

}  // namespace

std::string format_number(Run& run, const Value& value, const FormatSpec& spec) {
  constexpr std::string_view kFloatTypes = "eEfFgG%";
  const bool wants_float = spec.type != 0 && kFloatTypes.find(spec.type) != std::string_view::npos;
  if (value.is(ValueKind::kFloat) || wants_float) {
    if (!wants_float && spec.type != 0 && spec.type != 'n') {
      run.fail(fmt::format("Unknown format code '{}' for object of type 'float'", spec.type));
      return {};
    }
    return format_float(value.as_double(), spec);
  }
  constexpr std::string_view kIntTypes("\0dbcoxXn", 8);
  if (kIntTypes.find(spec.type) == std::string_view::npos) {
    run.fail(fmt::format("Unknown format code '{}' for object of type 'int'", spec.type));
    return {};
  }
  if (spec.type == 'c') return format_character(run, value.as_int());
  return format_int(value.as_int(), spec);
}

}  // namespace cairn::tokenizer::jinja

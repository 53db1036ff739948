// The classes of characters behind str.isalpha(), isupper(), ...
#include <utf8proc.h>

#include <algorithm>
#include <array>

#include "base/utf8.h"
#include "tokenizer/template/character_tables.h"
#include "tokenizer/template/python_text.h"

namespace cairn::tokenizer::jinja {
namespace {

utf8proc_category_t category(char32_t code) {
  return utf8proc_category(static_cast<utf8proc_int32_t>(code));
}

template <std::size_t N>
bool within(const std::array<CodeRange, N>& ranges, char32_t code) {
  const auto* found =
      std::lower_bound(ranges.begin(), ranges.end(), code,
                       [](const CodeRange& range, char32_t c) { return range.last < c; });
  return found != ranges.end() && found->first <= code;
}

bool may_begin_name(char32_t code) {
  return is_alpha(code) || category(code) == UTF8PROC_CATEGORY_NL;
}

}  // namespace

bool is_space(char32_t code) {
  return (code >= 0x09 && code <= 0x0D) || (code >= 0x1C && code <= 0x20) || code == 0x85 ||
         code == 0xA0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200A) || code == 0x2028 ||
         code == 0x2029 || code == 0x202F || code == 0x205F || code == 0x3000;
}

bool is_alpha(char32_t code) {
  const utf8proc_category_t c = category(code);
  return c >= UTF8PROC_CATEGORY_LU && c <= UTF8PROC_CATEGORY_LO;
}

bool is_decimal(char32_t code) { return category(code) == UTF8PROC_CATEGORY_ND; }

bool is_digit(char32_t code) { return is_decimal(code) || within(kOtherDigit, code); }

bool is_numeric(char32_t code) {
  const utf8proc_category_t c = category(code);
  return c == UTF8PROC_CATEGORY_ND || c == UTF8PROC_CATEGORY_NL || c == UTF8PROC_CATEGORY_NO ||
         within(kOtherNumeric, code);
}

bool is_upper(char32_t code) {
  return category(code) == UTF8PROC_CATEGORY_LU || within(kOtherUpper, code);
}
bool is_lower(char32_t code) {
  return category(code) == UTF8PROC_CATEGORY_LL || within(kOtherLower, code);
}
bool is_title(char32_t code) { return category(code) == UTF8PROC_CATEGORY_LT; }

bool is_printable(char32_t code) {
  switch (category(code)) {
    case UTF8PROC_CATEGORY_CN:
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_CO:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
      return false;
    case UTF8PROC_CATEGORY_ZS:
      return code == U' ';
    default:
      return true;
  }
}

bool is_name_char(char32_t code) {
  const utf8proc_category_t c = category(code);
  return is_alpha(code) || is_numeric(code) || c == UTF8PROC_CATEGORY_MN ||
         c == UTF8PROC_CATEGORY_MC || c == UTF8PROC_CATEGORY_PC;
}

bool is_cased(char32_t code) { return is_upper(code) || is_lower(code) || is_title(code); }

bool is_case_ignorable(char32_t code) {
  constexpr std::u32string_view kMarks =
      U"'.:^`\u00A8\u00AD\u00AF\u00B4\u00B7\u00B8\u2018\u2019"
      U"\u2024\u2027\uFE13\uFE52\uFE55\uFF07\uFF0E\uFF1A";
  switch (category(code)) {
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_SK:
      return true;
    default:
      return kMarks.find(code) != std::u32string_view::npos;
  }
}

bool starts_name(char32_t code) {
  if (code == U'_' || within(kOtherNameStart, code)) return true;
  return may_begin_name(code) && !within(kNoNameStart, code);
}

bool continues_name(char32_t code) {
  const utf8proc_category_t c = category(code);
  const bool part = may_begin_name(code) || is_decimal(code) || c == UTF8PROC_CATEGORY_MN ||
                    c == UTF8PROC_CATEGORY_MC || c == UTF8PROC_CATEGORY_PC;
  return (part && !within(kNoNamePart, code)) || within(kOtherNamePart, code);
}

std::string ascii_digits(std::string_view text) {
  std::string out;
  for (const char32_t code : decode(text)) {
    if (code < 0x80 || !is_decimal(code)) {
      append_utf8(out, code);
      continue;
    }
    // Unicode has the decimal digits in runs of whole tens, each from 0 to 9.
    char32_t zero = code;
    while (is_decimal(zero - 1)) --zero;
    out += static_cast<char>('0' + (code - zero) % 10);
  }
  return out;
}

}  // namespace cairn::tokenizer::jinja

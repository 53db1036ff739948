// The classes of characters behind str.isalpha(), isupper(), ...
#include <utf8proc.h>

#include "tokenizer/template/python_text.h"

namespace cairn::tokenizer::jinja {
namespace {

utf8proc_category_t category(char32_t code) {
  return utf8proc_category(static_cast<utf8proc_int32_t>(code));
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

bool is_digit(char32_t code) {
  const bool superscript = code == 0xB2 || code == 0xB3 || code == 0xB9 || code == 0x2070 ||
                           (code >= 0x2074 && code <= 0x2079) || (code >= 0x2080 && code <= 0x2089);
  return superscript || (code >= 0x2460 && code <= 0x2468) || is_decimal(code);
}

bool is_numeric(char32_t code) {
  const utf8proc_category_t c = category(code);
  return c == UTF8PROC_CATEGORY_ND || c == UTF8PROC_CATEGORY_NL || c == UTF8PROC_CATEGORY_NO;
}

bool is_upper(char32_t code) { return category(code) == UTF8PROC_CATEGORY_LU; }
bool is_lower(char32_t code) { return category(code) == UTF8PROC_CATEGORY_LL; }
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

}  // namespace cairn::tokenizer::jinja

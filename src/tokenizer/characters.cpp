#include "tokenizer/characters.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>

namespace cairn::tokenizer {
namespace {

utf8proc_category_t category(char32_t code) {
  return utf8proc_category(static_cast<utf8proc_int32_t>(code));
}

struct Range {
  char32_t first = 0;
  char32_t last = 0;
};

constexpr Range kIdeographs[] = {
    {0x4E00, 0x9FFF},   {0x3400, 0x4DBF},   {0x20000, 0x2A6DF}, {0x2A700, 0x2B73F},
    {0x2B740, 0x2B81F}, {0x2B920, 0x2CEAF}, {0xF900, 0xFAFF},   {0x2F800, 0x2FA1F},
};

}  // namespace

bool is_decimal_digit(char32_t code) { return category(code) == UTF8PROC_CATEGORY_ND; }

bool is_other(char32_t code) {
  const utf8proc_category_t found = category(code);
  return found == UTF8PROC_CATEGORY_CC || found == UTF8PROC_CATEGORY_CF ||
         found == UTF8PROC_CATEGORY_CS || found == UTF8PROC_CATEGORY_CO ||
         found == UTF8PROC_CATEGORY_CN;
}

bool is_nonspacing_mark(char32_t code) { return category(code) == UTF8PROC_CATEGORY_MN; }

bool is_punctuation(char32_t code) {
  if (code < 0x80) {
    return (code >= 0x21 && code <= 0x2F) || (code >= 0x3A && code <= 0x40) ||
           (code >= 0x5B && code <= 0x60) || (code >= 0x7B && code <= 0x7E);
  }
  const utf8proc_category_t found = category(code);
  return found >= UTF8PROC_CATEGORY_PC && found <= UTF8PROC_CATEGORY_PO;
}

bool is_bert_ideograph(char32_t code) {
  return std::any_of(std::begin(kIdeographs), std::end(kIdeographs),
                     [&](Range range) { return code >= range.first && code <= range.last; });
}

char32_t to_lower(char32_t code) {
  return static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(code)));
}

void append_decomposed(std::u32string& out, char32_t code) {
  std::array<utf8proc_int32_t, 32> parts = {};
  int boundary = 0;
  const auto count = utf8proc_decompose_char(static_cast<utf8proc_int32_t>(code), parts.data(),
                                             static_cast<utf8proc_ssize_t>(parts.size()),
                                             UTF8PROC_DECOMPOSE, &boundary);
  if (count <= 0 || static_cast<std::size_t>(count) > parts.size()) {
    out.push_back(code);
    return;
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    out.push_back(static_cast<char32_t>(parts[i]));
  }
}

}  // namespace cairn::tokenizer

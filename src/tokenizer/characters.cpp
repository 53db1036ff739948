#include "tokenizer/characters.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/status.h"
#include "base/utf8.h"

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

namespace {

int combining_class(char32_t code) {
  return utf8proc_get_property(static_cast<utf8proc_int32_t>(code))->combining_class;
}

/// Orders each run of marks by class, keeping those of one class as they stand. utf8proc would do
/// it one exchange after the other, which takes the square of the run.
void order_marks(std::u32string& text) {
  for (auto begin = text.begin(); begin != text.end();) {
    begin = std::find_if(begin, text.end(), [](char32_t c) { return combining_class(c) != 0; });
    const auto end =
        std::find_if(begin, text.end(), [](char32_t c) { return combining_class(c) == 0; });
    std::stable_sort(
        begin, end, [](char32_t a, char32_t b) { return combining_class(a) < combining_class(b); });
    begin = end;
  }
}

void append_composed(std::string& out, std::u32string& decomposed) {
  order_marks(decomposed);
  std::vector<utf8proc_int32_t> codes(decomposed.begin(), decomposed.end());
  const auto size =
      utf8proc_normalize_utf32(codes.data(), static_cast<utf8proc_ssize_t>(codes.size()),
                               static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  CAIRN_CHECK(size >= 0);  // it fails for options that contradict each other alone
  for (std::size_t i = 0; i < static_cast<std::size_t>(size); ++i) {
    append_utf8(out, static_cast<char32_t>(codes[i]));
  }
  decomposed.clear();
}

}  // namespace

std::string composed(std::string_view text) {
  const auto is_ascii = [](char c) { return (static_cast<unsigned char>(c) & 0x80U) == 0; };
  if (std::ranges::all_of(text, is_ascii)) return std::string(text);
  std::string out;
  std::u32string run;
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Char character = decode_utf8(text, at);
    if (character.valid) {
      append_decomposed(run, character.code);
    } else {
      append_composed(out, run);
      out += text.substr(at, character.size);
    }
    at += character.size;
  }
  append_composed(out, run);
  return out;
}

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

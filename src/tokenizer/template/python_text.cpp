#include "tokenizer/template/python_text.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/utf8.h"
#include "tokenizer/template/long_case_table.h"

namespace cairn::tokenizer::jinja {
namespace {

char32_t single_upper(char32_t code) {
  return static_cast<char32_t>(utf8proc_toupper(static_cast<utf8proc_int32_t>(code)));
}

char32_t single_lower(char32_t code) {
  return static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(code)));
}

char32_t single_title(char32_t code) {
  return static_cast<char32_t>(utf8proc_totitle(static_cast<utf8proc_int32_t>(code)));
}

const LongCase* long_case(char32_t code) {
  const auto* found =
      std::lower_bound(kLongCases.begin(), kLongCases.end(), code,
                       [](const LongCase& row, char32_t c) { return row.code < c; });
  return found != kLongCases.end() && found->code == code ? found : nullptr;
}

void append_all(std::string& out, std::u32string_view codes) {
  for (const char32_t code : codes) append_utf8(out, code);
}

void append_upper(std::string& out, char32_t code) {
  const LongCase* row = long_case(code);
  if (row != nullptr) {
    append_all(out, row->upper);
  } else {
    append_utf8(out, single_upper(code));
  }
}

void append_title(std::string& out, char32_t code) {
  const LongCase* row = long_case(code);
  if (row != nullptr) {
    append_all(out, row->title);
  } else {
    append_utf8(out, single_title(code));
  }
}

// Unicode 15, 3.13, table 3-17: a capital sigma at the end of a word has a form of its own.
bool is_final_sigma(const std::u32string& text, std::size_t at) {
  std::size_t before = at;
  while (before > 0 && is_case_ignorable(text[before - 1])) --before;
  if (before == 0 || !is_cased(text[before - 1])) return false;
  std::size_t after = at + 1;
  while (after < text.size() && is_case_ignorable(text[after])) ++after;
  return after == text.size() || !is_cased(text[after]);
}

void append_lower(std::string& out, const std::u32string& text, std::size_t at) {
  constexpr char32_t kCapitalSigma = 0x3A3;
  constexpr char32_t kDottedI = 0x130;
  if (text[at] == kCapitalSigma) {
    append_utf8(out, is_final_sigma(text, at) ? 0x3C2 : 0x3C3);
  } else if (text[at] == kDottedI) {
    append_all(out, U"i\u0307");
  } else {
    append_utf8(out, single_lower(text[at]));
  }
}

std::size_t line_break_size(std::string_view text, std::size_t at, const Utf8Char& c) {
  if (c.code == U'\r') return at + 1 < text.size() && text[at + 1] == '\n' ? 2 : 1;
  const bool breaks = (c.code >= U'\n' && c.code <= U'\f') || (c.code >= 0x1C && c.code <= 0x1E) ||
                      c.code == 0x85 || c.code == 0x2028 || c.code == 0x2029;
  return breaks ? c.size : 0;
}

void append_quoted(std::string& out, char32_t code, char32_t mark) {
  if (code == mark || code == U'\\') {
    out += '\\';
    append_utf8(out, code);
  } else if (code == U'\n') {
    out += "\\n";
  } else if (code == U'\r') {
    out += "\\r";
  } else if (code == U'\t') {
    out += "\\t";
  } else if (is_printable(code)) {
    append_utf8(out, code);
  } else if (code < 0x100) {
    out += fmt::format("\\x{:02x}", static_cast<unsigned>(code));
  } else if (code < 0x10000) {
    out += fmt::format("\\u{:04x}", static_cast<unsigned>(code));
  } else {
    out += fmt::format("\\U{:08x}", static_cast<unsigned>(code));
  }
}

}  // namespace

std::size_t char_count(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
  }));
}

std::vector<std::size_t> char_starts(std::string_view text) {
  std::vector<std::size_t> starts;
  starts.reserve(text.size() + 1);
  for (std::size_t at = 0; at < text.size(); ++at) {
    if ((static_cast<unsigned char>(text[at]) & 0xC0U) != 0x80U) starts.push_back(at);
  }
  starts.push_back(text.size());
  return starts;
}

std::u32string decode(std::string_view text) {
  std::u32string codes;
  codes.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Char c = decode_utf8(text, at);
    codes += c.code;
    at += c.size;
  }
  return codes;
}

std::size_t skip_space(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const Utf8Char c = decode_utf8(text, at);
    if (!is_space(c.code)) break;
    at += c.size;
  }
  return at;
}

std::size_t skip_space_back(std::string_view text) {
  std::size_t end = text.size();
  while (end > 0) {
    std::size_t at = end - 1;
    while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) --at;
    if (!is_space(decode_utf8(text, at).code)) break;
    end = at;
  }
  return end;
}

std::string to_upper(std::string_view text) {
  std::string out;
  for (const char32_t code : decode(text)) append_upper(out, code);
  return out;
}

std::string to_lower(std::string_view text) {
  const std::u32string codes = decode(text);
  std::string out;
  for (std::size_t at = 0; at < codes.size(); ++at) append_lower(out, codes, at);
  return out;
}

std::string to_title(std::string_view text) {
  const std::u32string codes = decode(text);
  std::string out;
  bool in_word = false;
  for (std::size_t at = 0; at < codes.size(); ++at) {
    if (in_word) {
      append_lower(out, codes, at);
    } else {
      append_title(out, codes[at]);
    }
    in_word = is_cased(codes[at]);
  }
  return out;
}

std::string to_capitalized(std::string_view text) {
  const std::u32string codes = decode(text);
  std::string out;
  for (std::size_t at = 0; at < codes.size(); ++at) {
    if (at == 0) {
      append_title(out, codes[at]);
    } else {
      append_lower(out, codes, at);
    }
  }
  return out;
}

std::string to_swapped(std::string_view text) {
  const std::u32string codes = decode(text);
  std::string out;
  for (std::size_t at = 0; at < codes.size(); ++at) {
    if (is_upper(codes[at])) {
      append_lower(out, codes, at);
    } else if (is_lower(codes[at])) {
      append_upper(out, codes[at]);
    } else {
      append_utf8(out, codes[at]);
    }
  }
  return out;
}

std::string to_folded(std::string_view text) {
  std::string out;
  for (const char32_t code : decode(text)) {
    std::array<utf8proc_int32_t, 8> folded = {};
    const utf8proc_ssize_t size = utf8proc_decompose_char(
        static_cast<utf8proc_int32_t>(code), folded.data(),
        static_cast<utf8proc_ssize_t>(folded.size()), UTF8PROC_CASEFOLD, nullptr);
    for (utf8proc_ssize_t i = 0; i < size; ++i) {
      append_utf8(out, static_cast<char32_t>(folded[static_cast<std::size_t>(i)]));
    }
  }
  return out;
}

std::string quote(std::string_view text) {
  const bool doubled =
      text.find('\'') != std::string_view::npos && text.find('"') == std::string_view::npos;
  const char mark = doubled ? '"' : '\'';
  std::string out(1, mark);
  for (const char32_t code : decode(text)) {
    append_quoted(out, code, static_cast<unsigned char>(mark));
  }
  return out + mark;
}

std::vector<Line> split_lines(std::string_view text) {
  std::vector<Line> lines;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Char c = decode_utf8(text, at);
    const std::size_t size = line_break_size(text, at, c);
    if (size != 0) {
      lines.push_back({.begin = begin, .end = at, .next = at + size});
      begin = at + size;
    }
    at += size != 0 ? size : c.size;
  }
  if (begin < text.size()) {
    lines.push_back({.begin = begin, .end = text.size(), .next = text.size()});
  }
  return lines;
}

}  // namespace cairn::tokenizer::jinja

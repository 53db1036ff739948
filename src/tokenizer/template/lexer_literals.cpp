#include "tokenizer/template/lexer_literals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/utf8.h"
#include "tokenizer/template/python_number.h"
#include "tokenizer/template/python_text.h"

namespace cairn::tokenizer::jinja {
namespace {

bool is_ascii_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex_digit(char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; }
bool is_octal_digit(char c) { return c >= '0' && c <= '7'; }
bool is_binary_digit(char c) { return c == '0' || c == '1'; }
bool is_zero(char c) { return c == '0'; }

/// Size of digits with single underscores between them; with `lead`, one may stand in front.
std::size_t digits_size(std::string_view text, bool (*is_digit_char)(char), std::size_t lead) {
  std::size_t at = lead != 0 && !text.empty() && text[0] == '_' ? 1 : 0;
  std::size_t size = 0;
  while (at < text.size() && is_digit_char(text[at])) {
    size = ++at;
    if (at < text.size() && text[at] == '_') ++at;
  }
  return size;
}

std::size_t prefixed_size(std::string_view text, char letter, bool (*is_digit_char)(char)) {
  const bool prefixed = text.size() > 2 && text[0] == '0' && (text[1] | 0x20) == letter;
  if (!prefixed) return 0;
  const std::size_t digits = digits_size(text.substr(2), is_digit_char, 1);
  return digits == 0 ? 0 : digits + 2;
}

/// Appends the code point of `count` hex digits at `at`; false when they are not there.
bool append_hex(std::string& out, std::string_view text, std::size_t at, std::size_t count) {
  const std::string_view digits = text.substr(std::min(at, text.size()), count);
  if (digits.size() != count || !std::all_of(digits.begin(), digits.end(), is_hex_digit)) {
    return false;
  }
  const auto code = parse_int(digits, 16);
  const bool valid = code && *code <= 0x10FFFF && (*code < 0xD800 || *code > 0xDFFF);
  if (valid) append_utf8(out, static_cast<char32_t>(*code));
  return valid;
}

std::size_t append_octal(std::string& out, std::string_view text, std::size_t at) {
  std::size_t size = 0;
  char32_t code = 0;
  while (size < 3 && at + size < text.size() && is_octal_digit(text[at + size])) {
    code = code * 8 + static_cast<char32_t>(text[at + size++] - '0');
  }
  append_utf8(out, code);
  return size;
}

constexpr std::string_view kShortEscapes = "ntr\\'\"abfv\n";
constexpr std::string_view kShortMeanings("\n\t\r\\'\"\a\b\f\v", 10);

/// Appends what the escape with letter text[at] means; the size it took after the backslash.
Result<std::size_t> append_escape(std::string& out, std::string_view text, std::size_t at) {
  const char letter = text[at];
  const std::size_t place = kShortEscapes.find(letter);
  if (place != std::string_view::npos) {
    if (place < kShortMeanings.size()) out += kShortMeanings[place];
    return std::size_t{1};
  }
  if (is_octal_digit(letter)) return append_octal(out, text, at);
  const std::size_t count = letter == 'x' ? 2 : letter == 'u' ? 4 : letter == 'U' ? 8 : 0;
  if (count != 0) {
    if (append_hex(out, text, at + 1, count)) return count + 1;
    return invalid_argument(fmt::format(
        "the escape \\{} wants {} hex digits of a character in a string", letter, count));
  }
  if (static_cast<unsigned char>(letter) >= 0x80) {
    // jinja2 writes what is not ASCII as an escape of its own first, whose backslash this one
    // takes.
    const Utf8Char c = decode_utf8(text, at);
    const auto code = static_cast<unsigned>(c.code);
    out += code < 0x100     ? fmt::format("\\x{:02x}", code)
           : code < 0x10000 ? fmt::format("\\u{:04x}", code)
                            : fmt::format("\\U{:08x}", code);
    return c.size;
  }
  if (letter == 'N') return invalid_argument("character names (\\N) in strings are not supported");
  out += '\\';
  return std::size_t{0};
}

}  // namespace

std::size_t float_size(std::string_view source, std::size_t at) {
  if (at > 0 && source[at - 1] == '.') return 0;
  const std::string_view text = source.substr(at);
  const std::size_t whole = digits_size(text, is_ascii_digit, 0);
  if (whole == 0) return 0;
  std::size_t size = whole;
  bool is_float = false;
  if (size < text.size() && text[size] == '.') {
    const std::size_t fraction = digits_size(text.substr(size + 1), is_ascii_digit, 0);
    if (fraction != 0) {
      size += 1 + fraction;
      is_float = true;
    }
  }
  if (size < text.size() && (text[size] | 0x20) == 'e') {
    std::size_t digits = size + 1;
    if (digits < text.size() && (text[digits] == '+' || text[digits] == '-')) ++digits;
    const std::size_t exponent =
        digits_size(text.substr(std::min(digits, text.size())), is_ascii_digit, 0);
    if (exponent != 0) return digits + exponent;
  }
  return is_float ? size : 0;
}

std::size_t integer_size(std::string_view text) {
  if (text.empty() || !is_ascii_digit(text[0])) return 0;
  const std::size_t prefixed =
      std::max({prefixed_size(text, 'b', is_binary_digit), prefixed_size(text, 'o', is_octal_digit),
                prefixed_size(text, 'x', is_hex_digit)});
  if (prefixed != 0) return prefixed;
  return digits_size(text, text[0] == '0' ? is_zero : is_ascii_digit, 0);
}

std::size_t name_size(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const Utf8Char c = decode_utf8(text, at);
    if (!is_name_char(c.code)) break;
    at += c.size;
  }
  return at;
}

std::size_t string_size(std::string_view text) {
  for (std::size_t at = 1; at < text.size(); ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text[at] == text[0]) {
      return at + 1;
    }
  }
  return 0;
}

bool read_number(Token& token) {
  if (token.kind == TokenKind::kInteger) {
    const auto value = parse_int(token.text, 0);
    if (value) token.integer = *value;
    return value.has_value();
  }
  const auto value = parse_float(token.text);
  if (value) token.floating = *value;
  return value.has_value();
}

Result<std::string> unescape(std::string_view inside) {
  std::string out;
  for (std::size_t at = 0; at < inside.size();) {
    if (inside[at] != '\\' || at + 1 == inside.size()) {
      out += inside[at++];
      continue;
    }
    CAIRN_ASSIGN(const std::size_t size, append_escape(out, inside, at + 1));
    at += 1 + size;
  }
  return out;
}

}  // namespace cairn::tokenizer::jinja

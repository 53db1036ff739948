// Letters and blanks of ASCII, whatever the locale; every other byte stays as it is.
#pragma once

#include <string>
#include <string_view>

namespace cairn {

/// Whether `c` is one of 0 to 9.
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// "a" for "A".
constexpr char lower_ascii(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// 10 for "a" and "A"; -1 for what is no hexadecimal digit.
constexpr int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  const char lower = lower_ascii(c);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/// "content-length" for "Content-Length".
std::string lower_ascii(std::string_view text);

/// `text` without the spaces, tabs and ends of lines around it.
std::string_view trimmed(std::string_view text);

}  // namespace cairn

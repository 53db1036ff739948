// UTF-8: decoding that never reads past the end and takes any bytes. Source: Unicode 15, 3.9,
// table 3-7 (well-formed sequences) and "substitution of maximal subparts".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cairn {

constexpr char32_t kReplacementCharacter = 0xFFFD;

/// One decoded character, or the bytes at its place that are none.
struct Utf8Char {
  char32_t code = kReplacementCharacter;
  std::size_t size = 0;
  bool valid = false;
};

/// The character that starts at byte `at` of `text`. Bytes that are no character give U+FFFD and
/// the size of their maximal subpart, at least 1. At or past the end: size 0, not valid.
Utf8Char decode_utf8(std::string_view text, std::size_t at);

/// Adds `code` to `out`; a surrogate or a number past U+10FFFF is added as U+FFFD.
void append_utf8(std::string& out, char32_t code);

/// `text` with every maximal subpart that is no character replaced by U+FFFD.
std::string replace_invalid_utf8(std::string_view text);

/// How many bytes at the end of `text` are the start of a character that more bytes could finish:
/// 0 to 3.
std::size_t incomplete_utf8_suffix(std::string_view text);

}  // namespace cairn

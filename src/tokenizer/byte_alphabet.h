// GPT-2's alphabet: one printable character for each byte, so that any bytes are text.
// Source: Radford and others 2019, encoder.py (bytes_to_unicode).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cairn::tokenizer {

/// The character that stands for `byte`.
constexpr char32_t byte_to_character(std::uint8_t byte) {
  const auto code = static_cast<char32_t>(byte);
  if ((code >= 0x21 && code <= 0x7E) || (code >= 0xA1 && code != 0xAD)) return code;
  if (code <= 0x20) return 0x100 + code;
  if (code == 0xAD) return 0x143;
  return 0x121 + (code - 0x7F);  // 0x7F to 0xA0
}

/// The byte that a character stands for, if any.
constexpr std::optional<std::uint8_t> character_to_byte(char32_t code) {
  if ((code >= 0x21 && code <= 0x7E) || (code >= 0xA1 && code <= 0xFF && code != 0xAD)) {
    return static_cast<std::uint8_t>(code);
  }
  if (code >= 0x100 && code <= 0x120) return static_cast<std::uint8_t>(code - 0x100);
  if (code >= 0x121 && code <= 0x142) return static_cast<std::uint8_t>(code - 0x121 + 0x7F);
  if (code == 0x143) return static_cast<std::uint8_t>(0xAD);
  return std::nullopt;
}

/// `bytes` written in the alphabet.
std::string to_byte_alphabet(std::string_view bytes);

/// The bytes that `text` stands for, or nothing where a character is not of the alphabet.
std::optional<std::string> from_byte_alphabet(std::string_view text);

}  // namespace cairn::tokenizer

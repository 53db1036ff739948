// hex: bytes as hexadecimal digits, as the drivers tell texts to Python.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace cairn::engine {

/// Two lower-case digits a byte.
inline std::string to_hex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const char each : bytes) {
    const auto byte = static_cast<std::uint8_t>(each);
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

/// The bytes of an even number of digits.
inline std::string from_hex(const std::string& text) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    bytes += static_cast<char>(std::strtol(text.substr(i, 2).c_str(), nullptr, 16));
  }
  return bytes;
}

}  // namespace cairn::engine

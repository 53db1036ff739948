#include "tokenizer/byte_alphabet.h"

#include "base/utf8.h"

namespace cairn::tokenizer {

std::string to_byte_alphabet(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size() + bytes.size() / 4);
  for (const char byte : bytes)
    append_utf8(text, byte_to_character(static_cast<std::uint8_t>(byte)));
  return text;
}

std::optional<std::string> from_byte_alphabet(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Char character = decode_utf8(text, at);
    const auto byte = character.valid ? character_to_byte(character.code) : std::nullopt;
    if (!byte) return std::nullopt;
    bytes.push_back(static_cast<char>(*byte));
    at += character.size;
  }
  return bytes;
}

}  // namespace cairn::tokenizer

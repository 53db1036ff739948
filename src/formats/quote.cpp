#include "formats/quote.h"

#include <fmt/core.h>

#include "base/utf8.h"

namespace cairn::formats {
namespace {

bool is_control(char32_t code) { return code < 0x20 || (code >= 0x7F && code < 0xA0); }

}  // namespace

std::string printable(std::string_view text, std::size_t bytes_max) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (out.size() >= bytes_max) return out + "...";
    const Utf8Char c = decode_utf8(text, at);
    const std::string_view bytes = text.substr(at, c.size);
    at += c.size;
    if (c.valid && !is_control(c.code)) {
      out += bytes == "\\" ? "\\\\" : bytes;
      continue;
    }
    for (const char byte : bytes) out += fmt::format("\\x{:02X}", static_cast<unsigned char>(byte));
  }
  return out;
}

}  // namespace cairn::formats

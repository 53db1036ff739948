#include "cli/prompt_checks.h"

#include <fmt/core.h>

#include "base/utf8.h"
#include "cli/terminal.h"

namespace cairn::cli {

Status check_utf8(std::string_view what, std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Char c = decode_utf8(text, at);
    if (!c.valid) {
      return invalid_argument(fmt::format("{} is not UTF-8: byte {} is {}", what, at + 1,
                                          hex_bytes(text.substr(at, 1))));
    }
    at += c.size;
  }
  return {};
}

std::string hex_bytes(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) {
    text += fmt::format("{}{:02X}", text.empty() ? "" : " ", static_cast<unsigned char>(byte));
  }
  return text;
}

void note_missing_bytes(std::string_view text, std::string_view missing) {
  std::string found;
  for (const char byte : missing) {
    if (text.find(byte) != std::string_view::npos) found += byte;
  }
  if (found.empty()) return;
  note(fmt::format("cairn: warning: no token stands for the byte{} {} of the prompt; left out\n",
                   found.size() == 1 ? "" : "s", hex_bytes(found)));
}

}  // namespace cairn::cli

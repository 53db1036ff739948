#include "evidence/wire/predicates.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/ascii.h"

namespace cairn::evidence {
namespace {

constexpr std::string_view kBlanks = " \t\n\v\f\r";
constexpr std::string_view kSeparators = " \t\n\v\f\r\"'`=,;()";

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool has_drive_prefix(std::string_view text) {
  return text.size() >= 2 && is_letter(text[0]) && text[1] == ':';
}

bool has_parent_segment(std::string_view path) {
  return ("/" + std::string(path) + "/").find("/../") != std::string::npos;
}

/// host:/path or host:~path.
bool is_remote_path(std::string_view text) {
  const auto host_char = [](char c) {
    return is_letter(c) || is_digit(c) || c == '.' || c == '_' || c == '-';
  };
  const std::size_t colon =
      static_cast<std::size_t>(std::ranges::find_if_not(text, host_char) - text.begin());
  if (colon == 0 || colon + 1 >= text.size() || text[colon] != ':') return false;
  return text[colon + 1] == '/' || text[colon + 1] == '~';
}

/// Takes one to three digits of a value up to 255 from the front.
bool take_octet(std::string_view& text) {
  unsigned value = 0;
  std::size_t size = 0;
  while (size < text.size() && size < 4 && is_digit(text[size])) {
    value = value * 10 + static_cast<unsigned>(text[size] - '0');
    ++size;
  }
  if (size == 0 || size > 3 || value > 255) return false;
  text.remove_prefix(size);
  return true;
}

/// A dotted IPv4 address with or without a port.
bool is_ipv4(std::string_view text) {
  for (int octet = 0; octet < 4; ++octet) {
    if (octet > 0) {
      if (!text.starts_with('.')) return false;
      text.remove_prefix(1);
    }
    if (!take_octet(text)) return false;
  }
  if (text.empty()) return true;
  return text.size() > 1 && text[0] == ':' && std::ranges::all_of(text.substr(1), is_digit);
}

bool is_private_part(std::string_view part) {
  return is_private(part) || part.starts_with('~') || has_drive_prefix(part) ||
         part.find("://") != std::string_view::npos || is_remote_path(part) || is_ipv4(part);
}

}  // namespace

bool is_blank(std::string_view text) {
  return text.find_first_not_of(kBlanks) == std::string_view::npos;
}

bool is_private_path(std::string_view text) {
  if (text.starts_with('/') || text.find('\\') != std::string_view::npos) return true;
  const std::string plain = lower_ascii(text);
  constexpr std::array<std::string_view, 3> kMarks = {"/users/", "/home/", "ssh "};
  return std::ranges::any_of(
      kMarks, [&](std::string_view mark) { return plain.find(mark) != std::string::npos; });
}

bool is_private(std::string_view text) {
  return text.find('@') != std::string_view::npos || is_private_path(text);
}

bool is_scrubbed_id(std::string_view text) {
  return !is_blank(text) && !is_private(text) && text.find(':') == std::string_view::npos;
}

bool is_relative_path(std::string_view text) {
  return !is_blank(text) && !is_private(text) && !has_drive_prefix(text) &&
         text.find("://") == std::string_view::npos && !text.starts_with('~') &&
         !has_parent_segment(text);
}

bool is_placeholder(std::string_view text) { return text.starts_with("FILL_"); }

bool is_hex64(std::string_view text) {
  return text.size() == 64 &&
         std::ranges::all_of(text, [](char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); });
}

bool is_sha256_hex(std::string_view text) {
  return is_hex64(text) && text.find_first_not_of('0') != std::string_view::npos;
}

bool is_private_text(std::string_view text) {
  if (is_private(text)) return true;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(kSeparators), text.size());
    if (end > 0 && is_private_part(text.substr(0, end))) return true;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return false;
}

bool one_of(std::string_view word, std::span<const std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

}  // namespace cairn::evidence

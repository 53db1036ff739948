#include "base/utf8.h"

#include <cstdint>

namespace cairn {
namespace {

/// What a lead byte promises: the size of its sequence and the range of its second byte.
struct Lead {
  std::size_t size = 0;
  std::uint8_t second_min = 0x80;
  std::uint8_t second_max = 0xBF;
};

Lead lead_of(std::uint8_t byte) {
  if (byte < 0x80) return {.size = 1};
  if (byte < 0xC2) return {};  // a continuation, or an overlong form of U+0000 to U+007F
  if (byte < 0xE0) return {.size = 2};
  if (byte == 0xE0) return {.size = 3, .second_min = 0xA0};
  if (byte == 0xED) return {.size = 3, .second_max = 0x9F};  // above: surrogates
  if (byte < 0xF0) return {.size = 3};
  if (byte == 0xF0) return {.size = 4, .second_min = 0x90};
  if (byte < 0xF4) return {.size = 4};
  if (byte == 0xF4) return {.size = 4, .second_max = 0x8F};  // above: past U+10FFFF
  return {};
}

std::uint8_t byte_at(std::string_view text, std::size_t at) {
  return static_cast<std::uint8_t>(text[at]);
}

/// How many bytes of the sequence at `at` are there and right, at most lead.size.
std::size_t good_bytes(std::string_view text, std::size_t at, const Lead& lead) {
  std::size_t good = 1;
  while (good < lead.size && at + good < text.size()) {
    const std::uint8_t byte = byte_at(text, at + good);
    const std::uint8_t least = good == 1 ? lead.second_min : std::uint8_t{0x80};
    const std::uint8_t most = good == 1 ? lead.second_max : std::uint8_t{0xBF};
    if (byte < least || byte > most) break;
    ++good;
  }
  return good;
}

}  // namespace

Utf8Char decode_utf8(std::string_view text, std::size_t at) {
  if (at >= text.size()) return {};
  const std::uint8_t first = byte_at(text, at);
  const Lead lead = lead_of(first);
  if (lead.size == 1) return {.code = first, .size = 1, .valid = true};
  if (lead.size == 0) return {.size = 1};
  const std::size_t good = good_bytes(text, at, lead);
  if (good < lead.size) return {.size = good};
  char32_t code = first & (0x7FU >> lead.size);
  for (std::size_t i = 1; i < lead.size; ++i) code = code << 6 | (byte_at(text, at + i) & 0x3FU);
  return {.code = code, .size = lead.size, .valid = true};
}

void append_utf8(std::string& out, char32_t code) {
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (surrogate || code > 0x10FFFF) code = kReplacementCharacter;
  const auto tail = [&](int shift) { out += static_cast<char>(0x80U | (code >> shift & 0x3FU)); };
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0U | code >> 6);
    tail(0);
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0U | code >> 12);
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xF0U | code >> 18);
    tail(12);
    tail(6);
    tail(0);
  }
}

std::string replace_invalid_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Char next = decode_utf8(text, at);
    append_utf8(out, next.code);
    at += next.size;
  }
  return out;
}

std::size_t incomplete_utf8_suffix(std::string_view text) {
  for (std::size_t back = 1; back <= 3 && back <= text.size(); ++back) {
    const std::size_t at = text.size() - back;
    const Lead lead = lead_of(byte_at(text, at));
    if (lead.size == 0) continue;  // a continuation, or a byte that never starts anything
    const bool unfinished = lead.size > back && good_bytes(text, at, lead) == back;
    return unfinished ? back : 0;
  }
  return 0;
}

}  // namespace cairn

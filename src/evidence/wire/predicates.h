// Chapter 3's predicates on strings: what is private, what is a placeholder, what is a hash.
// "Blank" is ASCII white space throughout.
#pragma once

#include <span>
#include <string_view>

namespace cairn::evidence {

/// J-15: empty after white space is trimmed.
bool is_blank(std::string_view text);

/// J-10: a backslash, a leading slash, an @, or (in any case) "/users/", "/home/" or "ssh ".
bool is_private(std::string_view text);
/// J-10 without the @ test, as R-33 applies it to most strings of a receipt.
bool is_private_path(std::string_view text);
/// J-11: neither blank nor private, and without a colon.
bool is_scrubbed_id(std::string_view text);
/// J-12: a relative path that stays inside its folder and names no drive, scheme or home.
bool is_relative_path(std::string_view text);
/// J-13: starts with FILL_.
bool is_placeholder(std::string_view text);
/// J-14: 64 lower-case hex digits that are not all zero.
bool is_sha256_hex(std::string_view text);
/// 64 lower-case hex digits, zeros included: a pin of an envelope is resolved by this (G-35).
bool is_hex64(std::string_view text);
/// J-17: private itself, or has a part that is private or names a home, a drive, a scheme, a
/// remote path or an IPv4 address.
bool is_private_text(std::string_view text);

/// True when `word` is one of a closed list.
bool one_of(std::string_view word, std::span<const std::string_view> words);

}  // namespace cairn::evidence

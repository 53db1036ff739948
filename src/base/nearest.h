// The word that a misspelt one was probably meant to be.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace cairn {

/// The candidate that takes the fewest insertions, deletions and replacements of a byte to become
/// `word`, cases being equal; nothing when none is near: more than a third of the word would have
/// to change. Words of more than 256 bytes are near nothing. Source: Wagner and Fischer 1974.
std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates);

/// "; did you mean 'CANDIDATE'?", or nothing without a near one.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

}  // namespace cairn

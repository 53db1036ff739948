#include "base/nearest.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/ascii.h"

namespace cairn {
namespace {

constexpr std::size_t kBytesMax = 256;

/// Both of at most kBytesMax bytes.
std::size_t distance(std::string_view a, std::string_view b) {
  std::array<std::size_t, kBytesMax + 1> row = {};
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced =
          diagonal + (lower_ascii(a[i - 1]) == lower_ascii(b[j - 1]) ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates) {
  std::optional<std::string> best;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    if (word.empty() || word.size() > kBytesMax || candidate.size() > kBytesMax) continue;
    const std::size_t found = distance(word, candidate);
    // As many changes as the candidate has bytes make anything of it.
    if (found >= best_distance || found >= candidate.size()) continue;
    best_distance = found;
    best = candidate;
  }
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
  const std::optional<std::string> near = nearest(word, candidates);
  return near ? "; did you mean '" + *near + "'?" : "";
}

}  // namespace cairn

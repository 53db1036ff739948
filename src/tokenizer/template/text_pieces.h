// Stripping, splitting, replacing, joining and aligning texts: shared by methods and filters. What
// came from input stays marked byte by byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "tokenizer/template/run.h"
#include "tokenizer/template/value.h"

namespace cairn::tokenizer::jinja {

enum class Sides : std::uint8_t { kBoth, kLeft, kRight };

/// strip(chars): `chars` missing or None is white space.
Value strip_text(Run& run, const Text& text, const Value& chars, Sides sides);

enum class SplitFrom : std::uint8_t { kStart, kEnd };

/// split(sep, maxsplit) and rsplit.
Value split_text(Run& run, const Text& text, const Arguments& arguments, SplitFrom from);

constexpr std::size_t kNoLimit = SIZE_MAX;

/// Places of `part` (not empty) in `text`, not overlapping, at most `most`.
std::vector<std::size_t> find_all(Run& run, std::string_view text, std::string_view part,
                                  std::size_t most);
/// The last place of `part`, or npos.
std::size_t rfind_text(Run& run, std::string_view text, std::string_view part);

struct Replacement {
  const Text& old;
  const Text& fresh;
  Int most = -1;  // below 0: all
};
/// `text` with up to `most` occurrences of `old` replaced.
Value replace_text(Run& run, const Text& text, const Replacement& replacement);

/// The strings `items` with `mark` between them.
Value join_texts(Run& run, const Text& mark, const std::vector<Value>& items);

enum class Align : std::uint8_t { kLeft, kRight, kCenter };
struct Alignment {
  Int width = 0;
  const Text& fill;
  Align align = Align::kLeft;
};
/// `text` filled up to a width; a longer one stays as it is.
Value align_text(Run& run, const Text& text, const Alignment& alignment);

}  // namespace cairn::tokenizer::jinja

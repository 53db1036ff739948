#include "tokenizer/splitters.h"

#include <algorithm>

#include "base/utf8.h"
#include "tokenizer/characters.h"

namespace cairn::tokenizer {
namespace {

/// The characters of a text with a property: calls `use(begin, end, inside)` for each run in turn.
template <typename Property, typename Use>
void for_each_run(std::string_view text, const Property& property, const Use& use) {
  std::size_t begin = 0;
  bool inside = false;
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Char character = decode_utf8(text, at);
    const bool has = property(character.code);
    if (has != inside && at > begin) {
      use(begin, at, inside);
      begin = at;
    }
    inside = has;
    at += character.size;
  }
  if (text.size() > begin) use(begin, text.size(), inside);
}

/// "\s+$": spaces at the very end are a piece. A regular expression would try every space of
/// every run.
void trailing_spaces(std::string_view text, std::vector<std::size_t>& ends) {
  std::size_t last = 0;
  for_each_run(text, is_space, [&](std::size_t begin, std::size_t, bool space) {
    last = space ? begin : text.size();
  });
  if (last > 0 && last < text.size()) ends.push_back(last);
  ends.push_back(text.size());
}

/// Decimal digits in groups of three counted from the right, each a piece: "1234" is 1, 234.
/// The published patterns look ahead to the end of the run from every digit.
void digits_from_right(std::string_view text, std::vector<std::size_t>& ends) {
  for_each_run(text, is_decimal_digit, [&](std::size_t begin, std::size_t end, bool digits) {
    if (!digits) {
      ends.push_back(end);
      return;
    }
    std::vector<std::size_t> digit_ends;
    for (std::size_t at = begin; at < end;) {
      at += decode_utf8(text, at).size;
      digit_ends.push_back(at);
    }
    for (std::size_t i = 0; i < digit_ends.size(); ++i) {
      if ((digit_ends.size() - i - 1) % 3 == 0) ends.push_back(digit_ends[i]);
    }
  });
}

/// "[^\n]+|\n+": lines, and runs of line ends.
void newline_runs(std::string_view text, std::vector<std::size_t>& ends) {
  for_each_run(
      text, [](char32_t code) { return code == '\n'; },
      [&](std::size_t, std::size_t end, bool) { ends.push_back(end); });
}

struct SplitterRow {
  std::string_view name;
  Splitter split = nullptr;
};

constexpr SplitterRow kSplitters[] = {
    {"@trailing_spaces", &trailing_spaces},
    {"@digits_from_right", &digits_from_right},
    {"@newline_runs", &newline_runs},
};

}  // namespace

Splitter find_splitter(std::string_view name) {
  const auto* row =
      std::find_if(std::begin(kSplitters), std::end(kSplitters),
                   [&](const SplitterRow& candidate) { return candidate.name == name; });
  return row == std::end(kSplitters) ? nullptr : row->split;
}

}  // namespace cairn::tokenizer

// Figures in sentences (native-performance.md, M-68 and M-70).
//
// A digit outside code must be the text of a link to evidence: "[0.81 %](../evidence/a.json)". A
// word in front of it makes a bound, which every cell of that unit on the page has to keep.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "evidence/pages/check.h"

namespace cairn::evidence {

/// The first word with a digit that is neither code nor a link to a file below evidence/; "" when
/// there is none.
std::string unreferenced_digit(std::string_view line);

/// "under 0.81 %".
struct Bound {
  std::string text;
  std::string_view word;  // under, at most, over, at least
  double value = 0;
  int decimals = 0;
  std::string unit;
};
std::vector<Bound> bounds_of(std::string_view line);

/// What a row has that the bound forbids, or "": "%" speaks of spreads, "x" of ratios, any other
/// unit of ours in that unit.
std::string broken_bound(const Bound& bound, const RowOnPage& row);

/// True when the line has the word, in any case.
bool says(std::string_view line, std::string_view word);

}  // namespace cairn::evidence

#include "evidence/pages/prose.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/ascii.h"

namespace cairn::evidence {
namespace {

struct BoundWord {
  std::string_view said;
  std::string_view word;
};

constexpr std::array kBoundWords = {BoundWord{.said = "under", .word = "under"},
                                    BoundWord{.said = "below", .word = "under"},
                                    BoundWord{.said = "less than", .word = "under"},
                                    BoundWord{.said = "at most", .word = "at most"},
                                    BoundWord{.said = "up to", .word = "at most"},
                                    BoundWord{.said = "over", .word = "over"},
                                    BoundWord{.said = "above", .word = "over"},
                                    BoundWord{.said = "more than", .word = "over"},
                                    BoundWord{.said = "at least", .word = "at least"}};

bool is_evidence(std::string_view target) {
  return target.find("evidence/") != std::string_view::npos && target.ends_with(".json");
}

/// The line without code and without links to evidence; of other links only their text is left.
std::string bare(std::string_view line) {
  std::string text = without_code(line);
  for (std::size_t at = 0; (at = text.find('[', at)) != std::string::npos;) {
    const std::size_t middle = text.find("](", at);
    const std::size_t close = text.find(')', at);
    if (middle == std::string::npos || close == std::string::npos || close < middle) break;
    const std::string target = text.substr(middle + 2, close - middle - 2);
    const std::string kept = is_evidence(target) ? "" : text.substr(at + 1, middle - at - 1);
    text.replace(at, close - at + 1, kept);
    at += kept.size();
  }
  return text;
}

bool holds(std::string_view word, double value, double bound) {
  if (word == "under") return value < bound;
  if (word == "at most") return value <= bound;
  return word == "over" ? value > bound : value >= bound;
}

}  // namespace

std::string unreferenced_digit(std::string_view line) {
  const std::string text = bare(line);
  const auto digit = std::ranges::find_if(text, is_digit);
  if (digit == text.end()) return "";
  const auto at = static_cast<std::size_t>(digit - text.begin());
  const std::size_t start = text.rfind(' ', at) == std::string::npos ? 0 : text.rfind(' ', at) + 1;
  return text.substr(start, text.find(' ', at) - start);
}

std::vector<Bound> bounds_of(std::string_view line) {
  std::vector<Bound> bounds;
  const std::string text = without_code(line);
  for (const BoundWord& each : kBoundWords) {
    const std::string start = std::string(each.said) + " [";
    for (std::size_t at = 0; (at = text.find(start, at)) != std::string::npos; ++at) {
      const std::size_t open = at + start.size();
      const std::string inner = text.substr(open, text.find(']', open) - open);
      const auto printed = parse_figure(inner);
      if (!printed) continue;
      const std::size_t unit = inner.find_first_not_of("0123456789. ");
      bounds.push_back({.text = std::string(each.said) + " " + inner,
                        .word = each.word,
                        .value = printed->value,
                        .decimals = printed->decimals,
                        .unit = unit == std::string::npos ? "" : inner.substr(unit)});
    }
  }
  return bounds;
}

std::string broken_bound(const Bound& bound, const RowOnPage& row) {
  std::string_view cell;
  if (bound.unit == "%") cell = row.cell("spread");
  if (bound.unit == "x") cell = row.cell("ratio");
  if (bound.unit == row.cell("unit")) cell = row.cell("ours");
  const auto value = parse_figure(cell);
  if (!value || holds(bound.word, value->value, bound.value)) return "";
  return fmt::format("a bound that {} of {} keeps", cell, row.cell("key"));
}

bool says(std::string_view line, std::string_view word) {
  return lower_ascii(line).find(lower_ascii(word)) != std::string::npos;
}

}  // namespace cairn::evidence

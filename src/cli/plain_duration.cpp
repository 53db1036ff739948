#include <fmt/format.h>

#include <array>
#include <limits>

#include "base/ascii.h"
#include "cli/plain_command.h"

namespace cairn::cli {
namespace {

struct Unit {
  std::string_view name;
  std::int64_t ns = 0;
};

constexpr std::array kUnits = {
    Unit{.name = "ns", .ns = 1},
    Unit{.name = "us", .ns = 1'000},
    Unit{.name = "ms", .ns = 1'000'000},
    Unit{.name = "s", .ns = 1'000'000'000},
    Unit{.name = "m", .ns = 60'000'000'000},
    Unit{.name = "h", .ns = 3'600'000'000'000},
};

// Wide enough that no product of the digits read below can overflow it.
__extension__ typedef __int128 Wide;
constexpr Wide kMax = std::numeric_limits<std::int64_t>::max();

/// A decimal number at the front of a text: digits as a whole number over a power of ten.
struct Decimal {
  Wide digits = 0;
  Wide scale = 1;
  bool valid = false;
};

Decimal take_decimal(std::string_view& text) {
  Decimal number;
  bool behind_point = false;
  while (!text.empty() && (is_digit(text[0]) || (text[0] == '.' && !behind_point))) {
    if (text[0] == '.') {
      behind_point = true;
    } else {
      number.valid = true;
      number.digits = number.digits * 10 + (text[0] - '0');
      if (behind_point) number.scale *= 10;
      if (number.digits > kMax || number.scale > kMax) return {};
    }
    text.remove_prefix(1);
  }
  return number;
}

const Unit* take_unit(std::string_view& text) {
  std::size_t size = 0;
  while (size < text.size() && !is_digit(text[size]) && text[size] != '.') ++size;
  for (const Unit& unit : kUnits) {
    if (unit.name != text.substr(0, size)) continue;
    text.remove_prefix(size);
    return &unit;
  }
  return nullptr;
}

}  // namespace

Result<std::int64_t> parse_duration(std::string_view text) {
  const Status refused = invalid_argument(fmt::format(
      "found '{}', expected a duration such as 250ms, 1.5s or 1m30s, below 292 years", text));
  if (text == "0") return std::int64_t{0};
  if (text.empty()) return refused;
  Wide total = 0;
  while (!text.empty()) {
    const Decimal number = take_decimal(text);
    const Unit* unit = number.valid ? take_unit(text) : nullptr;
    if (unit == nullptr) return refused;
    total += number.digits * unit->ns / number.scale;
    if (total > kMax) return refused;
  }
  return static_cast<std::int64_t>(total);
}

}  // namespace cairn::cli

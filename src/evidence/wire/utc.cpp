#include "evidence/wire/utc.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"

namespace cairn::evidence {
namespace {

constexpr std::string_view kForm = "dddd-dd-ddTdd:dd:dd";
constexpr std::size_t kFractionDigits = 9;

int number_at(std::string_view text, std::size_t at, std::size_t size) {
  int value = 0;
  for (const char c : text.substr(at, size)) value = value * 10 + (c - '0');
  return value;
}

int days_of(int year, int month) {
  constexpr std::array<int, 12> kDays = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return month == 2 && leap ? 29 : kDays[static_cast<std::size_t>(month - 1)];
}

bool is_calendar_time(std::string_view text) {
  const int month = number_at(text, 5, 2);
  const int day = number_at(text, 8, 2);
  if (month < 1 || month > 12) return false;
  if (day < 1 || day > days_of(number_at(text, 0, 4), month)) return false;
  return number_at(text, 11, 2) < 24 && number_at(text, 14, 2) < 60 && number_at(text, 17, 2) < 60;
}

bool has_form(std::string_view text) {
  if (text.size() <= kForm.size() || text.back() != 'Z') return false;
  for (std::size_t i = 0; i < kForm.size(); ++i) {
    if (kForm[i] == 'd' ? !is_digit(text[i]) : text[i] != kForm[i]) return false;
  }
  return true;
}

}  // namespace

std::optional<std::string> utc_key(std::string_view text) {
  if (!has_form(text) || !is_calendar_time(text)) return std::nullopt;
  std::string_view fraction = text.substr(kForm.size(), text.size() - kForm.size() - 1);
  std::string key(text.substr(0, kForm.size()));
  if (!fraction.empty()) {
    if (fraction[0] != '.' || fraction.size() == 1) return std::nullopt;
    fraction.remove_prefix(1);
    if (fraction.size() > kFractionDigits || !std::ranges::all_of(fraction, is_digit)) {
      return std::nullopt;
    }
  }
  return key.append(fraction).append(kFractionDigits - fraction.size(), '0');
}

std::string_view utc_date(std::string_view text) { return text.substr(0, 10); }

}  // namespace cairn::evidence

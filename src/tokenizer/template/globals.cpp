#include "tokenizer/template/globals.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <memory>
#include <utility>
#include <vector>

#include "tokenizer/template/arguments.h"
#include "tokenizer/template/operators.h"
#include "tokenizer/template/python_number.h"
#include "tokenizer/template/python_text.h"
#include "tokenizer/template/run.h"

namespace cairn::tokenizer::jinja {
namespace {

Value range(Run& run, const Value& /*self*/, const Arguments& arguments) {
  const bool one = !arguments.has(1);
  const Int start = one ? 0 : int_argument(run, arguments, 0, 0);
  const Int stop = int_argument(run, arguments, one ? 0 : 1, 0);
  const Int step = int_argument(run, arguments, 2, 1);
  if (step == 0) return run.fail("range() arg 3 must not be zero");
  if (run.failed()) return run.fail("");
  constexpr Int kBound = Int{1} << 62;
  if (std::max({start, stop, step}) > kBound || std::min({start, stop, step}) < -kBound) {
    return run.fail("range() arguments are too large");
  }
  const Int distance = step > 0 ? stop - start : start - stop;
  const Int stride = step > 0 ? step : -step;
  const Int count = distance > 0 ? (distance - 1) / stride + 1 : 0;
  const std::size_t most = run.options().limits.range_items_max;
  if (count > static_cast<Int>(most)) {
    return run.refuse(fmt::format("range() of more than {} items", most));
  }
  std::vector<Value> items;
  items.reserve(static_cast<std::size_t>(count));
  for (Int i = 0; i < count; ++i) items.emplace_back(start + i * step);
  return run.range(std::move(items), {.start = start, .stop = stop, .step = step});
}

/// The entries that dict(...) and namespace(...) are made of; fails the run for other arguments.
std::vector<Entry> entries_of(Run& run, const Arguments& arguments) {
  std::vector<Entry> entries;
  if (arguments.positional.size() > 1) run.fail("dict expected at most 1 argument");
  if (arguments.positional.size() == 1) {
    const Value& from = arguments.positional[0];
    if (from.is(ValueKind::kDict)) {
      entries = from.dict().entries;
    } else {
      for (const Value& pair : iterate(run, from)) {
        const std::vector<Value> parts = iterate(run, pair);
        if (parts.size() != 2) run.fail("a dict is made from pairs");
        if (run.failed()) return {};
        entries.push_back({.key = parts[0], .value = parts[1]});
      }
    }
  }
  for (const auto& [name, value] : arguments.keywords) {
    entries.push_back({.key = run.text(name), .value = value});
  }
  return entries;
}

Value dict(Run& run, const Value& /*self*/, const Arguments& arguments) {
  return run.dict(entries_of(run, arguments));
}

Value name_space(Run& run, const Value& /*self*/, const Arguments& arguments) {
  Value fields = run.dict(entries_of(run, arguments));
  if (run.failed()) return fields;
  Namespace* space = run.make_namespace();
  for (const Entry& entry : fields.dict().entries) {
    if (!entry.key.is_string() || entry.key.text().bytes.starts_with('_')) {
      return run.fail("namespace fields are names that do not begin with an underscore");
    }
    space->fields.emplace_back(entry.key.text().bytes, entry.value);
  }
  return Value(space);
}

Value cycler(Run& run, const Value& /*self*/, const Arguments& arguments) {
  if (arguments.positional.empty()) return run.fail("at least one item has to be provided");
  auto counter = std::make_shared<Counter>();
  counter->items = arguments.positional;
  counter->depth = depth_over(counter->items);
  if (counter->depth > kValueDepthMax) return run.refuse("a cycler nests too deeply");
  return Value(std::move(counter));
}

Value joiner(Run& run, const Value& /*self*/, const Arguments& arguments) {
  auto counter = std::make_shared<Counter>();
  counter->kind = CounterKind::kJoiner;
  counter->items = {arguments.has(0) ? arguments.at(0) : run.text(std::string(", "))};
  counter->depth = depth_over(counter->items);
  if (counter->depth > kValueDepthMax) return run.refuse("a joiner nests too deeply");
  return Value(std::move(counter));
}

Value raise_exception(Run& run, const Value& /*self*/, const Arguments& arguments) {
  TextBuilder message;
  print(run, arguments.at(0), message);
  return run.raise(message.take_bytes());
}

/// Days since 1970-01-01 by the proleptic Gregorian calendar. Source: own, from the calendar's
/// rules: years are counted from March so that the leap day comes last.
std::int64_t days_from_civil(std::int64_t year, int month, int day) {
  const std::int64_t shifted = month <= 2 ? year - 1 : year;
  const std::int64_t month_index = (month + 9) % 12;
  const std::int64_t in_year = (153 * month_index + 2) / 5 + day - 1;
  return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + in_year - 719468;
}

std::tm calendar(const LocalTime& now) {
  std::tm time{};
  time.tm_year = now.year - 1900;
  time.tm_mon = now.month - 1;
  time.tm_mday = now.day;
  time.tm_hour = now.hour;
  time.tm_min = now.minute;
  time.tm_sec = now.second;
  const std::int64_t days = days_from_civil(now.year, now.month, now.day);
  time.tm_wday = static_cast<int>((days % 7 + 11) % 7);  // 1970-01-01 was a Thursday
  time.tm_yday = static_cast<int>(days - days_from_civil(now.year, 1, 1));
  time.tm_isdst = -1;
  return time;
}

bool is_plausible(const LocalTime& now) {
  const auto within = [](int value, int low, int high) { return value >= low && value <= high; };
  return within(now.year, 1, 9999) && within(now.month, 1, 12) && within(now.day, 1, 31) &&
         within(now.hour, 0, 23) && within(now.minute, 0, 59) && within(now.second, 0, 61) &&
         within(now.microsecond, 0, 999'999);
}

/// Python's own directives, before the C library sees the rest: %f, and %z and %Z of a time
/// without a zone.
std::string own_directives(std::string_view format, const LocalTime& now) {
  std::string out;
  for (std::size_t at = 0; at < format.size(); ++at) {
    const char next = at + 1 < format.size() ? format[at + 1] : '\0';
    if (format[at] != '%' || next == '\0') {
      out += format[at];
    } else if (next == 'f') {
      out += fmt::format("{:06}", now.microsecond);
      ++at;
    } else if (next == 'z' || next == 'Z') {
      ++at;
    } else {
      out += format[at++];
      out += next;
    }
  }
  return out;
}

Value strftime_now(Run& run, const Value& /*self*/, const Arguments& arguments) {
  const Text* format = text_argument(run, arguments, 0);
  if (format == nullptr) return run.fail("");
  const auto& now = run.options().now;
  if (!now) return run.fail("strftime_now: the template asks for the time and none was given");
  if (!is_plausible(*now)) return run.fail("strftime_now: the given time is out of range");
  constexpr std::size_t kFormatMax = 1000;
  if (format->bytes.size() > kFormatMax)
    return run.refuse("strftime_now: a format over 1000 bytes");
  const std::tm time = calendar(*now);
  // A trailing mark tells an empty result from one that did not fit.
  const std::string directives = own_directives(format->bytes, *now) + ".";
  std::vector<char> buffer(64 * kFormatMax);
  const std::size_t size = std::strftime(buffer.data(), buffer.size(), directives.c_str(), &time);
  if (size == 0) return run.refuse("strftime_now: the result is too long");
  return run.text_from(*format, std::string(buffer.data(), size - 1));
}

constexpr std::array<Builtin, 7> kGlobalsRows = {{
    {"cycler", "*", 0, &cycler},
    {"dict", "*", 0, &dict},
    {"joiner", "sep", 0, &joiner},
    {"namespace", "*", 0, &name_space},
    {"raise_exception", "message", 1, &raise_exception},
    {"range", "start stop step", 1, &range},
    {"strftime_now", "format", 1, &strftime_now},
}};

}  // namespace

const Builtin* find_global(std::string_view name) {
  const auto found = std::find_if(kGlobalsRows.begin(), kGlobalsRows.end(),
                                  [name](const Builtin& row) { return row.name == name; });
  return found == kGlobalsRows.end() ? nullptr : &*found;
}

}  // namespace cairn::tokenizer::jinja

// Filters that compare items: sort, dictsort, unique, min, max, groupby.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "tokenizer/template/access.h"
#include "tokenizer/template/arguments.h"
#include "tokenizer/template/filters.h"
#include "tokenizer/template/operators.h"
#include "tokenizer/template/python_text.h"

namespace cairn::tokenizer::jinja {
namespace {

enum class Case : std::uint8_t { kMatters, kIgnored };

/// A string in lower case, when case is ignored.
Value folded(Run& run, const Value& value, Case letters) {
  if (letters == Case::kMatters || !value.is_string()) return value;
  return run.text_from(value.text(), to_lower(value.text().bytes));
}

Case case_of(const Arguments& arguments, std::size_t place) {
  return flag_argument(arguments, place) ? Case::kMatters : Case::kIgnored;
}

/// What sorting, grouping and picking by an attribute look at. A missing path is the item itself.
Value key_of(Run& run, const Value& item, const Value& path, Case letters) {
  return folded(run, path.missing() ? item : get_path(run, item, path), letters);
}

/// An item with what it is ordered by.
struct Keyed {
  Value key;
  Value item;
};

/// Sorted by key, stable; fails the run for keys without an order. A merge sort of its own: the
/// comparison can fail midway, which std::sort must not see as a broken order.
void sort_keyed(Run& run, std::vector<Keyed>& items) {
  for (std::size_t width = 1; width < items.size() && !run.failed(); width *= 2) {
    std::vector<Keyed> merged;
    merged.reserve(items.size());
    for (std::size_t begin = 0; begin < items.size(); begin += 2 * width) {
      std::size_t left = begin;
      const std::size_t middle = std::min(begin + width, items.size());
      std::size_t right = middle;
      const std::size_t end = std::min(middle + width, items.size());
      while (left < middle && right < end) {
        const bool second = compare(run, items[right].key, items[left].key, "<").value_or(0) < 0;
        merged.push_back(std::move(items[second ? right++ : left++]));
      }
      while (left < middle) merged.push_back(std::move(items[left++]));
      while (right < end) merged.push_back(std::move(items[right++]));
    }
    items = std::move(merged);
  }
}

/// Python's reverse=True keeps equal items in their order: reverse, sort, reverse.
std::vector<Value> sorted_items(Run& run, std::vector<Keyed> keyed, bool reverse) {
  if (reverse) std::reverse(keyed.begin(), keyed.end());
  sort_keyed(run, keyed);
  if (reverse) std::reverse(keyed.begin(), keyed.end());
  std::vector<Value> items;
  items.reserve(keyed.size());
  for (Keyed& entry : keyed) items.push_back(std::move(entry.item));
  return items;
}

/// sort's key: the attributes by commas, as a list even when there is one: equal items need no
/// order.
Value sort_key(Run& run, const Value& item, const Value& path, Case letters) {
  if (!path.is_string()) return run.list({key_of(run, item, path, letters)});
  std::vector<Value> parts;
  const std::string& names = path.text().bytes;
  for (std::size_t begin = 0; begin <= names.size() && !run.failed();) {
    const std::size_t end = std::min(names.find(',', begin), names.size());
    parts.push_back(key_of(run, item, run.text(names.substr(begin, end - begin)), letters));
    begin = end + 1;
  }
  return run.list(std::move(parts));
}

Value none_as_missing(const Value& value) { return value.none() ? Value() : value; }

Value sort(Run& run, const Value& self, const Arguments& arguments) {
  std::vector<Keyed> keyed;
  const Value path = none_as_missing(arguments.at(2));
  for (const Value& item : iterate(run, self)) {
    if (run.failed()) break;
    keyed.push_back({.key = sort_key(run, item, path, case_of(arguments, 1)), .item = item});
  }
  return run.list(sorted_items(run, std::move(keyed), flag_argument(arguments, 0)));
}

Value dict_sort(Run& run, const Value& self, const Arguments& arguments) {
  const std::string by = arguments.at(1).is_string() ? arguments.at(1).text().bytes : "key";
  if (by != "key" && by != "value")
    return run.fail("You can only sort by either \"key\" or \"value\"");
  if (!self.is(ValueKind::kDict)) {
    return self.undefined()
               ? fail_undefined(run, self)
               : run.fail(fmt::format("dictsort wants a dict, not '{}'", type_name(self)));
  }
  std::vector<Keyed> keyed;
  for (const Value& pair : pairs_of(run, self.dict())) {
    if (run.failed()) break;
    const Value& key = pair.list().items[by == "key" ? 0 : 1];
    keyed.push_back({.key = folded(run, key, case_of(arguments, 0)), .item = pair});
  }
  return run.list(sorted_items(run, std::move(keyed), flag_argument(arguments, 2)));
}

Value unique(Run& run, const Value& self, const Arguments& arguments) {
  std::unordered_set<std::string> seen;
  std::vector<Value> items;
  for (const Value& item : iterate(run, self)) {
    if (run.failed()) break;
    const Value key = key_of(run, item, none_as_missing(arguments.at(1)), case_of(arguments, 0));
    auto hashed = hash_key(key);
    if (!hashed) return run.fail(fmt::format("unhashable type: '{}'", type_name(key)));
    if (seen.insert(std::move(*hashed)).second) items.push_back(item);
  }
  return run.generator(std::move(items));
}

enum class Extreme : std::uint8_t { kMin, kMax };

template <Extreme kWhich>
Value extreme(Run& run, const Value& self, const Arguments& arguments) {
  const std::vector<Value> items = iterate(run, self);
  if (items.empty()) return run.undefined("No aggregated item, sequence was empty.");
  const auto key = [&](const Value& item) {
    return key_of(run, item, none_as_missing(arguments.at(1)), case_of(arguments, 0));
  };
  std::size_t best = 0;
  Value best_key = key(items[0]);
  for (std::size_t i = 1; i < items.size() && !run.failed(); ++i) {
    Value other = key(items[i]);
    const auto order = kWhich == Extreme::kMin ? compare(run, other, best_key, "<")
                                               : compare(run, best_key, other, ">");
    if (order.value_or(0) >= 0) continue;
    best = i;
    best_key = std::move(other);
  }
  return items[best];
}

Value group_by(Run& run, const Value& self, const Arguments& arguments) {
  const Case letters = case_of(arguments, 2);
  const bool fills = arguments.has(1) && !arguments.at(1).none();
  const auto raw_key = [&](const Value& item) {
    Value key = get_path(run, item, arguments.at(0));
    return key.undefined() && fills ? arguments.at(1) : key;
  };
  std::vector<Keyed> keyed;
  for (const Value& item : iterate(run, self)) {
    if (run.failed()) break;
    keyed.push_back({.key = folded(run, raw_key(item), letters), .item = item});
  }
  sort_keyed(run, keyed);
  std::vector<Value> groups;
  for (std::size_t begin = 0; begin < keyed.size() && !run.failed();) {
    std::size_t end = begin;
    std::vector<Value> members;
    while (end < keyed.size() && equal(run, keyed[end].key, keyed[begin].key)) {
      members.push_back(keyed[end++].item);
    }
    if (end == begin) break;  // the run has failed
    const Value key = raw_key(members[0]);
    groups.push_back(run.group(key, run.list(std::move(members))));
    begin = end;
  }
  return run.list(std::move(groups));
}

constexpr std::array<Builtin, 6> kFiltersOrderRows = {{
    {"dictsort", "case_sensitive by reverse", 0, &dict_sort},
    {"groupby", "attribute default case_sensitive", 1, &group_by},
    {"max", "case_sensitive attribute", 0, &extreme<Extreme::kMax>},
    {"min", "case_sensitive attribute", 0, &extreme<Extreme::kMin>},
    {"sort", "reverse case_sensitive attribute", 0, &sort},
    {"unique", "case_sensitive attribute", 0, &unique},
}};

}  // namespace

std::span<const Builtin> ordering_filters() { return kFiltersOrderRows; }

}  // namespace cairn::tokenizer::jinja

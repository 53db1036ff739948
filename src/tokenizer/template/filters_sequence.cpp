// Filters that order, cut and count sequences.
#include <fmt/format.h>

#include <algorithm>
#include <array>
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

/// sort's key: several attributes by commas make a list.
Value sort_key(Run& run, const Value& item, const Value& path, Case letters) {
  const bool several = path.is_string() && path.text().bytes.find(',') != std::string::npos;
  if (!several) return key_of(run, item, path, letters);
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

Value sum(Run& run, const Value& self, const Arguments& arguments) {
  Value total = arguments.has(1) ? arguments.at(1) : Value(Int{0});
  if (total.is_string()) return run.fail("sum() can't sum strings");
  for (const Value& item : iterate(run, self)) {
    if (run.failed()) break;
    const Value& path = arguments.at(0);
    const bool whole = path.missing() || path.none();
    total = calculate(run, Operator::kAdd, total, whole ? item : get_path(run, item, path));
  }
  return total;
}

Value length(Run& run, const Value& self, const Arguments& /*arguments*/) {
  const auto size = length_of(self);
  if (size) return Value(static_cast<Int>(*size));
  return run.fail(fmt::format("object of type '{}' has no len()", type_name(self)));
}

Value list(Run& run, const Value& self, const Arguments& /*arguments*/) {
  return run.list(iterate(run, self));
}

Value items(Run& run, const Value& self, const Arguments& /*arguments*/) {
  if (self.undefined()) return run.generator({});
  if (!self.is(ValueKind::kDict)) return run.fail("Can only get item pairs from a mapping.");
  return run.generator(pairs_of(run, self.dict()));
}

Value first(Run& run, const Value& self, const Arguments& /*arguments*/) {
  if (self.is(ValueKind::kGenerator)) {
    Generator& generator = self.generator();
    if (generator.position < generator.items.size()) return generator.items[generator.position++];
    return run.undefined("No first item, sequence was empty.");
  }
  const std::vector<Value> all = iterate(run, self);
  return all.empty() ? run.undefined("No first item, sequence was empty.") : all.front();
}

bool reversible(const Value& value) {
  return value.is_string() || value.is(ValueKind::kList) || value.is(ValueKind::kDict);
}

Value last(Run& run, const Value& self, const Arguments& /*arguments*/) {
  if (self.undefined()) return fail_undefined(run, self);
  if (!reversible(self)) {
    return run.fail(fmt::format("'{}' object is not reversible", type_name(self)));
  }
  const std::vector<Value> all = iterate(run, self);
  return all.empty() ? run.undefined("No last item, sequence was empty.") : all.back();
}

Value reverse(Run& run, const Value& self, const Arguments& /*arguments*/) {
  std::vector<Value> all = iterate(run, self);
  std::reverse(all.begin(), all.end());
  if (self.is_string()) {
    std::string out;
    for (const Value& item : all) {
      if (!item.is_string()) break;
      out += item.text().bytes;
    }
    return run.text_from(self.text(), std::move(out));
  }
  return reversible(self) ? run.generator(std::move(all)) : run.list(std::move(all));
}

/// The count that batch and slice divide by; 0 after failing the run.
std::size_t count_argument(Run& run, const Arguments& arguments) {
  const Int count = int_argument(run, arguments, 0, 0);
  if (count < 1 || count > Int{1'000'000})
    run.fail("batch and slice want a count from 1 to 1000000");
  return run.failed() ? 0 : static_cast<std::size_t>(count);
}

Value batch(Run& run, const Value& self, const Arguments& arguments) {
  const std::size_t count = count_argument(run, arguments);
  const std::vector<Value> all = iterate(run, self);
  const bool fills = arguments.has(1) && !arguments.at(1).none();
  std::vector<Value> rows;
  for (std::size_t begin = 0; begin < all.size() && !run.failed(); begin += count) {
    const auto from = all.begin() + static_cast<std::ptrdiff_t>(begin);
    const std::size_t size = std::min(count, all.size() - begin);
    std::vector<Value> row(from, from + static_cast<std::ptrdiff_t>(size));
    if (fills && run.allow_bytes(count * sizeof(Value))) row.resize(count, arguments.at(1));
    rows.push_back(run.list(std::move(row)));
  }
  return run.generator(std::move(rows));
}

Value slice(Run& run, const Value& self, const Arguments& arguments) {
  const std::size_t count = count_argument(run, arguments);
  const std::vector<Value> all = iterate(run, self);
  if (run.failed() || !run.step(count)) return run.fail("");
  const bool fills = arguments.has(1) && !arguments.at(1).none();
  std::vector<Value> columns;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < count && !run.failed(); ++i) {
    const std::size_t size = all.size() / count + (i < all.size() % count ? 1 : 0);
    const auto from = all.begin() + static_cast<std::ptrdiff_t>(begin);
    std::vector<Value> column(from, from + static_cast<std::ptrdiff_t>(size));
    if (fills && i >= all.size() % count) column.push_back(arguments.at(1));
    columns.push_back(run.list(std::move(column)));
    begin += size;
  }
  return run.generator(std::move(columns));
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
    groups.push_back(run.list({key, run.list(std::move(members))}, ListKind::kTuple, "group"));
    begin = end;
  }
  return run.list(std::move(groups));
}

constexpr std::array<Builtin, 16> kRows = {{
    {"batch", "linecount fill_with", 1, &batch},
    {"count", "", 0, &length},
    {"dictsort", "case_sensitive by reverse", 0, &dict_sort},
    {"first", "", 0, &first},
    {"groupby", "attribute default case_sensitive", 1, &group_by},
    {"items", "", 0, &items},
    {"last", "", 0, &last},
    {"length", "", 0, &length},
    {"list", "", 0, &list},
    {"max", "case_sensitive attribute", 0, &extreme<Extreme::kMax>},
    {"min", "case_sensitive attribute", 0, &extreme<Extreme::kMin>},
    {"reverse", "", 0, &reverse},
    {"slice", "slices fill_with", 1, &slice},
    {"sort", "reverse case_sensitive attribute", 0, &sort},
    {"sum", "attribute start", 0, &sum},
    {"unique", "case_sensitive attribute", 0, &unique},
}};

}  // namespace

std::span<const Builtin> sequence_filters() { return kRows; }

}  // namespace cairn::tokenizer::jinja

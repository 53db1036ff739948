// The methods of lists, dicts, loops and cyclers, and how a method is found.
#include "tokenizer/template/methods.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "tokenizer/template/access.h"
#include "tokenizer/template/arguments.h"
#include "tokenizer/template/loop.h"
#include "tokenizer/template/operators.h"
#include "tokenizer/template/run.h"

namespace cairn::tokenizer::jinja {
namespace {

Value list_count(Run& run, const Value& self, const Arguments& arguments) {
  const std::vector<Value>& items = self.list().items;
  return Value(static_cast<Int>(std::count_if(items.begin(), items.end(), [&](const Value& item) {
    return equal(run, item, arguments.at(0));
  })));
}

Value list_index(Run& run, const Value& self, const Arguments& arguments) {
  const std::vector<Value>& items = self.list().items;
  const auto size = static_cast<Int>(items.size());
  const auto clamped = [&](std::size_t place, Int otherwise) {
    const Int at = int_argument(run, arguments, place, otherwise);
    return std::clamp(at < 0 ? std::max(at, -size) + size : at, Int{0}, size);
  };
  const Int end = clamped(2, size);
  for (Int i = clamped(1, 0); i < end && !run.failed(); ++i) {
    if (equal(run, items[static_cast<std::size_t>(i)], arguments.at(0))) return Value(i);
  }
  return run.fail("the value is not in the list");
}

Value list_copy(Run& /*run*/, const Value& self, const Arguments& /*arguments*/) { return self; }

Value dict_get(Run& run, const Value& self, const Arguments& arguments) {
  const auto key = hash_key(arguments.at(0));
  if (!key) return run.fail(fmt::format("unhashable type: '{}'", type_name(arguments.at(0))));
  const Value* found = self.dict().find(*key);
  if (found != nullptr) return *found;
  return arguments.has(1) ? arguments.at(1) : Value(NoneTag());
}

Value dict_keys(Run& run, const Value& self, const Arguments& /*arguments*/) {
  return run.list(iterate(run, self), ListKind::kKeysView);
}

Value dict_values(Run& run, const Value& self, const Arguments& /*arguments*/) {
  std::vector<Value> items;
  for (const Entry& entry : self.dict().entries) items.push_back(entry.value);
  return run.list(std::move(items), ListKind::kValuesView);
}

Value dict_items(Run& run, const Value& self, const Arguments& /*arguments*/) {
  return run.list(pairs_of(run, self.dict()), ListKind::kItemsView);
}

Value loop_cycle(Run& run, const Value& self, const Arguments& arguments) {
  const std::size_t count = arguments.positional.size();
  if (count == 0 || !arguments.keywords.empty()) return run.fail("no items for cycling given");
  return arguments.positional[self.loop().index0 % count];
}

Value loop_changed(Run& run, const Value& self, const Arguments& arguments) {
  Loop& loop = self.loop();
  const Value now = run.list(arguments.positional, ListKind::kTuple);
  if (!loop.changed.missing() && equal(run, loop.changed, now)) return Value(false);
  if (loop.open) loop.changed = now;
  return Value(true);
}

Value cycler_next(Run& /*run*/, const Value& self, const Arguments& /*arguments*/) {
  Counter& counter = self.counter();
  Value current = counter.items[counter.position];
  counter.position = (counter.position + 1) % counter.items.size();
  return current;
}

Value cycler_reset(Run& /*run*/, const Value& self, const Arguments& /*arguments*/) {
  self.counter().position = 0;
  return Value(NoneTag());
}

constexpr std::array<Builtin, 3> kListRows = {{
    {"copy", "", 0, &list_copy},
    {"count", "value", 1, &list_count},
    {"index", "value start stop", 1, &list_index},
}};

constexpr std::array<Builtin, 6> kDictRows = {{
    {"copy", "", 0, &list_copy},
    {"fromkeys", "*", 0, nullptr},
    {"get", "key default", 1, &dict_get},
    {"items", "", 0, &dict_items},
    {"keys", "", 0, &dict_keys},
    {"values", "", 0, &dict_values},
}};

constexpr std::array<Builtin, 2> kLoopRows = {{
    {"changed", "*", 0, &loop_changed},
    {"cycle", "*", 0, &loop_cycle},
}};

constexpr std::array<Builtin, 2> kCyclerRows = {{
    {"next", "", 0, &cycler_next},
    {"reset", "", 0, &cycler_reset},
}};

const Builtin* row_of(std::span<const Builtin> rows, std::string_view name) {
  const auto found = std::find_if(rows.begin(), rows.end(),
                                  [name](const Builtin& row) { return row.name == name; });
  return found == rows.end() ? nullptr : &*found;
}

std::span<const Builtin> methods_of(const Value& value) {
  switch (value.kind()) {
    case ValueKind::kBool:
    case ValueKind::kInt:
    case ValueKind::kFloat:
      return number_methods(value);
    case ValueKind::kList:
      return value.list().kind <= ListKind::kRange ? list_methods() : std::span<const Builtin>();
    case ValueKind::kDict:
      return dict_methods();
    case ValueKind::kLoop:
      return loop_methods();
    case ValueKind::kCounter:
      return value.counter().kind == CounterKind::kCycler ? cycler_methods()
                                                          : std::span<const Builtin>();
    default:
      return {};
  }
}

}  // namespace

std::span<const Builtin> list_methods() { return kListRows; }
std::span<const Builtin> dict_methods() { return kDictRows; }
std::span<const Builtin> loop_methods() { return kLoopRows; }
std::span<const Builtin> cycler_methods() { return kCyclerRows; }

const Builtin* find_method(const Value& value, std::string_view name) {
  if (value.is_string()) {
    for (const auto rows : {text_methods(), text_searches(), text_classes()}) {
      if (const Builtin* row = row_of(rows, name)) return row;
    }
    return nullptr;
  }
  const bool no_copy =
      name == "copy" && value.is(ValueKind::kList) && value.list().kind != ListKind::kList;
  return no_copy ? nullptr : row_of(methods_of(value), name);
}

bool changes(const Value& value, std::string_view name) {
  static constexpr std::array<std::string_view, 5> kDictNames = {"clear", "pop", "popitem",
                                                                 "setdefault", "update"};
  static constexpr std::array<std::string_view, 8> kListNames = {
      "append", "clear", "pop", "reverse", "insert", "sort", "extend", "remove"};
  const auto among = [name](const auto& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (value.is(ValueKind::kDict)) return among(kDictNames);
  return value.is_list(ListKind::kList) && among(kListNames);
}

std::vector<Value> pairs_of(Run& run, const Dict& dict) {
  std::vector<Value> pairs;
  pairs.reserve(dict.entries.size());
  for (const Entry& entry : dict.entries) {
    if (run.failed()) break;
    pairs.push_back(run.list({entry.key, entry.value}, ListKind::kTuple));
  }
  return pairs;
}

}  // namespace cairn::tokenizer::jinja

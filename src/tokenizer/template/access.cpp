#include "tokenizer/template/access.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "tokenizer/template/loop.h"
#include "tokenizer/template/macro.h"
#include "tokenizer/template/methods.h"
#include "tokenizer/template/operators.h"
#include "tokenizer/template/python_number.h"
#include "tokenizer/template/python_text.h"

namespace cairn::tokenizer::jinja {
namespace {

Value macro_property(Run& run, const Macro& macro, std::string_view name) {
  const Statement& definition = *macro.definition;
  if (name == "name" && definition.kind == StatementKind::kMacro) return run.text(definition.name);
  if (name == "name") return Value(NoneTag());
  if (name == "catch_kwargs") return Value(definition.takes_kwargs);
  if (name == "catch_varargs") return Value(definition.takes_varargs);
  if (name == "caller") return Value(definition.takes_caller);
  if (name != "arguments") return {};
  std::vector<Value> names;
  for (const Parameter& parameter : definition.parameters)
    names.push_back(run.text(parameter.name));
  return run.list(std::move(names), ListKind::kTuple);
}

Value number_property(const Value& value, std::string_view name) {
  if (name == "real") return value.is_integral() ? Value(value.as_int()) : value;
  if (name == "imag") return value.is_integral() ? Value(Int{0}) : Value(0.0);
  if (!value.is_integral()) return {};
  if (name == "numerator") return Value(value.as_int());
  return name == "denominator" ? Value(Int{1}) : Value();
}

/// What range() and groupby()'s pairs with names know of themselves.
Value list_property(const List& list, std::string_view name) {
  if (list.kind == ListKind::kRange) {
    if (name == "start") return Value(list.range.start);
    if (name == "stop") return Value(list.range.stop);
    if (name == "step") return Value(list.range.step);
  }
  if (list.kind == ListKind::kTuple && list.is_group) {
    if (name == "grouper") return list.items[0];
    if (name == "list") return list.items[1];
  }
  return {};
}

/// An attribute that is a value and not a method; missing when there is none.
Value property(Run& run, const Value& value, std::string_view name) {
  if (value.is(ValueKind::kLoop)) return loop_property(run, value.loop(), name);
  if (value.is(ValueKind::kNamespace)) {
    const Value* found = value.name_space().find(name);
    return found != nullptr ? *found : Value();
  }
  if (value.is(ValueKind::kMacro)) return macro_property(run, value.macro(), name);
  if (value.is_number()) return number_property(value, name);
  if (value.is(ValueKind::kList)) return list_property(value.list(), name);
  const bool cycler = value.is(ValueKind::kCounter) && value.counter().kind == CounterKind::kCycler;
  if (cycler && name == "current") return value.counter().items[value.counter().position];
  return {};
}

/// The attribute alone; missing when there is none.
Value attribute_only(Run& run, const Value& value, std::string_view name) {
  if (name.empty()) return {};
  Value found = property(run, value, name);
  if (!found.missing() && name[0] != '_') return found;
  if (name[0] == '_') {
    // Python's own attributes all begin with underscores; items may too, and are found later.
    constexpr std::array<std::string_view, 6> kEverywhere = {"__class__", "__init__", "__doc__",
                                                             "__eq__",    "__str__",  "__dict__"};
    const bool internal =
        std::find(kEverywhere.begin(), kEverywhere.end(), name) != kEverywhere.end();
    if (!internal) return {};
    return run.undefined(
        fmt::format("access to attribute '{}' of '{}' object is unsafe.", name, type_name(value)));
  }
  if (changes(value, name)) {
    return run.undefined(fmt::format(
        "access to attribute '{}' of '{}' object is unsafe: templates cannot change values", name,
        type_name(value)));
  }
  const Builtin* row = find_method(value, name);
  return row != nullptr ? run.bound(value, *row) : Value();
}

/// Place of index `key` in a sequence of `size`; empty out of range.
std::optional<std::size_t> place_of(const Value& key, std::size_t size) {
  Int place = key.as_int();
  if (place < 0) place += static_cast<Int>(size);
  if (place < 0 || place >= static_cast<Int>(size)) return {};
  return static_cast<std::size_t>(place);
}

Value item_of_text(Run& run, const Text& text, const Value& key) {
  const std::vector<std::size_t> starts = char_starts(text.bytes);
  run.step(1 + text.bytes.size() / 64);
  const auto place = place_of(key, starts.size() - 1);
  if (!place) return {};
  return run.slice_text(text, starts[*place], starts[*place + 1]);
}

/// The item alone; missing when there is none.
Value item_only(Run& run, const Value& value, const Value& key) {
  if (value.is(ValueKind::kDict)) {
    const auto hashed = hash_key(key);
    const Value* found = hashed ? value.dict().find(*hashed) : nullptr;
    return found != nullptr ? *found : Value();
  }
  if (!key.is_integral()) return {};
  if (value.is_string()) return item_of_text(run, value.text(), key);
  if (!is_sequence(value)) return {};
  const auto place = place_of(key, value.list().items.size());
  return place ? value.list().items[*place] : Value();
}

Value no_attribute(Run& run, const Value& value, std::string_view name) {
  if (value.none()) return run.undefined(fmt::format("'None' has no attribute '{}'", name));
  return run.undefined(fmt::format("'{} object' has no attribute '{}'", type_name(value), name));
}

/// A slice as first place, number of items and step.
struct Range {
  Int first = 0;
  Int last = 0;  // where it stops
  Int count = 0;
  Int step = 1;
};

/// A bound of a slice as an index; empty when left out. Fails the run for other types.
std::optional<Int> bound_of(Run& run, const Value& bound) {
  if (bound.missing() || bound.none()) return {};
  if (bound.undefined()) {
    run.fail("slice indices must be integers or None or have an __index__ method, not undefined");
    return {};
  }
  if (!bound.is_integral()) {
    run.fail("slice indices must be integers or None or have an __index__ method");
    return {};
  }
  return bound.as_int();
}

/// A longer step takes one item as well as this one does.
constexpr Int kStepMax = Int{1} << 62;

/// Source: the Python language reference, "Sequence types", note 5: bounds are clamped.
std::optional<Range> range_of(Run& run, const SliceBounds& bounds, std::size_t size_items) {
  const auto size = static_cast<Int>(size_items);
  const Int step = std::clamp(bound_of(run, bounds.step).value_or(1), -kStepMax, kStepMax);
  const auto begin = bound_of(run, bounds.begin);
  const auto end = bound_of(run, bounds.end);
  if (step == 0) run.fail("slice step cannot be zero");
  if (run.failed() || step == 0) return {};
  const Int low = step < 0 ? -1 : 0;
  const Int high = step < 0 ? size - 1 : size;
  const auto clamp = [&](std::optional<Int> bound, Int otherwise) {
    if (!bound) return otherwise;
    const Int place = *bound < 0 ? *bound + size : *bound;
    return std::clamp(place, low, high);
  };
  Range range{.first = clamp(begin, step < 0 ? high : low), .last = 0, .count = 0, .step = step};
  const Int last = clamp(end, step < 0 ? low : high);
  range.last = last;
  const Int distance = step < 0 ? range.first - last : last - range.first;
  const Int stride = step < 0 ? -step : step;
  if (distance > 0) range.count = (distance - 1) / stride + 1;
  return range;
}

Value slice_text(Run& run, const Text& text, const SliceBounds& bounds) {
  const std::vector<std::size_t> starts = char_starts(text.bytes);
  if (!run.step(1 + starts.size() / 16)) return run.fail("");
  const auto range = range_of(run, bounds, starts.size() - 1);
  if (!range) return run.fail("");
  if (range->step == 1) {
    const auto first = static_cast<std::size_t>(range->first);
    return run.slice_text(text, starts[first],
                          starts[first + static_cast<std::size_t>(range->count)]);
  }
  TextBuilder out;
  for (Int i = 0; i < range->count; ++i) {
    const auto at = static_cast<std::size_t>(range->first + i * range->step);
    out.add_part(text, starts[at], starts[at + 1]);
  }
  return text.markup ? run.markup(std::move(out)) : run.text(std::move(out));
}

Value slice_list(Run& run, const List& list, const SliceBounds& bounds) {
  const auto range = range_of(run, bounds, list.items.size());
  if (!range) return run.fail("");
  std::vector<Value> items;
  items.reserve(static_cast<std::size_t>(range->count));
  for (Int i = 0; i < range->count; ++i) {
    items.push_back(list.items[static_cast<std::size_t>(range->first + i * range->step)]);
  }
  if (list.kind != ListKind::kRange) return run.list(std::move(items), list.kind);
  const auto step = multiply(range->step, list.range.step);
  const auto start = multiply(range->first, list.range.step);
  const auto stop = multiply(range->last, list.range.step);
  const bool exact = range->step < kStepMax && range->step > -kStepMax;
  const auto from = start ? add(list.range.start, *start) : start;
  const auto until = stop ? add(list.range.start, *stop) : stop;
  if (!exact || !step || !from || !until) return run.fail("the step of a range is too large");
  return run.range(std::move(items), {.start = *from, .stop = *until, .step = *step});
}

}  // namespace

Value get_attribute(Run& run, const Value& value, std::string_view name) {
  if (value.undefined() || value.missing()) return fail_undefined(run, value);
  Value found = attribute_only(run, value, name);
  if (found.missing() && value.is(ValueKind::kDict)) {
    const Value* item = value.dict().find("s" + std::string(name));
    if (item != nullptr) found = *item;
  }
  return found.missing() ? no_attribute(run, value, name) : found;
}

Value get_item(Run& run, const Value& value, const Value& key) {
  if (value.undefined() || value.missing()) return fail_undefined(run, value);
  Value found = item_only(run, value, key);
  if (!found.missing()) return found;
  if (key.is_string()) {
    found = attribute_only(run, value, key.text().bytes);
    return found.missing() ? no_attribute(run, value, key.text().bytes) : found;
  }
  TextBuilder printed;
  print_repr(run, key, printed);
  return run.undefined(
      fmt::format("{} object has no element {}", type_name(value), printed.take_bytes()));
}

Value get_slice(Run& run, const Value& value, const SliceBounds& bounds) {
  if (value.undefined() || value.missing()) return fail_undefined(run, value);
  if (value.is_string()) return slice_text(run, value.text(), bounds);
  if (is_sequence(value)) return slice_list(run, value.list(), bounds);
  return run.fail(fmt::format("'{}' object cannot be sliced", type_name(value)));
}

Value get_path(Run& run, const Value& value, const Value& path) {
  if (!path.is_string()) return path.none() ? value : get_item(run, value, path);
  Value at = value;
  const std::string_view text = path.text().bytes;
  for (std::size_t begin = 0; begin <= text.size() && !run.failed();) {
    const std::size_t end = std::min(text.find('.', begin), text.size());
    const std::string_view part = text.substr(begin, end - begin);
    const bool digits =
        !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
    const auto number = digits ? parse_int(part, 10) : std::nullopt;
    at = get_item(run, at, number ? Value(*number) : run.text(std::string(part)));
    begin = end + 1;
  }
  return at;
}

}  // namespace cairn::tokenizer::jinja

#include "tokenizer/template/operators.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "tokenizer/template/loop.h"
#include "tokenizer/template/python_number.h"
#include "tokenizer/template/python_text.h"

namespace cairn::tokenizer::jinja {
namespace {

/// Address of what values of reference kinds share, to compare by identity.
const void* identity(const Value& value) {
  switch (value.kind()) {
    case ValueKind::kGenerator:
      return &value.generator();
    case ValueKind::kCounter:
      return &value.counter();
    case ValueKind::kLoop:
      return &value.loop();
    case ValueKind::kNamespace:
      return &value.name_space();
    case ValueKind::kMacro:
      return &value.macro();
    case ValueKind::kFunction:
      return &value.function();
    case ValueKind::kMethod:
      return value.method().row;
    default:
      return nullptr;
  }
}

std::string number_key(const Value& value) {
  if (value.is_integral()) return "i" + int_text(value.as_int());
  const auto whole = truncate(value.floating());
  if (whole && static_cast<double>(*whole) == value.floating()) return "i" + int_text(*whole);
  return "f" + float_text(value.floating());
}

bool equal_lists(Run& run, const List& a, const List& b) {
  if (a.kind != b.kind || a.items.size() != b.items.size()) return false;
  for (std::size_t i = 0; i < a.items.size(); ++i) {
    if (!equal(run, a.items[i], b.items[i])) return false;
  }
  return true;
}

bool equal_dicts(Run& run, const Dict& a, const Dict& b) {
  if (a.entries.size() != b.entries.size()) return false;
  return std::all_of(a.entries.begin(), a.entries.end(), [&](const Entry& entry) {
    const Value* other = b.find(*hash_key(entry.key));
    return other != nullptr && equal(run, entry.value, *other);
  });
}

bool equal_numbers(const Value& a, const Value& b) {
  if (a.is_integral() && b.is_integral()) return a.as_int() == b.as_int();
  if (!a.is_integral() && !b.is_integral()) return a.floating() == b.floating();
  const Value& whole = a.is_integral() ? a : b;
  const double other = a.is_integral() ? b.floating() : a.floating();
  return !std::isnan(other) && compare_exactly(whole.as_int(), other) == 0;
}

template <typename T>
int order(const T& a, const T& b) {
  return a < b ? -1 : static_cast<int>(b < a);
}

std::optional<int> compare_lists(Run& run, const List& a, const List& b, std::string_view sign) {
  const std::size_t both = std::min(a.items.size(), b.items.size());
  for (std::size_t i = 0; i < both && !run.failed(); ++i) {
    if (!equal(run, a.items[i], b.items[i])) return compare(run, a.items[i], b.items[i], sign);
  }
  return order(a.items.size(), b.items.size());
}

bool contains_item(Run& run, const Value& needle, const std::vector<Value>& items) {
  return std::any_of(items.begin(), items.end(),
                     [&](const Value& item) { return equal(run, item, needle); });
}

bool contains_text(Run& run, const Value& needle, const Text& haystack) {
  if (!needle.is_string()) {
    run.fail(
        fmt::format("'in <string>' requires string as left operand, not {}", type_name(needle)));
    return false;
  }
  return find_text(run, haystack.bytes, needle.text().bytes, 0) != std::string::npos;
}

}  // namespace

std::optional<std::string> hash_key(const Value& value) {
  switch (value.kind()) {
    case ValueKind::kString:
      return "s" + value.text().bytes;
    case ValueKind::kBool:
    case ValueKind::kInt:
    case ValueKind::kFloat:
      return number_key(value);
    case ValueKind::kNone:
      return "n";
    case ValueKind::kMissing:
    case ValueKind::kUndefined:
      return "u";
    case ValueKind::kDict:
      return {};
    case ValueKind::kList: {
      if (value.list().kind != ListKind::kTuple) return {};
      std::string key = "(";
      for (const Value& item : value.list().items) {
        const auto part = hash_key(item);
        if (!part) return {};
        key += fmt::format("{}:{}", part->size(), *part);
      }
      return key;
    }
    default:
      return fmt::format("p{}", identity(value));
  }
}

bool equal(Run& run, const Value& a, const Value& b) {
  if (!run.step()) return false;
  if (a.is_number() && b.is_number()) return equal_numbers(a, b);
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case ValueKind::kString:
      return a.text().bytes == b.text().bytes;
    case ValueKind::kList:
      return equal_lists(run, a.list(), b.list());
    case ValueKind::kDict:
      return equal_dicts(run, a.dict(), b.dict());
    default:
      return identity(a) == identity(b);
  }
}

std::optional<int> compare(Run& run, const Value& a, const Value& b, std::string_view sign) {
  if (!run.step()) return {};
  if (a.undefined() || b.undefined()) {
    fail_undefined(run, a.undefined() ? a : b);
    return {};
  }
  if (a.is_integral() && b.is_integral()) return order(a.as_int(), b.as_int());
  if (a.is_number() && b.is_number()) {
    // NaN is neither less nor greater: what compares false either way sorts as equal.
    if (std::isnan(a.as_double()) || std::isnan(b.as_double())) return 0;
    if (a.is_integral()) return compare_exactly(a.as_int(), b.floating());
    if (b.is_integral()) return -compare_exactly(b.as_int(), a.floating());
    return order(a.floating(), b.floating());
  }
  if (a.is_string() && b.is_string()) return order(a.text().bytes, b.text().bytes);
  const bool lists = a.is(ValueKind::kList) && b.is(ValueKind::kList) &&
                     a.list().kind == b.list().kind && a.list().kind <= ListKind::kTuple;
  if (lists) return compare_lists(run, a.list(), b.list(), sign);
  run.fail(fmt::format("'{}' not supported between instances of '{}' and '{}'", sign, type_name(a),
                       type_name(b)));
  return {};
}

bool contains(Run& run, const Value& needle, const Value& haystack) {
  switch (haystack.kind()) {
    case ValueKind::kString:
      return contains_text(run, needle, haystack.text());
    case ValueKind::kList:
      return contains_item(run, needle, haystack.list().items);
    case ValueKind::kDict: {
      const auto key = hash_key(needle);
      if (!key) run.fail(fmt::format("unhashable type: '{}'", type_name(needle)));
      return key && haystack.dict().find(*key) != nullptr;
    }
    case ValueKind::kMissing:
    case ValueKind::kUndefined:
      return false;
    case ValueKind::kGenerator:
      // As in Python, the search takes items up to the one it finds.
      for (Value item = pull(run, haystack.generator()); !item.missing();
           item = pull(run, haystack.generator())) {
        if (equal(run, item, needle)) return true;
      }
      return false;
    default:
      run.fail(fmt::format("argument of type '{}' is not iterable", type_name(haystack)));
      return false;
  }
}

bool test_operator(Run& run, Operator op, const Value& a, const Value& b) {
  const auto ordered = [&](std::string_view sign, auto accept) {
    const auto result = compare(run, a, b, sign);
    const bool nan =
        a.is_number() && b.is_number() && (std::isnan(a.as_double()) || std::isnan(b.as_double()));
    return result && !nan && accept(*result);
  };
  switch (op) {
    case Operator::kEqual:
      return equal(run, a, b);
    case Operator::kNotEqual:
      return !equal(run, a, b);
    case Operator::kLess:
      return ordered("<", [](int c) { return c < 0; });
    case Operator::kLessEqual:
      return ordered("<=", [](int c) { return c <= 0; });
    case Operator::kGreater:
      return ordered(">", [](int c) { return c > 0; });
    case Operator::kGreaterEqual:
      return ordered(">=", [](int c) { return c >= 0; });
    case Operator::kNotIn:
      return !contains(run, a, b);
    default:
      return contains(run, a, b);
  }
}

std::vector<Value> iterate(Run& run, const Value& value) {
  std::vector<Value> items;
  switch (value.kind()) {
    case ValueKind::kList:
      items = value.list().items;
      break;
    case ValueKind::kDict:
      for (const Entry& entry : value.dict().entries) items.push_back(entry.key);
      break;
    case ValueKind::kString: {
      const std::vector<std::size_t> starts = char_starts(value.text().bytes);
      if (!run.step(starts.size())) return items;
      for (std::size_t i = 0; i + 1 < starts.size() && !run.failed(); ++i) {
        // Markup gives plain characters.
        TextBuilder one;
        one.add_part(value.text(), starts[i], starts[i + 1]);
        items.push_back(run.text(std::move(one)));
      }
      break;
    }
    case ValueKind::kGenerator: {
      Generator& generator = value.generator();
      for (Value item = pull(run, generator); !item.missing() && run.meter().fits(items.size());
           item = pull(run, generator)) {
        items.push_back(std::move(item));
      }
      break;
    }
    case ValueKind::kMissing:
    case ValueKind::kUndefined:
      break;
    default:
      run.fail(fmt::format("'{}' object is not iterable", type_name(value)));
  }
  run.step(items.size());
  return items;
}

Value pull(Run& run, Generator& generator) {
  if (run.failed()) return {};
  if (generator.position < generator.items.size()) return generator.items[generator.position++];
  if (!generator.make) return {};
  Value item = generator.make();
  if (item.missing() || run.failed()) {
    generator.make = nullptr;
    return {};
  }
  return item;
}

ItemSource::ItemSource(Run& run, Value value) : run_(run), value_(std::move(value)) {}

Value ItemSource::next() {
  if (value_.is(ValueKind::kGenerator)) return pull(run_, value_.generator());
  if (!started_) items_ = iterate(run_, value_);
  started_ = true;
  return position_ < items_.size() && !run_.failed() ? items_[position_++] : Value();
}

bool is_iterable(const Value& value) {
  switch (value.kind()) {
    case ValueKind::kUndefined:
    case ValueKind::kString:
    case ValueKind::kList:
    case ValueKind::kDict:
    case ValueKind::kGenerator:
    case ValueKind::kLoop:
      return true;
    default:
      return false;
  }
}

std::optional<std::size_t> length_of(const Value& value) {
  switch (value.kind()) {
    case ValueKind::kUndefined:
      return 0;
    case ValueKind::kString:
      return char_count(value.text().bytes);
    case ValueKind::kList:
      return value.list().items.size();
    case ValueKind::kDict:
      return value.dict().entries.size();
    case ValueKind::kLoop:
      return value.loop().count();
    default:
      return {};
  }
}

std::size_t find_text(Run& run, std::string_view text, std::string_view part, std::size_t from) {
  // The search may compare every byte of `part` at every place; the divisor is what one step buys.
  constexpr std::uint64_t kComparesPerStep = 4096;
  const std::size_t left = text.size() - std::min(from, text.size());
  const std::uint64_t work = std::uint64_t{left} / kComparesPerStep * (part.size() + 1);
  if (!run.step(1 + work)) return std::string::npos;
  return text.find(part, from);
}

Value fail_undefined(Run& run, const Value& value) {
  const bool known = value.undefined() && !value.reason().message.empty();
  return run.fail(known ? std::string_view(value.reason().message) : "the value is undefined");
}

}  // namespace cairn::tokenizer::jinja

// Python's operators over values: comparing, containing, calculating, printing, iterating.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tokenizer/template/ast.h"
#include "tokenizer/template/run.h"
#include "tokenizer/template/value.h"

namespace cairn::tokenizer::jinja {

/// A text that is the same for keys that Python takes as equal; empty for what cannot be a key.
std::optional<std::string> hash_key(const Value& value);

/// a == b.
bool equal(Run& run, const Value& a, const Value& b);

/// The order of a and b (negative, 0, positive) for < and sorting; empty after failing the run for
/// values without an order. `sign` is what the message names: "<", ">", ...
std::optional<int> compare(Run& run, const Value& a, const Value& b, std::string_view sign);

/// needle in haystack; fails the run where Python raises.
bool contains(Run& run, const Value& needle, const Value& haystack);

/// a (op) b for the comparisons.
bool test_operator(Run& run, Operator op, const Value& a, const Value& b);

/// a (op) b for + - * / // % **.
Value calculate(Run& run, Operator op, const Value& a, const Value& b);

/// Adds str(value).
void print(Run& run, const Value& value, TextBuilder& out);
/// Adds repr(value).
void print_repr(Run& run, const Value& value, TextBuilder& out);
/// str(value) as a string value; a string is itself.
Value to_text(Run& run, const Value& value);

/// The items of anything that can be iterated, a generator's being used up; fails the run for
/// anything else.
std::vector<Value> iterate(Run& run, const Value& value);
bool is_iterable(const Value& value);

/// The (key, value) tuples of a dict.
std::vector<Value> pairs_of(Run& run, const Dict& dict);

/// len(value), or empty where it has none.
std::optional<std::size_t> length_of(const Value& value);

/// The places of the first and the further occurrences of `part` in `text`; spends steps.
std::size_t find_text(Run& run, std::string_view text, std::string_view part, std::size_t from);

/// HTML escaping as markupsafe does it.
void print_escaped(const Text& text, TextBuilder& out);
/// The same for what is not markup; markup stays as it is.
void print_as_markup(const Text& text, TextBuilder& out);

/// The next item of a generator; missing at its end or when the run has failed.
Value pull(Run& run, Generator& generator);

/// Items of any value one by one: a generator's as they are asked for, so that what nobody asks for
/// is not made. Fails the run at the first item of a value that has none. The Run must outlive it.
class ItemSource {
 public:
  ItemSource(Run& run, Value value);
  /// Missing at the end.
  Value next();

 private:
  Run& run_;
  Value value_;
  std::vector<Value> items_;
  std::size_t position_ = 0;
  bool started_ = false;
};

/// Fails the run with the reason that an undefined value carries.
Value fail_undefined(Run& run, const Value& value);

}  // namespace cairn::tokenizer::jinja

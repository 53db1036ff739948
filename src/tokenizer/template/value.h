// The values a template works with: Python's, as far as chat templates can see them.
//
// Strings, lists and dicts never change once made and are shared by count; what can change and so
// could hold itself (namespaces, macros with their scopes) is owned by the Run and pointed to, so
// counts form no cycles. `depth` bounds nesting, so that walking or freeing a value takes bounded
// stack.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "tokenizer/template/text.h"

namespace cairn::tokenizer::jinja {

/// Wide enough for every JSON integer and for what templates compute; overflow is an error.
__extension__ typedef __int128 Int;

class Value;
class Run;
struct Loop;
struct Macro;
struct Statement;

/// Lists and dicts nest no deeper than this.
constexpr unsigned kValueDepthMax = 200;

/// None.
struct NoneTag {};

/// Why a value is undefined: the message of the error that using it gives.
struct Undefined {
  std::string message;
};

enum class ListKind : std::uint8_t {
  kList,
  kTuple,
  kRange,
  kKeysView,
  kValuesView,
  kItemsView,
};

/// What a range was made from.
struct RangeBounds {
  Int start = 0;
  Int stop = 0;
  Int step = 1;
};

/// A sequence that never changes.
struct List {
  ListKind kind = ListKind::kList;
  std::vector<Value> items;
  RangeBounds range;      // of a range
  bool is_group = false;  // a tuple that groupby() made: its items have names
  unsigned depth = 1;
  Charge charge;
};

/// One pair of a dict.
struct Entry;

/// A dict in insertion order. Changes only while it is being built.
struct Dict {
  std::vector<Entry> entries;
  std::unordered_map<std::string, std::size_t> index;  // hash key to place
  unsigned depth = 1;
  Charge charge;

  /// The value under `key` (a hash_key), or nullptr. Valid as long as the dict.
  const Value* find(const std::string& key) const;
};

/// An iterator: it gives each of its items once: those it holds, then those it makes.
struct Generator {
  std::vector<Value> items;
  std::size_t position = 0;
  std::function<Value()> make;  // a missing value ends it
  unsigned depth = 1;
  Charge charge;
};

enum class CounterKind : std::uint8_t { kCycler, kJoiner };

/// cycler() and joiner().
struct Counter {
  CounterKind kind = CounterKind::kCycler;
  std::vector<Value> items;
  std::size_t position = 0;
  unsigned depth = 1;
};

/// A namespace() object; owned by the Run.
struct Namespace {
  std::vector<std::pair<std::string, Value>> fields;
  Charge charge;

  Value* find(std::string_view name);
};

/// Positional and keyword arguments of a call; after binding, one positional value per parameter,
/// missing where it was not given.
struct Arguments {
  std::vector<Value> positional;
  std::vector<std::pair<std::string, Value>> keywords;

  /// Parameter `place`, or a missing value.
  const Value& at(std::size_t place) const;
  bool has(std::size_t place) const;
};

/// A filter, test, method or global function written in C++: a row of a table.
struct Builtin {
  std::string_view name;
  std::string_view parameters;  // names by spaces; "*": takes whatever is given
  std::size_t required = 0;
  Value (*call)(Run& run, const Value& self, const Arguments& arguments) = nullptr;
};

/// A method with the value it belongs to.
struct BoundMethod;

enum class ValueKind : std::uint8_t {
  kMissing,
  kUndefined,
  kNone,
  kBool,
  kInt,
  kFloat,
  kString,
  kList,
  kDict,
  kGenerator,
  kCounter,
  kLoop,
  kNamespace,
  kMacro,
  kFunction,
  kMethod,
};

/// One value. Copying shares.
class Value {
 public:
  Value() = default;
  explicit Value(NoneTag none) : state_(none) {}
  explicit Value(bool value) : state_(value) {}
  explicit Value(Int value) : state_(value) {}
  explicit Value(double value) : state_(value) {}
  explicit Value(std::shared_ptr<const Undefined> value) : state_(std::move(value)) {}
  explicit Value(std::shared_ptr<const Text> value) : state_(std::move(value)) {}
  explicit Value(std::shared_ptr<const List> value) : state_(std::move(value)) {}
  explicit Value(std::shared_ptr<const Dict> value) : state_(std::move(value)) {}
  explicit Value(std::shared_ptr<Generator> value) : state_(std::move(value)) {}
  explicit Value(std::shared_ptr<Counter> value) : state_(std::move(value)) {}
  explicit Value(std::shared_ptr<Loop> value) : state_(std::move(value)) {}
  explicit Value(Namespace* value) : state_(value) {}
  explicit Value(const Macro* value) : state_(value) {}
  explicit Value(const Builtin* value) : state_(value) {}
  explicit Value(std::shared_ptr<const BoundMethod> value) : state_(std::move(value)) {}

  ValueKind kind() const { return static_cast<ValueKind>(state_.index()); }
  bool is(ValueKind kind) const { return this->kind() == kind; }
  bool missing() const { return is(ValueKind::kMissing); }
  bool undefined() const { return is(ValueKind::kUndefined); }
  bool none() const { return is(ValueKind::kNone); }

  /// The payload; only of a value of that kind.
  bool boolean() const { return std::get<bool>(state_); }
  Int integer() const { return std::get<Int>(state_); }
  double floating() const { return std::get<double>(state_); }
  const Undefined& reason() const { return *std::get<1>(state_); }
  const Text& text() const { return *std::get<std::shared_ptr<const Text>>(state_); }
  const List& list() const { return *std::get<std::shared_ptr<const List>>(state_); }
  const Dict& dict() const { return *std::get<std::shared_ptr<const Dict>>(state_); }
  Generator& generator() const { return *std::get<std::shared_ptr<Generator>>(state_); }
  Counter& counter() const { return *std::get<std::shared_ptr<Counter>>(state_); }
  Loop& loop() const { return *std::get<std::shared_ptr<Loop>>(state_); }
  Namespace& name_space() const { return *std::get<Namespace*>(state_); }
  const Macro& macro() const { return *std::get<const Macro*>(state_); }
  const Builtin& function() const { return *std::get<const Builtin*>(state_); }
  const BoundMethod& method() const;

  /// A list (true also for tuples, ranges and views) of that kind.
  bool is_list(ListKind list_kind) const;
  bool is_string() const { return is(ValueKind::kString); }
  /// int or bool.
  bool is_integral() const { return is(ValueKind::kInt) || is(ValueKind::kBool); }
  /// int, bool or float.
  bool is_number() const { return is_integral() || is(ValueKind::kFloat); }
  /// int or bool as an Int.
  Int as_int() const { return is(ValueKind::kBool) ? Int{boolean()} : integer(); }
  /// int, bool or float as a double.
  double as_double() const {
    return is(ValueKind::kFloat) ? floating() : static_cast<double>(as_int());
  }

 private:
  std::variant<std::monostate, std::shared_ptr<const Undefined>, NoneTag, bool, Int, double,
               std::shared_ptr<const Text>, std::shared_ptr<const List>,
               std::shared_ptr<const Dict>, std::shared_ptr<Generator>, std::shared_ptr<Counter>,
               std::shared_ptr<Loop>, Namespace*, const Macro*, const Builtin*,
               std::shared_ptr<const BoundMethod>>
      state_;
};

struct Entry {
  Value key;
  Value value;
};

struct BoundMethod {
  Value self;
  const Builtin* row = nullptr;
  unsigned depth = 1;
};

/// How deep `value` nests: 0 for scalars and what the Run owns.
unsigned depth_of(const Value& value);

/// 1 + the deepest of `values`.
unsigned depth_over(const std::vector<Value>& values);

/// The name Python gives the type: "str", "dict", ...
std::string_view type_name(const Value& value);

/// Python's truth of a value.
bool truthy(const Value& value);

/// A list, tuple or range (what can be subscripted and sliced).
bool is_sequence(const Value& value);

}  // namespace cairn::tokenizer::jinja

// A JSON document as it was written: keys in order, numbers as they are spelled.
//
// Purpose     the tree between text and the documents' structs, and its one way back to text.
// Invariants  a tree that a reader gave nests at most kDepthMax deep.
// Threads     values; no shared state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace cairn::evidence {

struct Member;

/// A number: its value and its spelling, which tells 40 from 40.0.
struct Number {
  double value = 0;
  std::string text;
};

enum class Kind : std::uint8_t { kNull, kBool, kNumber, kString, kArray, kObject };

/// One JSON value.
class Value {
 public:
  using Array = std::vector<Value>;
  using Object = std::vector<Member>;

  Value();
  explicit Value(bool flag);
  explicit Value(Number number);
  explicit Value(std::string text);
  explicit Value(Array items);
  explicit Value(Object members);
  Value(const Value& other);
  Value(Value&& other) noexcept;
  Value& operator=(const Value& other);
  Value& operator=(Value&& other) noexcept;
  ~Value();

  Kind kind() const { return static_cast<Kind>(state_.index()); }

  /// Each only for a value of that kind.
  bool flag() const { return std::get<bool>(state_); }
  const Number& number() const { return std::get<Number>(state_); }
  const std::string& text() const { return std::get<std::string>(state_); }
  const Array& items() const { return std::get<Array>(state_); }
  Array& items() { return std::get<Array>(state_); }
  const Object& members() const { return std::get<Object>(state_); }
  Object& members() { return std::get<Object>(state_); }

  /// The member of an object with exactly this key, or null; also null for any other kind.
  const Value* find(std::string_view key) const;

 private:
  std::variant<std::monostate, bool, Number, std::string, Array, Object> state_;
};

/// One key of an object.
struct Member {
  std::string key;
  Value value;
};

/// "a string", "null", "an object", ...: how error lines name a kind.
std::string_view kind_name(Kind kind);

enum class Layout : std::uint8_t {
  kCompact,  // no white space: what digests are taken of (J-22)
  kIndented  // two blanks a level: what the command line prints; without the last newline
};

/// The text of `value`; numbers keep their spelling, strings are escaped by J-21.
std::string to_text(const Value& value, Layout layout);

/// J-21: `text` in quotes. Control characters, <, >, &, U+2028 and U+2029 are escaped.
std::string string_text(std::string_view text);

/// J-20: the shortest digits that read back as `value`, laid out as ECMAScript does; both zeros
/// are 0. Only for finite values.
std::string number_text(double value);

/// number_text() for an error line: it takes any value.
std::string shown_number(double value);

/// Numbers with the canonical spelling.
Value number_value(double value);
Value number_value(std::int64_t value);
Value number_value(std::uint64_t value);

}  // namespace cairn::evidence

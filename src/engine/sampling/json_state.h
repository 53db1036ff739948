// JSON as bytes, read one at a time: a pushdown automaton whose states are small values.
//
// Purpose     says of each byte whether the text so far can still become one JSON object.
// Invariants  what it accepts is RFC 8259 and valid UTF-8; escaped surrogates stand in pairs and an
//             exponent has at most two digits, so that every reader can hold what comes out.
// Threads     a state and its stack belong to one thread.
// Source      RFC 8259; the byte ranges of UTF-8: RFC 3629, section 4.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace cairn::engine {

/// What has been read last, or what comes next.
enum class JsonMode : std::uint8_t {
  kStart,       // the object
  kValue,       // after ':' or after ',' in an array
  kFirstValue,  // after '['
  kKey,         // after ',' in an object
  kFirstKey,    // after '{'
  kColon,       // after a key
  kAfter,       // after a value
  kDone,        // after the object
  kString,
  kEscape,  // after a backslash
  kHex1,    // hexadecimal digits to come: this one is the first of four
  kHex2,
  kHex3,
  kHex4,
  kHexAfterD,  // the first digit was D: a surrogate when the second is 8 or more
  kHigh3,      // third and fourth digit of a high surrogate
  kHigh4,
  kLowSlash,  // its low surrogate, byte by byte
  kLowU,
  kLowD,
  kLowSecond,
  kTail1,  // one more byte 80 to BF, and so on
  kTail2,
  kTail3,
  kAfterE0,  // first bytes whose second byte has a narrower range
  kAfterEd,
  kAfterF0,
  kAfterF4,
  kMinus,
  kZero,
  kInteger,
  kPoint,
  kFraction,
  kExponent,
  kExponentSign,
  kExponent1,  // one digit read
  kExponent2,
  kT,
  kTr,
  kTru,
  kF,
  kFa,
  kFal,
  kFals,
  kN,
  kNu,
  kNul,
};

/// Whether a byte may follow; kUnknown where a part of the stack decides that is not known.
enum class JsonVerdict : std::uint8_t { kNo, kYes, kUnknown };

/// The open arrays and objects of all states that were ever reached: a state points at its
/// innermost one, which points at the one around it. So states are values and can be gone back to.
class JsonStack {
 public:
  static constexpr std::uint32_t kEmpty = 0;    // nothing is open
  static constexpr std::uint32_t kUnknown = 1;  // what is open is not known
  enum class Kind : std::uint8_t { kObject, kArray };

  JsonStack() : levels_(2) {}
  /// A level inside `outer`; gives its index.
  std::uint32_t push(std::uint32_t outer, Kind kind);
  std::uint32_t outer(std::uint32_t level) const { return levels_[level].outer; }
  Kind kind(std::uint32_t level) const { return levels_[level].kind; }

  /// Levels so far, and forgetting those that came later.
  std::size_t size() const { return levels_.size(); }
  void shrink(std::size_t size) { levels_.resize(size); }

 private:
  struct Level {
    std::uint32_t outer = 0;
    Kind kind = Kind::kObject;
  };
  std::vector<Level> levels_;
};

struct JsonState {
  JsonMode mode = JsonMode::kStart;
  bool key = false;  // the string is a key
  std::uint32_t level = JsonStack::kEmpty;

  /// Reads one byte. Unless kYes, the state is not to be used any more.
  JsonVerdict step(std::uint8_t byte, JsonStack& stack);

  /// Whether a space, tab or line end may stand here without being part of a string.
  bool takes_whitespace() const;
  /// Whether a digit here makes the same number longer.
  bool takes_digits() const;

  /// Reads one byte inside a string; kAfter, or kColon behind a key, is the mode behind its quote.
  JsonVerdict step_string(std::uint8_t byte);

 private:
  JsonVerdict step_value(std::uint8_t byte, JsonStack& stack);
  JsonVerdict step_after(std::uint8_t byte, JsonStack& stack);
  JsonVerdict step_structure(std::uint8_t byte, JsonStack& stack);
  JsonVerdict step_number(std::uint8_t byte, JsonStack& stack);
  JsonVerdict open(JsonStack& stack, JsonStack::Kind kind);
  JsonVerdict close(const JsonStack& stack);
  JsonVerdict go(JsonMode next);
};

/// The mode after one more byte of a number, which begins in kValue; nothing where it is none.
std::optional<JsonMode> next_in_number(JsonMode mode, std::uint8_t byte);
/// Whether a number may end after what was read.
bool ends_number(JsonMode mode);

}  // namespace cairn::engine

#include "engine/sampling/json_state.h"

#include <string_view>

namespace cairn::engine {
namespace {

using Mode = JsonMode;
using Kind = JsonStack::Kind;

constexpr JsonVerdict kNo = JsonVerdict::kNo;
constexpr JsonVerdict kYes = JsonVerdict::kYes;

bool is_space(std::uint8_t byte) {
  return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t';
}

/// One way on: from a mode, with a byte of a range, to a mode.
struct Rule {
  Mode from = Mode::kStart;
  std::uint8_t low = 0;
  std::uint8_t high = 0;
  Mode to = Mode::kStart;
};

constexpr Rule rule(Mode from, char low, char high, Mode to) {
  return {from, static_cast<std::uint8_t>(low), static_cast<std::uint8_t>(high), to};
}

/// Inside strings: plain bytes, escapes, surrogate pairs, UTF-8.
constexpr Rule kStringRules[] = {
    {Mode::kString, 0x20, 0x21, Mode::kString},     {Mode::kString, 0x23, 0x5B, Mode::kString},
    {Mode::kString, 0x5C, 0x5C, Mode::kEscape},     {Mode::kString, 0x5D, 0x7F, Mode::kString},
    {Mode::kString, 0xC2, 0xDF, Mode::kTail1},      {Mode::kString, 0xE0, 0xE0, Mode::kAfterE0},
    {Mode::kString, 0xE1, 0xEC, Mode::kTail2},      {Mode::kString, 0xED, 0xED, Mode::kAfterEd},
    {Mode::kString, 0xEE, 0xEF, Mode::kTail2},      {Mode::kString, 0xF0, 0xF0, Mode::kAfterF0},
    {Mode::kString, 0xF1, 0xF3, Mode::kTail3},      {Mode::kString, 0xF4, 0xF4, Mode::kAfterF4},
    {Mode::kTail1, 0x80, 0xBF, Mode::kString},      {Mode::kTail2, 0x80, 0xBF, Mode::kTail1},
    {Mode::kTail3, 0x80, 0xBF, Mode::kTail2},       {Mode::kAfterE0, 0xA0, 0xBF, Mode::kTail1},
    {Mode::kAfterEd, 0x80, 0x9F, Mode::kTail1},     {Mode::kAfterF0, 0x90, 0xBF, Mode::kTail2},
    {Mode::kAfterF4, 0x80, 0x8F, Mode::kTail2},     rule(Mode::kEscape, '"', '"', Mode::kString),
    rule(Mode::kEscape, '/', '/', Mode::kString),   rule(Mode::kEscape, '\\', '\\', Mode::kString),
    rule(Mode::kEscape, 'b', 'b', Mode::kString),   rule(Mode::kEscape, 'f', 'f', Mode::kString),
    rule(Mode::kEscape, 'n', 'n', Mode::kString),   rule(Mode::kEscape, 'r', 'r', Mode::kString),
    rule(Mode::kEscape, 't', 't', Mode::kString),   rule(Mode::kEscape, 'u', 'u', Mode::kHex1),
    rule(Mode::kHex1, '0', '9', Mode::kHex2),       rule(Mode::kHex1, 'A', 'C', Mode::kHex2),
    rule(Mode::kHex1, 'D', 'D', Mode::kHexAfterD),  rule(Mode::kHex1, 'E', 'F', Mode::kHex2),
    rule(Mode::kHex1, 'a', 'c', Mode::kHex2),       rule(Mode::kHex1, 'd', 'd', Mode::kHexAfterD),
    rule(Mode::kHex1, 'e', 'f', Mode::kHex2),       rule(Mode::kHexAfterD, '0', '7', Mode::kHex3),
    rule(Mode::kHexAfterD, '8', '9', Mode::kHigh3), rule(Mode::kHexAfterD, 'A', 'B', Mode::kHigh3),
    rule(Mode::kHexAfterD, 'a', 'b', Mode::kHigh3), rule(Mode::kLowSlash, '\\', '\\', Mode::kLowU),
    rule(Mode::kLowU, 'u', 'u', Mode::kLowD),       rule(Mode::kLowD, 'D', 'D', Mode::kLowSecond),
    rule(Mode::kLowD, 'd', 'd', Mode::kLowSecond),  rule(Mode::kLowSecond, 'C', 'F', Mode::kHex3),
    rule(Mode::kLowSecond, 'c', 'f', Mode::kHex3),
};

/// Modes where any hexadecimal digit leads to the next.
constexpr struct {
  Mode from;
  Mode to;
} kHexSteps[] = {{Mode::kHex2, Mode::kHex3},
                 {Mode::kHex3, Mode::kHex4},
                 {Mode::kHex4, Mode::kString},
                 {Mode::kHigh3, Mode::kHigh4},
                 {Mode::kHigh4, Mode::kLowSlash}};

bool is_hex(std::uint8_t byte) {
  return (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'F') ||
         (byte >= 'a' && byte <= 'f');
}

/// Inside numbers and words.
constexpr Rule kNumberRules[] = {
    rule(Mode::kMinus, '0', '0', Mode::kZero),
    rule(Mode::kMinus, '1', '9', Mode::kInteger),
    rule(Mode::kZero, '.', '.', Mode::kPoint),
    rule(Mode::kZero, 'E', 'E', Mode::kExponent),
    rule(Mode::kZero, 'e', 'e', Mode::kExponent),
    rule(Mode::kInteger, '0', '9', Mode::kInteger),
    rule(Mode::kInteger, '.', '.', Mode::kPoint),
    rule(Mode::kInteger, 'E', 'E', Mode::kExponent),
    rule(Mode::kInteger, 'e', 'e', Mode::kExponent),
    rule(Mode::kPoint, '0', '9', Mode::kFraction),
    rule(Mode::kFraction, '0', '9', Mode::kFraction),
    rule(Mode::kFraction, 'E', 'E', Mode::kExponent),
    rule(Mode::kFraction, 'e', 'e', Mode::kExponent),
    rule(Mode::kExponent, '+', '+', Mode::kExponentSign),
    rule(Mode::kExponent, '-', '-', Mode::kExponentSign),
    rule(Mode::kExponent, '0', '9', Mode::kExponent1),
    rule(Mode::kExponentSign, '0', '9', Mode::kExponent1),
    rule(Mode::kExponent1, '0', '9', Mode::kExponent2),
    rule(Mode::kT, 'r', 'r', Mode::kTr),
    rule(Mode::kTr, 'u', 'u', Mode::kTru),
    rule(Mode::kTru, 'e', 'e', Mode::kAfter),
    rule(Mode::kF, 'a', 'a', Mode::kFa),
    rule(Mode::kFa, 'l', 'l', Mode::kFal),
    rule(Mode::kFal, 's', 's', Mode::kFals),
    rule(Mode::kFals, 'e', 'e', Mode::kAfter),
    rule(Mode::kN, 'u', 'u', Mode::kNu),
    rule(Mode::kNu, 'l', 'l', Mode::kNul),
    rule(Mode::kNul, 'l', 'l', Mode::kAfter),
};

/// The first byte of a value that is no string, array or object.
constexpr Rule kValueRules[] = {
    rule(Mode::kValue, '-', '-', Mode::kMinus),   rule(Mode::kValue, '0', '0', Mode::kZero),
    rule(Mode::kValue, '1', '9', Mode::kInteger), rule(Mode::kValue, 't', 't', Mode::kT),
    rule(Mode::kValue, 'f', 'f', Mode::kF),       rule(Mode::kValue, 'n', 'n', Mode::kN),
};

template <std::size_t Count>
const Rule* find_rule(const Rule (&rules)[Count], Mode mode, std::uint8_t byte) {
  for (const Rule& each : rules) {
    if (each.from == mode && byte >= each.low && byte <= each.high) return &each;
  }
  return nullptr;
}

}  // namespace

bool ends_number(Mode mode) {
  return mode == Mode::kZero || mode == Mode::kInteger || mode == Mode::kFraction ||
         mode == Mode::kExponent1 || mode == Mode::kExponent2;
}

std::optional<JsonMode> next_in_number(JsonMode mode, std::uint8_t byte) {
  const bool begins = mode == Mode::kValue;
  const Rule* found =
      begins ? find_rule(kValueRules, mode, byte) : find_rule(kNumberRules, mode, byte);
  // Behind these come the letters of words.
  if (found == nullptr || found->to > Mode::kExponent2) return std::nullopt;
  return found->to;
}

std::uint32_t JsonStack::push(std::uint32_t outer, Kind kind) {
  levels_.push_back({.outer = outer, .kind = kind});
  return static_cast<std::uint32_t>(levels_.size() - 1);
}

bool JsonState::takes_whitespace() const { return mode <= Mode::kDone; }

bool JsonState::takes_digits() const { return mode == Mode::kInteger || mode == Mode::kFraction; }

JsonVerdict JsonState::go(JsonMode next) {
  mode = next;
  return kYes;
}

JsonVerdict JsonState::open(JsonStack& stack, Kind kind) {
  level = stack.push(level, kind);
  return go(kind == Kind::kObject ? Mode::kFirstKey : Mode::kFirstValue);
}

JsonVerdict JsonState::close(const JsonStack& stack) {
  level = stack.outer(level);
  return go(level == JsonStack::kEmpty ? Mode::kDone : Mode::kAfter);
}

JsonVerdict JsonState::step(std::uint8_t byte, JsonStack& stack) {
  if (takes_whitespace()) return is_space(byte) ? kYes : step_structure(byte, stack);
  return mode < Mode::kMinus ? step_string(byte) : step_number(byte, stack);
}

JsonVerdict JsonState::step_structure(std::uint8_t byte, JsonStack& stack) {
  switch (mode) {
    case Mode::kStart:
      return byte == '{' ? open(stack, Kind::kObject) : kNo;
    case Mode::kFirstValue:
      return byte == ']' ? close(stack) : step_value(byte, stack);
    case Mode::kValue:
      return step_value(byte, stack);
    case Mode::kFirstKey:
      if (byte == '}') return close(stack);
      [[fallthrough]];
    case Mode::kKey:
      key = true;
      return byte == '"' ? go(Mode::kString) : kNo;
    case Mode::kColon:
      return byte == ':' ? go(Mode::kValue) : kNo;
    case Mode::kAfter:
      return step_after(byte, stack);
    default:
      return kNo;
  }
}

JsonVerdict JsonState::step_value(std::uint8_t byte, JsonStack& stack) {
  if (byte == '{') return open(stack, Kind::kObject);
  if (byte == '[') return open(stack, Kind::kArray);
  if (byte == '"') {
    key = false;
    return go(Mode::kString);
  }
  const Rule* found = find_rule(kValueRules, Mode::kValue, byte);
  return found == nullptr ? kNo : go(found->to);
}

JsonVerdict JsonState::step_after(std::uint8_t byte, JsonStack& stack) {
  if (byte != ',' && byte != '}' && byte != ']') return kNo;
  if (level == JsonStack::kUnknown) return JsonVerdict::kUnknown;
  const Kind kind = stack.kind(level);
  if (byte == ',') return go(kind == Kind::kObject ? Mode::kKey : Mode::kValue);
  return (byte == '}') == (kind == Kind::kObject) ? close(stack) : kNo;
}

JsonVerdict JsonState::step_string(std::uint8_t byte) {
  if (mode == Mode::kString && byte == '"') return go(key ? Mode::kColon : Mode::kAfter);
  const Rule* found = find_rule(kStringRules, mode, byte);
  if (found != nullptr) return go(found->to);
  for (const auto& each : kHexSteps) {
    if (each.from == mode) return is_hex(byte) ? go(each.to) : kNo;
  }
  return kNo;
}

JsonVerdict JsonState::step_number(std::uint8_t byte, JsonStack& stack) {
  const Rule* found = find_rule(kNumberRules, mode, byte);
  if (found != nullptr) return go(found->to);
  if (!ends_number(mode)) return kNo;
  mode = Mode::kAfter;
  return is_space(byte) ? kYes : step_after(byte, stack);
}

}  // namespace cairn::engine

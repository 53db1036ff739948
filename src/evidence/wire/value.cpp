#include "evidence/wire/value.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/status.h"

namespace cairn::evidence {
namespace {

/// The escape that J-21 asks for at `text[at]`, or "" for a byte that stands for itself. `size`
/// becomes the bytes it replaces.
std::string escape_at(std::string_view text, std::size_t at, std::size_t& size) {
  size = 1;
  switch (const char c = text[at]) {
    case '"':
      return "\\\"";
    case '\\':
      return "\\\\";
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    case '<':
    case '>':
    case '&':
      return fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    default:
      if (static_cast<unsigned char>(c) < 0x20) {
        return fmt::format("\\u{:04x}", static_cast<unsigned>(c));
      }
  }
  const std::string_view rest = text.substr(at, 3);
  if (rest != "\xE2\x80\xA8" && rest != "\xE2\x80\xA9") return "";
  size = 3;
  return rest == "\xE2\x80\xA8" ? "\\u2028" : "\\u2029";
}

void append_string(std::string& out, std::string_view text) {
  out += '"';
  for (std::size_t at = 0; at < text.size();) {
    std::size_t size = 1;
    const std::string escape = escape_at(text, at, size);
    if (escape.empty()) {
      out += text[at];
    } else {
      out += escape;
    }
    at += size;
  }
  out += '"';
}

class Printer {
 public:
  Printer(std::string& out, Layout layout) : out_(out), layout_(layout) {}

  void print(const Value& value) {  // NOLINT(misc-no-recursion): kDepthMax bounds the tree
    switch (value.kind()) {
      case Kind::kNull:
        out_ += "null";
        break;
      case Kind::kBool:
        out_ += value.flag() ? "true" : "false";
        break;
      case Kind::kNumber:
        out_ += value.number().text;
        break;
      case Kind::kString:
        append_string(out_, value.text());
        break;
      case Kind::kArray:
        print_items(value.items());
        break;
      case Kind::kObject:
        print_members(value.members());
        break;
    }
  }

 private:
  void print_items(const Value::Array& items) {  // NOLINT(misc-no-recursion)
    open('[');
    for (std::size_t i = 0; i < items.size(); ++i) {
      begin_entry(i);
      print(items[i]);
    }
    close(']', items.empty());
  }

  void print_members(const Value::Object& members) {  // NOLINT(misc-no-recursion)
    open('{');
    for (std::size_t i = 0; i < members.size(); ++i) {
      begin_entry(i);
      append_string(out_, members[i].key);
      out_ += layout_ == Layout::kCompact ? ":" : ": ";
      print(members[i].value);
    }
    close('}', members.empty());
  }

  void open(char bracket) {
    out_ += bracket;
    ++depth_;
  }

  void begin_entry(std::size_t index) {
    if (index > 0) out_ += ',';
    begin_line();
  }

  void close(char bracket, bool empty) {
    --depth_;
    if (!empty) begin_line();
    out_ += bracket;
  }

  void begin_line() {
    if (layout_ == Layout::kIndented) out_.append(1, '\n').append(2 * depth_, ' ');
  }

  std::string& out_;
  Layout layout_;
  std::size_t depth_ = 0;
};

/// A positive number as 0.`digits` times ten to the `point`.
struct Decimal {
  std::string digits;
  int point = 0;
};

Decimal shortest_decimal(double value) {
  std::array<char, 32> buffer{};
  const std::to_chars_result end = std::to_chars(buffer.data(), buffer.data() + buffer.size(),
                                                 value, std::chars_format::scientific);
  const std::string_view text(buffer.data(), end.ptr);
  const std::size_t e = text.find('e');
  Decimal decimal;
  for (const char c : text.substr(0, e)) {
    if (c != '.') decimal.digits += c;
  }
  const std::size_t start = text[e + 1] == '+' ? e + 2 : e + 1;
  std::from_chars(text.data() + start, text.data() + text.size(), decimal.point);
  ++decimal.point;
  return decimal;
}

/// ECMA-262, Number::toString, the steps after the digits and the exponent are known.
std::string lay_out(const Decimal& decimal) {
  const int count = static_cast<int>(decimal.digits.size());
  const int point = decimal.point;
  if (point > 21 || point < -5) {
    const std::string rest = decimal.digits.substr(1);
    return fmt::format("{}{}{}e{:+}", decimal.digits[0], rest.empty() ? "" : ".", rest, point - 1);
  }
  if (point <= 0) return "0." + std::string(static_cast<std::size_t>(-point), '0') + decimal.digits;
  if (point >= count) {
    return decimal.digits + std::string(static_cast<std::size_t>(point - count), '0');
  }
  std::string text = decimal.digits;
  return text.insert(static_cast<std::size_t>(point), ".");
}

}  // namespace

Value::Value() = default;
Value::Value(bool flag) : state_(flag) {}
Value::Value(Number number) : state_(std::move(number)) {}
Value::Value(std::string text) : state_(std::move(text)) {}
Value::Value(Array items) : state_(std::move(items)) {}
Value::Value(Object members) : state_(std::move(members)) {}
Value::Value(const Value& other) = default;
Value::Value(Value&& other) noexcept = default;
Value& Value::operator=(const Value& other) = default;
Value& Value::operator=(Value&& other) noexcept = default;
Value::~Value() = default;

const Value* Value::find(std::string_view key) const {
  if (kind() != Kind::kObject) return nullptr;
  const Object& object = members();
  const auto found = std::ranges::find(object, key, &Member::key);
  return found == object.end() ? nullptr : &found->value;
}

std::string_view kind_name(Kind kind) {
  constexpr std::array<std::string_view, 6> kNames = {"null",     "true or false", "a number",
                                                      "a string", "an array",      "an object"};
  return kNames.at(static_cast<std::size_t>(kind));
}

std::string to_text(const Value& value, Layout layout) {
  std::string out;
  Printer(out, layout).print(value);
  return out;
}

std::string string_text(std::string_view text) {
  std::string out;
  append_string(out, text);
  return out;
}

std::string number_text(double value) {
  CAIRN_CHECK(std::isfinite(value));
  if (value == 0) return "0";
  return (value < 0 ? "-" : "") + lay_out(shortest_decimal(std::abs(value)));
}

std::string shown_number(double value) {
  return std::isfinite(value) ? number_text(value) : "a number that is not finite";
}

Value number_value(double value) {
  return Value(Number{.value = value, .text = number_text(value)});
}

Value number_value(std::int64_t value) {
  return Value(Number{.value = static_cast<double>(value), .text = std::to_string(value)});
}

Value number_value(std::uint64_t value) {
  return Value(Number{.value = static_cast<double>(value), .text = std::to_string(value)});
}

}  // namespace cairn::evidence

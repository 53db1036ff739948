#include "tokenizer/template/json_print.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "tokenizer/template/operators.h"
#include "tokenizer/template/python_number.h"

namespace cairn::tokenizer::jinja {
namespace {

/// The escape of a character, or empty for one that stands for itself.
std::string escape_of(char32_t code, bool ensure_ascii) {
  switch (code) {
    case U'"':
      return "\\\"";
    case U'\\':
      return "\\\\";
    case U'\n':
      return "\\n";
    case U'\r':
      return "\\r";
    case U'\t':
      return "\\t";
    case U'\f':
      return "\\f";
    case U'\b':
      return "\\b";
    default:
      break;
  }
  const auto number = static_cast<unsigned>(code);
  if (code < 0x20 || (ensure_ascii && code >= 0x7F && code < 0x10000)) {
    return fmt::format("\\u{:04x}", number);
  }
  if (!ensure_ascii || code < 0x7F) return {};
  const unsigned rest = number - 0x10000;
  return fmt::format("\\u{:04x}\\u{:04x}", 0xD800 + (rest >> 10U), 0xDC00 + (rest & 0x3FFU));
}

std::string quoted(std::string_view text, bool ensure_ascii) {
  std::string out = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Char c = decode_utf8(text, at);
    const std::string escape = escape_of(c.code, ensure_ascii);
    out += escape.empty() ? text.substr(at, c.size) : std::string_view(escape);
    at += c.size;
  }
  return out + '"';
}

std::string float_json(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
  return float_text(value);
}

class Printer {
 public:
  Printer(Run& run, const JsonStyle& style, TextBuilder& out)
      : run_(run), style_(style), out_(out) {}

  void print(const Value& value) {
    if (!run_.step() || !fits()) return;
    if (scalar(value)) return;
    if (value.is_list(ListKind::kList) || value.is_list(ListKind::kTuple)) {
      print_list(value.list());
    } else if (value.is(ValueKind::kDict)) {
      print_dict(value.dict());
    } else {
      run_.fail(fmt::format("Object of type {} is not JSON serializable", type_name(value)));
    }
  }

 private:
  bool fits() {
    if (out_.size() <= run_.options().limits.output_bytes_max) return true;
    run_.refuse("a JSON text is too large");
    return false;
  }

  bool scalar(const Value& value) {
    switch (value.kind()) {
      case ValueKind::kString: {
        const Text& text = value.text();
        if (run_.allow_bytes(text.bytes.size())) {
          out_.add_made(text, quoted(text.bytes, style_.ensure_ascii));
        }
        return true;
      }
      case ValueKind::kNone:
        out_.add("null");
        return true;
      case ValueKind::kBool:
        out_.add(value.boolean() ? "true" : "false");
        return true;
      case ValueKind::kInt:
        out_.add(int_text(value.integer()));
        return true;
      case ValueKind::kFloat:
        out_.add(float_json(value.floating()));
        return true;
      default:
        return false;
    }
  }

  void new_line() {
    if (!style_.indent) return;
    out_.add("\n");
    for (std::size_t i = 0; i < level_; ++i) out_.add(*style_.indent);
    run_.step(1 + level_ * style_.indent->size() / 256);
  }

  void print_list(const List& list) {
    if (list.items.empty()) return out_.add("[]");
    out_.add("[");
    ++level_;
    for (std::size_t i = 0; i < list.items.size() && !run_.failed(); ++i) {
      if (i != 0) out_.add(style_.item_separator);
      new_line();
      print(list.items[i]);
    }
    --level_;
    new_line();
    out_.add("]");
  }

  void print_dict(const Dict& dict) {
    if (dict.entries.empty()) return out_.add("{}");
    out_.add("{");
    ++level_;
    bool first = true;
    for (const Entry* entry : ordered(dict)) {
      if (run_.failed()) return;
      if (!first) out_.add(style_.item_separator);
      first = false;
      new_line();
      print_key(entry->key);
      out_.add(style_.key_separator);
      print(entry->value);
    }
    --level_;
    new_line();
    out_.add("}");
  }

  std::vector<const Entry*> ordered(const Dict& dict) {
    std::vector<const Entry*> entries;
    for (const Entry& entry : dict.entries) entries.push_back(&entry);
    if (!style_.sort_keys) return entries;
    std::stable_sort(entries.begin(), entries.end(), [this](const Entry* a, const Entry* b) {
      return compare(run_, a->key, b->key, "<").value_or(0) < 0;
    });
    return entries;
  }

  void print_key(const Value& key) {
    if (key.is_string()) {
      scalar(key);
    } else if (key.is_number() || key.none()) {
      out_.add("\"");
      scalar(key);
      out_.add("\"");
    } else {
      run_.fail(fmt::format("keys must be str, int, float, bool or None, not {}", type_name(key)));
    }
  }

  Run& run_;
  const JsonStyle& style_;
  TextBuilder& out_;
  std::size_t level_ = 0;
};

}  // namespace

void print_json(Run& run, const Value& value, const JsonStyle& style, TextBuilder& out) {
  Printer(run, style, out).print(value);
}

}  // namespace cairn::tokenizer::jinja

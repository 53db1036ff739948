#include "tokenizer/template/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "base/utf8.h"
#include "tokenizer/template/access.h"
#include "tokenizer/template/operators.h"
#include "tokenizer/template/python_number.h"
#include "tokenizer/template/python_text.h"

namespace cairn::tokenizer::jinja {
namespace {

/// Reads digits at `at`; fails the run past kFormatWidthMax.
std::size_t read_number(Run& run, std::string_view text, std::size_t& at) {
  std::size_t value = 0;
  for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) {
    value = std::min(value * 10 + static_cast<std::size_t>(text[at] - '0'), kFormatWidthMax + 1);
  }
  if (value > kFormatWidthMax) {
    run.refuse(fmt::format("a format width is more than {}", kFormatWidthMax));
  }
  return value;
}

/// Adds `text` with the fill that brings it to the width; `own` is the type's alignment.
void add_padded(const Text& text, const FormatSpec& spec, char own, TextBuilder& out) {
  const std::size_t size = char_count(text.bytes);
  const std::size_t fill = spec.width > size ? spec.width - size : 0;
  const char align = spec.align == 0 ? own : spec.align;
  const std::size_t before = align == '<' ? 0 : align == '^' ? fill / 2 : fill;
  for (std::size_t i = 0; i < before; ++i) out.add(spec.fill);
  out.add(text);
  for (std::size_t i = before; i < fill; ++i) out.add(spec.fill);
}

Text plain(std::string bytes) {
  Text text;
  text.bytes = std::move(bytes);
  return text;
}

Text printed(Run& run, const Value& value, char conversion) {
  TextBuilder builder;
  if (conversion == 's') {
    print(run, value, builder);
  } else {
    print_repr(run, value, builder);
  }
  Text text;
  text.bytes = builder.take_bytes();
  text.input = builder.take_input();
  return text;
}

Text shortened(Text text, int precision) {
  if (precision < 0) return text;
  const std::vector<std::size_t> starts = char_starts(text.bytes);
  const auto keep = std::min(static_cast<std::size_t>(precision), starts.size() - 1);
  TextBuilder builder;
  builder.add_part(text, 0, starts[keep]);
  Text out;
  out.bytes = builder.take_bytes();
  out.input = builder.take_input();
  return out;
}

/// Formats one %-template.
class Percent {
 public:
  Percent(Run& run, const Text& format, const Value& values)
      : run_(run), format_(format), values_(values) {}

  Value run() {
    std::size_t from = 0;
    const std::string_view text = format_.bytes;
    while (!run_.failed()) {
      const std::size_t at = text.find('%', from);
      out_.add_part(format_, from, std::min(at, text.size()));
      if (at == std::string_view::npos) break;
      at_ = at + 1;
      one();
      from = at_;
    }
    const bool tuple = values_.is_list(ListKind::kTuple);
    const std::size_t given = tuple ? values_.list().items.size() : 1;
    const bool mapping = values_.is(ValueKind::kDict) || values_.is_list(ListKind::kList);
    if (!run_.failed() && used_ < given && !mapping && !keyed_) {
      return run_.fail("not all arguments converted during string formatting");
    }
    return format_.markup ? run_.markup(std::move(out_)) : run_.text(std::move(out_));
  }

 private:
  char peek() const { return at_ < format_.bytes.size() ? format_.bytes[at_] : '\0'; }

  Value take() {
    const bool tuple = values_.is_list(ListKind::kTuple);
    const std::size_t given = tuple ? values_.list().items.size() : 1;
    if (used_ >= given) return run_.fail("not enough arguments for format string");
    return tuple ? values_.list().items[used_++] : (++used_, values_);
  }

  Value take_key() {
    const std::size_t end = format_.bytes.find(')', at_);
    if (end == std::string::npos) return run_.fail("incomplete format key");
    if (!values_.is(ValueKind::kDict)) return run_.fail("format requires a mapping");
    const std::string key = format_.bytes.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    keyed_ = true;
    const Value* found = values_.dict().find("s" + key);
    return found != nullptr ? *found : run_.fail(fmt::format("the key {} is missing", quote(key)));
  }

  FormatSpec read_spec() {
    FormatSpec spec;
    for (; peek() != '\0' && std::strchr("-+ #0", peek()) != nullptr; ++at_) {
      if (peek() == '-') spec.align = '<';
      if (peek() == '+') spec.sign = '+';
      if (peek() == ' ' && spec.sign != '+') spec.sign = ' ';
      if (peek() == '#') spec.alternate = true;
      if (peek() == '0' && spec.align == 0) {
        spec.align = '=';
        spec.fill = "0";
      }
    }
    if (spec.align == '<') spec.fill = " ";
    spec.width = read_width();
    if (peek() == '.') {
      ++at_;
      spec.precision = static_cast<int>(read_width());
    }
    while (peek() == 'l' || peek() == 'h' || peek() == 'L') ++at_;
    return spec;
  }

  std::size_t read_width() {
    if (peek() != '*') return read_number(run_, format_.bytes, at_);
    ++at_;
    const Value width = take();
    const bool fits = width.is_integral() && width.as_int() >= 0 &&
                      width.as_int() <= static_cast<Int>(kFormatWidthMax);
    if (!fits) run_.fail("* wants int in the range of a width");
    return fits ? static_cast<std::size_t>(width.as_int()) : 0;
  }

  void one() {
    std::optional<Value> keyed;
    if (peek() == '(') keyed = take_key();
    FormatSpec spec = read_spec();
    const char type = peek();
    if (type == '\0') {
      run_.fail("incomplete format");
      return;
    }
    ++at_;
    if (type == '%') {
      out_.add("%");
      return;
    }
    const Value value = keyed ? *keyed : take();
    if (!run_.failed()) convert(value, type, spec);
  }

  void convert(const Value& value, char type, FormatSpec& spec) {
    if (std::strchr("sra", type) != nullptr) {
      if (spec.align == '=') spec = {.width = spec.width, .precision = spec.precision};
      Text text = printed(run_, value, type);
      if (format_.markup && !(value.is_string() && value.text().markup)) text = escaped(text);
      add_padded(shortened(std::move(text), spec.precision), spec, '>', out_);
    } else if (type == 'c' && value.is_string()) {
      if (char_count(value.text().bytes) != 1) run_.fail("%c requires int or char");
      add_padded(value.text(), spec, '>', out_);
    } else if (std::strchr("diuxXoeEfFgGc", type) != nullptr) {
      convert_number(value, type, spec);
    } else {
      run_.fail(fmt::format("unsupported format character '{}'", type));
    }
  }

  static Text escaped(const Text& text) {
    TextBuilder builder;
    print_escaped(text, builder);
    Text out;
    out.bytes = builder.take_bytes();
    out.input = builder.take_input();
    return out;
  }

  void convert_number(const Value& value, char type, FormatSpec& spec) {
    const bool whole = std::strchr("diu", type) != nullptr;
    const bool digits = std::strchr("xXoc", type) != nullptr;
    if (!value.is_number() || (digits && !value.is_integral())) {
      run_.fail(fmt::format("%{} format: a number is required, not {}", type, type_name(value)));
      return;
    }
    spec.type = whole ? 'd' : type;
    Value number = value;
    if (whole && value.is(ValueKind::kFloat)) {
      const auto cut = truncate(value.floating());
      number = cut ? Value(*cut) : run_.fail("cannot convert float to integer");
    }
    if (run_.failed()) return;
    const int precision = whole || digits ? std::exchange(spec.precision, -1) : -1;
    std::string text = format_number(run_, number, spec);
    const std::size_t sign = !text.empty() && text[0] == '-' ? 1 : 0;
    while (precision > 0 && text.size() - sign < static_cast<std::size_t>(precision)) {
      text.insert(sign, "0");
    }
    add_padded(plain(std::move(text)), spec, '>', out_);
  }

  Run& run_;
  const Text& format_;
  const Value& values_;
  TextBuilder out_;
  std::size_t at_ = 0;
  std::size_t used_ = 0;
  bool keyed_ = false;
};

/// Formats one {}-template.
class Braces {
 public:
  Braces(Run& run, const Text& format, const Arguments& arguments)
      : run_(run), format_(format), arguments_(arguments) {}

  Value run() {
    const std::string_view text = format_.bytes;
    std::size_t from = 0;
    for (std::size_t at = 0; at < text.size() && !run_.failed();) {
      if (text[at] != '{' && text[at] != '}') {
        ++at;
        continue;
      }
      out_.add_part(format_, from, at);
      if (at + 1 < text.size() && text[at + 1] == text[at]) {
        from = at + 1;  // the second of a pair stands for itself
        at += 2;
        continue;
      }
      if (text[at] == '}') return run_.fail("Single '}' encountered in format string");
      at = field(at + 1);
      from = at;
    }
    out_.add_part(format_, std::min(from, text.size()), text.size());
    return format_.markup ? run_.markup(std::move(out_)) : run_.text(std::move(out_));
  }

 private:
  /// The end of the field that starts at `begin`, past its '}'.
  std::size_t field(std::size_t begin) {
    const std::string_view text = format_.bytes;
    std::size_t depth = 1;
    std::size_t end = begin;
    for (; end < text.size() && depth != 0; ++end) {
      if (text[end] == '{') ++depth;
      if (text[end] == '}') --depth;
    }
    if (depth != 0) {
      run_.fail("expected '}' before end of string");
      return end;
    }
    one(text.substr(begin, end - 1 - begin));
    return end;
  }

  void one(std::string_view inside) {
    const std::size_t colon = inside.find(':');
    std::string_view name = inside.substr(0, colon);
    std::string spec_text(colon == std::string_view::npos ? "" : inside.substr(colon + 1));
    char conversion = 0;
    const std::size_t mark = name.find('!');
    if (mark != std::string_view::npos) {
      if (mark + 2 != name.size() || std::strchr("rsa", name[mark + 1]) == nullptr) {
        run_.fail("Unknown conversion specifier in a format string");
        return;
      }
      conversion = name[mark + 1];
      name = name.substr(0, mark);
    }
    const Value value = lookup(name);
    if (spec_text.find('{') != std::string::npos) spec_text = nested(spec_text);
    if (!run_.failed()) add_value(value, conversion, spec_text);
  }

  /// A specification with fields in it: only whole {} and {name} as Python's one more level.
  std::string nested(const std::string& spec) {
    std::string out;
    for (std::size_t at = 0; at < spec.size() && !run_.failed();) {
      const std::size_t end = spec[at] == '{' ? spec.find('}', at) : at;
      if (end == std::string::npos) {
        run_.fail("expected '}' before end of string");
      } else if (spec[at] == '{') {
        out +=
            printed(run_, lookup(std::string_view(spec).substr(at + 1, end - at - 1)), 's').bytes;
        at = end + 1;
      } else {
        out += spec[at++];
      }
    }
    return out;
  }

  Value first(std::string_view name) {
    const bool digits = name.find_first_not_of("0123456789") == std::string_view::npos;
    if (digits) {
      const auto place = name.empty() ? std::optional<Int>(automatic_++) : parse_int(name, 10);
      if (place && *place < static_cast<Int>(arguments_.positional.size())) {
        return arguments_.positional[static_cast<std::size_t>(*place)];
      }
      return run_.fail("Replacement index out of range for positional args tuple");
    }
    for (const auto& [key, value] : arguments_.keywords) {
      if (key == name) return value;
    }
    return run_.fail(fmt::format("the key {} is missing", quote(name)));
  }

  Value lookup(std::string_view name) {
    const std::size_t end = std::min(name.find_first_of(".["), name.size());
    Value value = first(name.substr(0, end));
    for (std::size_t at = end; at < name.size() && !run_.failed();) {
      if (name[at] == '.') {
        const std::size_t stop = std::min(name.find_first_of(".[", at + 1), name.size());
        value = get_attribute(run_, value, name.substr(at + 1, stop - at - 1));
        at = stop;
        continue;
      }
      const std::size_t stop = name.find(']', at);
      if (name[at] != '[' || stop == std::string_view::npos) {
        return run_.fail("Missing ']' in format string");
      }
      const std::string_view key = name.substr(at + 1, stop - at - 1);
      const auto number = key.find_first_not_of("0123456789") == std::string_view::npos
                              ? parse_int(key, 10)
                              : std::nullopt;
      value = get_item(run_, value, number ? Value(*number) : run_.text(std::string(key)));
      at = stop + 1;
    }
    return value;
  }

  FormatSpec parse_spec(std::string_view text) {
    FormatSpec spec;
    std::size_t at = 0;
    const auto peek = [&] { return at < text.size() ? text[at] : '\0'; };
    const auto is_align = [](char c) { return c != 0 && std::strchr("<>^=", c) != nullptr; };
    const std::size_t fill_size = decode_utf8(text, 0).size;
    if (fill_size != 0 && fill_size < text.size() && is_align(text[fill_size])) {
      spec.fill = text.substr(0, fill_size);
      spec.align = text[fill_size];
      at = fill_size + 1;
    } else if (is_align(peek())) {
      spec.align = text[at++];
    }
    if (peek() == '+' || peek() == '-' || peek() == ' ') spec.sign = text[at++];
    if (peek() == '#') spec.alternate = text[at++] == '#';
    if (peek() == '0') {
      ++at;
      if (spec.align == 0) {
        spec.align = '=';
        spec.fill = "0";
      }
    }
    spec.width = read_number(run_, text, at);
    if (peek() == ',') spec.comma = text[at++] == ',';
    if (peek() == '_') spec.underscore = text[at++] == '_';
    if (peek() == '.') {
      ++at;
      spec.precision = static_cast<int>(read_number(run_, text, at));
    }
    if (at < text.size()) spec.type = text[at++];
    if (at != text.size()) run_.fail("Invalid format specifier");
    return spec;
  }

  void add_value(const Value& value, char conversion, std::string_view spec_text) {
    if (conversion != 0 || spec_text.empty() || value.is_string()) {
      Text text = printed(run_, value, conversion == 0 ? 's' : conversion);
      FormatSpec spec = parse_spec(spec_text);
      if (spec.type != 0 && spec.type != 's') {
        run_.fail(fmt::format("Unknown format code '{}' for object of type 'str'", spec.type));
      }
      if (spec.align == '=' && spec.fill != "0") run_.fail("'=' alignment not allowed in string");
      if (spec.align == '=') spec.align = '<';
      add_padded(shortened(std::move(text), spec.precision), spec, '<', out_);
      return;
    }
    const FormatSpec spec = parse_spec(spec_text);
    if (!value.is_number()) {
      run_.fail(fmt::format("unsupported format string passed to {}.__format__", type_name(value)));
      return;
    }
    add_padded(plain(format_number(run_, value, spec)), spec, '>', out_);
  }

  Run& run_;
  const Text& format_;
  const Arguments& arguments_;
  TextBuilder out_;
  Int automatic_ = 0;
};

}  // namespace

Value format_percent(Run& run, const Text& format, const Value& values) {
  return Percent(run, format, values).run();
}

Value format_braces(Run& run, const Text& format, const Arguments& arguments) {
  return Braces(run, format, arguments).run();
}

}  // namespace cairn::tokenizer::jinja

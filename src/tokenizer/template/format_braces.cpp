// format.format(...).
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "base/utf8.h"
#include "tokenizer/template/access.h"
#include "tokenizer/template/format.h"
#include "tokenizer/template/format_pieces.h"
#include "tokenizer/template/operators.h"
#include "tokenizer/template/python_number.h"
#include "tokenizer/template/python_text.h"

namespace cairn::tokenizer::jinja {
namespace {

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
        out += printed_text(run_, lookup(std::string_view(spec).substr(at + 1, end - at - 1)), 's')
                   .bytes;
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
      const bool mixed = name.empty() ? manual_ : automatic_ != 0;
      if (mixed) return run_.fail("cannot mix automatic and manual field numbering");
      manual_ = manual_ || !name.empty();
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
    spec.sign_given = peek() == '+' || peek() == '-' || peek() == ' ';
    if (spec.sign_given) spec.sign = text[at++];
    if (peek() == '#') spec.alternate = text[at++] == '#';
    if (peek() == '0') {
      ++at;
      if (spec.align == 0) {
        spec.align = '=';
        spec.fill = "0";
      }
    }
    spec.width = read_width(run_, text, at);
    if (peek() == ',') spec.comma = text[at++] == ',';
    if (peek() == '_') spec.underscore = text[at++] == '_';
    if (peek() == '.') {
      ++at;
      spec.precision = static_cast<int>(read_width(run_, text, at));
    }
    if (at < text.size()) spec.type = text[at++];
    if (at != text.size()) run_.fail("Invalid format specifier");
    return spec;
  }

  /// In markup what is put in is escaped, but for markup.
  void add_value(const Value& value, char conversion, std::string_view spec_text) {
    if (!format_.markup) return add_field(value, conversion, spec_text, out_);
    const bool safe = conversion == 0 && value.is_string() && value.text().markup;
    if (safe && !spec_text.empty()) {
      run_.fail("a format specification is not supported for Markup");
      return;
    }
    TextBuilder made;
    add_field(value, conversion, spec_text, made);
    Text text;
    text.bytes = made.take_bytes();
    text.input = made.take_input();
    text.markup = safe;
    print_as_markup(text, out_);
  }

  void add_field(const Value& value, char conversion, std::string_view spec_text,
                 TextBuilder& out) {
    if (conversion != 0 || spec_text.empty() || value.is_string()) {
      Text text = printed_text(run_, value, conversion == 0 ? 's' : conversion);
      FormatSpec spec = parse_spec(spec_text);
      if (spec.type != 0 && spec.type != 's') {
        run_.fail(fmt::format("Unknown format code '{}' for object of type 'str'", spec.type));
      }
      check_text_spec(spec);
      if (spec.align == '=' && spec.fill != "0") run_.fail("'=' alignment not allowed in string");
      if (spec.align == '=') spec.align = '<';
      add_padded(shortened_text(std::move(text), spec.precision), spec, '<', out);
      return;
    }
    const FormatSpec spec = parse_spec(spec_text);
    if (!value.is_number()) {
      run_.fail(fmt::format("unsupported format string passed to {}.__format__", type_name(value)));
      return;
    }
    add_padded(plain_text(format_number(run_, value, spec)), spec, '>', out);
  }

  void check_text_spec(const FormatSpec& spec) {
    if (spec.sign_given) run_.fail("Sign not allowed in string format specifier");
    if (spec.alternate) run_.fail("Alternate form (#) not allowed in string format specifier");
    if (spec.comma || spec.underscore) {
      run_.fail(fmt::format("Cannot specify '{}' with 's'.", spec.comma ? ',' : '_'));
    }
  }

  Run& run_;
  const Text& format_;
  const Arguments& arguments_;
  TextBuilder out_;
  Int automatic_ = 0;
  bool manual_ = false;
};

}  // namespace

Value format_braces(Run& run, const Text& format, const Arguments& arguments) {
  return Braces(run, format, arguments).run();
}

}  // namespace cairn::tokenizer::jinja

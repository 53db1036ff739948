// format % values.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "tokenizer/template/format.h"
#include "tokenizer/template/format_pieces.h"
#include "tokenizer/template/operators.h"
#include "tokenizer/template/python_number.h"
#include "tokenizer/template/python_text.h"

namespace cairn::tokenizer::jinja {
namespace {

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
    // Python takes whatever can be subscripted for a mapping.
    const bool mapping =
        values_.is(ValueKind::kDict) || values_.undefined() || (is_sequence(values_) && !tuple);
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
    spec.width = take_width();
    if (peek() == '.') {
      ++at_;
      spec.precision = static_cast<int>(take_width());
    }
    while (peek() == 'l' || peek() == 'h' || peek() == 'L') ++at_;
    return spec;
  }

  std::size_t take_width() {
    if (peek() != '*') return read_width(run_, format_.bytes, at_);
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
      Text text = printed_text(run_, value, type);
      if (format_.markup && !(value.is_string() && value.text().markup)) text = escaped(text);
      add_padded(shortened_text(std::move(text), spec.precision), spec, '>', out_);
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
      const IntResult cut = whole_part(value.floating());
      number = cut.kind == IntKind::kValue ? Value(cut.value)
                                           : run_.fail("cannot convert the float to an integer");
    }
    if (run_.failed()) return;
    const int precision = whole || digits ? std::exchange(spec.precision, -1) : -1;
    std::string text = format_number(run_, number, spec);
    const std::size_t sign = !text.empty() && text[0] == '-' ? 1 : 0;
    while (precision > 0 && text.size() - sign < static_cast<std::size_t>(precision)) {
      text.insert(sign, "0");
    }
    add_padded(plain_text(std::move(text)), spec, '>', out_);
  }

  Run& run_;
  const Text& format_;
  const Value& values_;
  TextBuilder out_;
  std::size_t at_ = 0;
  std::size_t used_ = 0;
  bool keyed_ = false;
};

}  // namespace

Value format_percent(Run& run, const Text& format, const Value& values) {
  return Percent(run, format, values).run();
}

}  // namespace cairn::tokenizer::jinja

// The methods of strings that give strings.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "tokenizer/template/arguments.h"
#include "tokenizer/template/format.h"
#include "tokenizer/template/methods.h"
#include "tokenizer/template/operators.h"
#include "tokenizer/template/python_text.h"
#include "tokenizer/template/text_pieces.h"

namespace cairn::tokenizer::jinja {
namespace {

template <std::string (*kChange)(std::string_view)>
Value method_changed(Run& run, const Value& self, const Arguments& /*arguments*/) {
  return run.text_from(self.text(), kChange(self.text().bytes));
}

template <Sides kSides>
Value stripped(Run& run, const Value& self, const Arguments& arguments) {
  return strip_text(run, self.text(), arguments.at(0), kSides);
}

template <SplitFrom kFrom>
Value split(Run& run, const Value& self, const Arguments& arguments) {
  return split_text(run, self.text(), arguments, kFrom);
}

Value split_into_lines(Run& run, const Value& self, const Arguments& arguments) {
  const bool keep = flag_argument(arguments, 0);
  std::vector<Value> lines;
  for (const Line& line : split_lines(self.text().bytes)) {
    lines.push_back(run.slice_text(self.text(), line.begin, keep ? line.next : line.end));
  }
  return run.list(std::move(lines));
}

/// `value` (a string, unless the run has failed) as it may stand in `whole`: escaped when that is
/// markup and it is not.
Value escaped_for(Run& run, const Text& whole, const Value& value) {
  if (!value.is_string() || !whole.markup || value.text().markup) return value;
  TextBuilder out;
  print_escaped(value.text(), out);
  return run.markup(std::move(out));
}

Value join_markup(Run& run, const Text& mark, std::vector<Value> items) {
  TextBuilder out;
  for (std::size_t i = 0; i < items.size() && !run.failed(); ++i) {
    const Value text = escaped_for(run, mark, to_text(run, items[i]));
    if (run.failed() || !run.allow_bytes(out.size() + text.text().bytes.size())) break;
    if (i != 0) out.add(mark);
    out.add(text.text());
  }
  return run.markup(std::move(out));
}

Value method_replace(Run& run, const Value& self, const Arguments& arguments) {
  const Text* old = text_argument(run, arguments, 0);
  const Int most = size_argument(run, arguments, 2, -1);
  if (text_argument(run, arguments, 1) == nullptr || run.failed()) return run.fail("");
  Value safe = escaped_for(run, self.text(), arguments.at(1));
  if (run.failed()) return safe;
  return replace_text(run, self.text(), {.old = *old, .fresh = safe.text(), .most = most});
}

Value method_join(Run& run, const Value& self, const Arguments& arguments) {
  std::vector<Value> items = iterate(run, arguments.at(0));
  if (self.text().markup) return join_markup(run, self.text(), std::move(items));
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!items[i].is_string()) {
      return run.fail(
          fmt::format("sequence item {}: expected str instance, {} found", i, type_name(items[i])));
    }
  }
  return join_texts(run, self.text(), items);
}

Value method_format(Run& run, const Value& self, const Arguments& arguments) {
  return format_braces(run, self.text(), arguments);
}

Value format_map(Run& run, const Value& self, const Arguments& arguments) {
  if (!arguments.at(0).is(ValueKind::kDict)) return run.fail("format_map() wants a mapping");
  Arguments named;
  for (const Entry& entry : arguments.at(0).dict().entries) {
    if (entry.key.is_string()) named.keywords.emplace_back(entry.key.text().bytes, entry.value);
  }
  return format_braces(run, self.text(), named);
}

template <Align kAlign>
Value aligned(Run& run, const Value& self, const Arguments& arguments) {
  const Int width = size_argument(run, arguments, 0, 0);
  static const Text kSpace{.bytes = " ", .input = {}, .markup = false, .charge = {}};
  const Text* fill = arguments.has(1) ? text_argument(run, arguments, 1) : &kSpace;
  if (run.failed()) return run.fail("");
  if (char_count(fill->bytes) != 1) {
    return run.fail("the fill character must be exactly one character long");
  }
  return align_text(run, self.text(), {.width = width, .fill = *fill, .align = kAlign});
}

Value zero_filled(Run& run, const Value& self, const Arguments& arguments) {
  const Int width = size_argument(run, arguments, 0, 0);
  const Text& text = self.text();
  const std::size_t sign = text.bytes.starts_with('-') || text.bytes.starts_with('+') ? 1 : 0;
  const auto size = static_cast<Int>(char_count(text.bytes));
  if (width <= size) return self;
  const auto fill = static_cast<std::uint64_t>(std::min(width - size, Int{1} << 60));
  if (!run.allow_bytes(fill)) return run.fail("");
  TextBuilder out;
  out.add_part(text, 0, sign);
  out.add(std::string(fill, '0'));
  out.add_part(text, sign, text.bytes.size());
  return run.text(std::move(out));
}

Value expand_tabs(Run& run, const Value& self, const Arguments& arguments) {
  const Int size = int_argument(run, arguments, 0, 8);
  if (size > 1000) return run.refuse("expandtabs() by more than 1000");
  std::string out;
  Int column = 0;
  for (const char c : self.text().bytes) {
    if (c == '\t') {
      const Int fill = size > 0 ? size - column % size : 0;
      if (!run.allow_bytes(out.size() + static_cast<std::uint64_t>(fill))) return run.fail("");
      out.append(static_cast<std::size_t>(fill), ' ');
      column += fill;
      continue;
    }
    out += c;
    if (c == '\n' || c == '\r') {
      column = 0;
    } else if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U) {
      ++column;
    }
  }
  return run.text_from(self.text(), std::move(out));
}

constexpr std::array<Builtin, 24> kMethodsTextRows = {{
    {"capitalize", "", 0, &method_changed<&to_capitalized>},
    {"center", "width fillchar", 1, &aligned<Align::kCenter>},
    {"encode", "*", 0, nullptr},
    {"expandtabs", "tabsize", 0, &expand_tabs},
    {"format", "*", 0, &method_format},
    {"format_map", "mapping", 1, &format_map},
    {"join", "iterable", 1, &method_join},
    {"ljust", "width fillchar", 1, &aligned<Align::kLeft>},
    {"lower", "", 0, &method_changed<&to_lower>},
    {"casefold", "", 0, &method_changed<&to_folded>},
    {"lstrip", "chars", 0, &stripped<Sides::kLeft>},
    {"maketrans", "*", 0, nullptr},
    {"replace", "old new count", 2, &method_replace},
    {"rjust", "width fillchar", 1, &aligned<Align::kRight>},
    {"rsplit", "sep maxsplit", 0, &split<SplitFrom::kEnd>},
    {"rstrip", "chars", 0, &stripped<Sides::kRight>},
    {"split", "sep maxsplit", 0, &split<SplitFrom::kStart>},
    {"splitlines", "keepends", 0, &split_into_lines},
    {"strip", "chars", 0, &stripped<Sides::kBoth>},
    {"swapcase", "", 0, &method_changed<&to_swapped>},
    {"title", "", 0, &method_changed<&to_title>},
    {"translate", "*", 0, nullptr},
    {"upper", "", 0, &method_changed<&to_upper>},
    {"zfill", "width", 1, &zero_filled},
}};

}  // namespace

std::span<const Builtin> text_methods() { return kMethodsTextRows; }

}  // namespace cairn::tokenizer::jinja

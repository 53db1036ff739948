// Filters that give text.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tokenizer/template/access.h"
#include "tokenizer/template/arguments.h"
#include "tokenizer/template/filters.h"
#include "tokenizer/template/format.h"
#include "tokenizer/template/json_print.h"
#include "tokenizer/template/operators.h"
#include "tokenizer/template/python_text.h"
#include "tokenizer/template/text_pieces.h"

namespace cairn::tokenizer::jinja {
namespace {

template <std::string (*kChange)(std::string_view)>
Value changed(Run& run, const Value& self, const Arguments& /*arguments*/) {
  Value text = soft_text(run, self);
  if (run.failed()) return text;
  return run.text_from(text.text(), kChange(text.text().bytes));
}

bool starts_word(char32_t code) {
  constexpr std::u32string_view kMarks = U"-({[<";
  return is_space(code) || kMarks.find(code) != std::u32string_view::npos;
}

/// The filter's own title(): words begin after white space and -({[<, unlike str.title().
std::string title_words(std::string_view text) {
  std::string out;
  std::size_t from = 0;
  const std::vector<std::size_t> starts = char_starts(text);
  const std::u32string codes = decode(text);
  for (std::size_t i = 0; i <= codes.size(); ++i) {
    if (i < codes.size() && !starts_word(codes[i])) continue;
    if (from < i) {
      const std::string_view word = text.substr(starts[from], starts[i] - starts[from]);
      const std::size_t first = starts[from + 1] - starts[from];
      out += to_upper(word.substr(0, first));
      out += to_lower(word.substr(first));
    }
    if (i < codes.size()) out += text.substr(starts[i], starts[i + 1] - starts[i]);
    from = i + 1;
  }
  return out;
}

Value string(Run& run, const Value& self, const Arguments& /*arguments*/) {
  return to_text(run, self);
}

Value trim(Run& run, const Value& self, const Arguments& arguments) {
  const Value text = soft_text(run, self);
  return run.failed() ? text : strip_text(run, text.text(), arguments.at(0), Sides::kBoth);
}

/// str(value) without the markup.
Value unmarked_text(Run& run, const Value& value) {
  Value text = to_text(run, value);
  if (run.failed() || !text.text().markup) return text;
  TextBuilder out;
  out.add(text.text());
  return run.text(std::move(out));
}

Value replace(Run& run, const Value& self, const Arguments& arguments) {
  Value text = unmarked_text(run, self);
  const Value old = unmarked_text(run, arguments.at(0));
  const Value fresh = unmarked_text(run, arguments.at(1));
  const bool limited = arguments.has(2) && !arguments.at(2).none();
  const Int most = limited ? size_argument(run, arguments, 2, -1) : -1;
  if (run.failed()) return text;
  return replace_text(run, text.text(), {.old = old.text(), .fresh = fresh.text(), .most = most});
}

Value join(Run& run, const Value& self, const Arguments& arguments) {
  std::vector<Value> items = iterate(run, self);
  for (Value& item : items) {
    if (run.failed()) break;
    if (arguments.has(1) && !arguments.at(1).none()) item = get_path(run, item, arguments.at(1));
    item = to_text(run, item);
  }
  const Value mark =
      arguments.has(0) ? unmarked_text(run, arguments.at(0)) : run.text(std::string());
  return run.failed() ? mark : join_texts(run, mark.text(), items);
}

Value filter_format(Run& run, const Value& self, const Arguments& arguments) {
  if (!arguments.positional.empty() && !arguments.keywords.empty()) {
    return run.fail("can't handle positional and keyword arguments at the same time");
  }
  Value text = soft_text(run, self);
  if (run.failed()) return text;
  if (arguments.keywords.empty()) {
    return format_percent(run, text.text(), run.list(arguments.positional, ListKind::kTuple));
  }
  std::vector<Entry> entries;
  for (const auto& [name, value] : arguments.keywords) {
    entries.push_back({.key = run.text(name), .value = value});
  }
  return format_percent(run, text.text(), run.dict(std::move(entries)));
}

Value indent(Run& run, const Value& self, const Arguments& arguments) {
  if (!self.is_string()) {
    return self.undefined()
               ? fail_undefined(run, self)
               : run.fail(fmt::format("indent wants a string, not '{}'", type_name(self)));
  }
  Text margin;
  if (arguments.at(0).is_string()) {
    margin.bytes = arguments.at(0).text().bytes;
  } else {
    const Int width = std::max(int_argument(run, arguments, 0, 4), Int{0});
    if (!run.allow_bytes(static_cast<std::uint64_t>(std::min(width, Int{1} << 60)))) return self;
    margin.bytes.assign(static_cast<std::size_t>(width), ' ');
  }
  const Text& text = self.text();
  // jinja2 adds a newline first, so that a text that ends in one keeps it.
  std::vector<Line> lines = split_lines(text.bytes);
  const bool ends_open = lines.empty() || lines.back().next == lines.back().end;
  if (!ends_open) {
    lines.push_back({.begin = text.bytes.size(), .end = text.bytes.size(), .next = 0});
  }
  if (lines.empty()) lines.emplace_back();
  if (!run.allow_bytes(text.bytes.size() + (margin.bytes.size() + 1) * lines.size())) return self;
  TextBuilder out;
  if (flag_argument(arguments, 1)) out.add(margin);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i != 0) out.add("\n");
    const bool blank = lines[i].begin == lines[i].end;
    if (i != 0 && (!blank || flag_argument(arguments, 2))) out.add(margin);
    out.add_part(text, lines[i].begin, lines[i].end);
  }
  return text.markup ? run.markup(std::move(out)) : run.text(std::move(out));
}

Value truncate_text(Run& run, const Value& self, const Arguments& arguments) {
  const Int length = size_argument(run, arguments, 0, 255);
  const Value end = arguments.has(2) ? arguments.at(2) : run.text(std::string("..."));
  const Int leeway =
      arguments.has(3) && !arguments.at(3).none() ? size_argument(run, arguments, 3, 5) : Int{5};
  const auto size = length_of(self);
  if (!size || !end.is_string()) return run.fail("truncate wants strings");
  const auto end_size = static_cast<Int>(char_count(end.text().bytes));
  if (length < end_size || leeway < 0) return run.fail("truncate: the length is too small");
  if (static_cast<Int>(*size) <= length + leeway) return self;
  if (!self.is_string()) return run.fail("truncate wants strings");
  const std::vector<std::size_t> starts = char_starts(self.text().bytes);
  std::size_t cut = starts[static_cast<std::size_t>(length - end_size)];
  if (!flag_argument(arguments, 1)) {
    const std::size_t space = std::string_view(self.text().bytes).substr(0, cut).rfind(' ');
    if (space != std::string_view::npos) cut = space;
  }
  TextBuilder out;
  out.add_part(self.text(), 0, cut);
  out.add(end.text());
  return run.text(std::move(out));
}

Value center(Run& run, const Value& self, const Arguments& arguments) {
  Value text = soft_text(run, self);
  const Int width = size_argument(run, arguments, 0, 80);
  if (run.failed()) return text;
  const Text space{.bytes = " ", .input = {}, .markup = false, .charge = {}};
  return align_text(run, text.text(), {.width = width, .fill = space, .align = Align::kCenter});
}

Value word_count(Run& run, const Value& self, const Arguments& /*arguments*/) {
  Value text = soft_text(run, self);
  if (run.failed()) return text;
  Int words = 0;
  bool inside = false;
  for (const char32_t code : decode(text.text().bytes)) {
    const bool word = is_alpha(code) || is_numeric(code) || code == U'_';
    if (word && !inside) ++words;
    inside = word;
  }
  return Value(words);
}

/// The indent that a value asks for: an int or a string; none: one line.
std::optional<std::string> indent_of(Run& run, const Value& value) {
  if (value.missing() || value.none()) return {};
  if (value.is_string()) return value.text().bytes;
  constexpr Int kIndentMax = 100;
  if (!value.is_integral() || value.as_int() > kIndentMax) {
    run.fail("tojson wants an indent that is a string or an integer up to 100");
    return {};
  }
  return std::string(static_cast<std::size_t>(std::max(value.as_int(), Int{0})), ' ');
}

Value to_json(Run& run, const Value& self, const Arguments& arguments) {
  JsonStyle style{.ensure_ascii = flag_argument(arguments, 0),
                  .sort_keys = flag_argument(arguments, 3),
                  .indent = indent_of(run, arguments.at(1))};
  if (style.indent) style.item_separator = ",";
  const Value& separators = arguments.at(2);
  if (!separators.missing() && !separators.none()) {
    const std::vector<Value> pair = iterate(run, separators);
    if (pair.size() != 2 || !pair[0].is_string() || !pair[1].is_string()) {
      return run.fail("tojson wants two separators");
    }
    style.item_separator = pair[0].text().bytes;
    style.key_separator = pair[1].text().bytes;
  }
  TextBuilder out;
  print_json(run, self, style, out);
  return run.text(std::move(out));
}

constexpr std::array<Builtin, 14> kFiltersTextRows = {{
    {"capitalize", "", 0, &changed<&to_capitalized>},
    {"center", "width", 0, &center},
    {"format", "*", 0, &filter_format},
    {"indent", "width first blank", 0, &indent},
    {"join", "d attribute", 0, &join},
    {"lower", "", 0, &changed<&to_lower>},
    {"replace", "old new count", 2, &replace},
    {"string", "", 0, &string},
    {"title", "", 0, &changed<&title_words>},
    {"tojson", "ensure_ascii indent separators sort_keys", 0, &to_json},
    {"trim", "chars", 0, &trim},
    {"truncate", "length killwords end leeway", 0, &truncate_text},
    {"upper", "", 0, &changed<&to_upper>},
    {"wordcount", "", 0, &word_count},
}};

}  // namespace

std::span<const Builtin> text_filters() { return kFiltersTextRows; }

}  // namespace cairn::tokenizer::jinja

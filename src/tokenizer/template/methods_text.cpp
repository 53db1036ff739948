// The methods of strings.
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
Value changed(Run& run, const Value& self, const Arguments& /*arguments*/) {
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

/// The part of `text` that [start, end) in characters selects, and its first byte.
struct Window {
  std::size_t begin = 0;
  std::size_t end = 0;
};

Window window_of(Run& run, const Text& text, const Arguments& arguments) {
  if (!arguments.has(1) && !arguments.has(2)) return {.begin = 0, .end = text.bytes.size()};
  const std::vector<std::size_t> starts = char_starts(text.bytes);
  const auto size = static_cast<Int>(starts.size() - 1);
  const auto place = [&](std::size_t argument, Int otherwise) {
    const bool given = arguments.has(argument) && !arguments.at(argument).none();
    Int at = given ? int_argument(run, arguments, argument, otherwise) : otherwise;
    if (at < 0) at = std::max(at + size, Int{0});
    return at;
  };
  const Int begin = place(1, 0);
  const Int end = std::min(place(2, size), size);
  if (begin > end) return {.begin = 1, .end = 0};
  return {.begin = starts[static_cast<std::size_t>(begin)],
          .end = starts[static_cast<std::size_t>(end)]};
}

enum class End : std::uint8_t { kStart, kEnd };

template <End kEnd>
Value has_affix(Run& run, const Value& self, const Arguments& arguments) {
  const Window window = window_of(run, self.text(), arguments);
  if (window.begin > window.end) return Value(false);
  const std::string_view text =
      std::string_view(self.text().bytes).substr(window.begin, window.end - window.begin);
  const auto matches = [&](const Value& affix) {
    if (!affix.is_string()) {
      run.fail(fmt::format("startswith and endswith want a string or a tuple of strings, not {}",
                           type_name(affix)));
      return false;
    }
    const std::string_view part = affix.text().bytes;
    return kEnd == End::kStart ? text.starts_with(part) : text.ends_with(part);
  };
  if (!arguments.at(0).is_list(ListKind::kTuple)) return Value(matches(arguments.at(0)));
  const std::vector<Value>& affixes = arguments.at(0).list().items;
  return Value(std::any_of(affixes.begin(), affixes.end(), matches));
}

enum class Search : std::uint8_t { kFirst, kLast };
enum class Absent : std::uint8_t { kMinusOne, kError };

template <Search kSearch, Absent kAbsent>
Value find(Run& run, const Value& self, const Arguments& arguments) {
  const Text* part = text_argument(run, arguments, 0);
  if (part == nullptr) return run.fail("");
  const Window window = window_of(run, self.text(), arguments);
  std::size_t at = std::string::npos;
  if (window.begin <= window.end) {
    const std::string_view text =
        std::string_view(self.text().bytes).substr(window.begin, window.end - window.begin);
    at = kSearch == Search::kFirst ? find_text(run, text, part->bytes, 0)
                                   : rfind_text(run, text, part->bytes);
  }
  if (at != std::string::npos) {
    const std::string_view before =
        std::string_view(self.text().bytes).substr(0, window.begin + at);
    return Value(static_cast<Int>(char_count(before)));
  }
  return kAbsent == Absent::kError ? run.fail("substring not found") : Value(Int{-1});
}

Value count(Run& run, const Value& self, const Arguments& arguments) {
  const Text* part = text_argument(run, arguments, 0);
  if (part == nullptr) return run.fail("");
  const Window window = window_of(run, self.text(), arguments);
  if (window.begin > window.end) return Value(Int{0});
  const std::string_view text =
      std::string_view(self.text().bytes).substr(window.begin, window.end - window.begin);
  if (part->bytes.empty()) return Value(static_cast<Int>(char_count(text) + 1));
  return Value(static_cast<Int>(find_all(run, text, part->bytes, kNoLimit).size()));
}

Value replace(Run& run, const Value& self, const Arguments& arguments) {
  const Text* old = text_argument(run, arguments, 0);
  const Text* fresh = text_argument(run, arguments, 1);
  const Int most = int_argument(run, arguments, 2, -1);
  if (run.failed()) return run.fail("");
  return replace_text(run, self.text(), {.old = *old, .fresh = *fresh, .most = most});
}

Value join(Run& run, const Value& self, const Arguments& arguments) {
  const std::vector<Value> items = iterate(run, arguments.at(0));
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!items[i].is_string()) {
      return run.fail(
          fmt::format("sequence item {}: expected str instance, {} found", i, type_name(items[i])));
    }
  }
  return join_texts(run, self.text(), items);
}

Value format(Run& run, const Value& self, const Arguments& arguments) {
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

template <bool (*kIs)(char32_t)>
Value all_are(Run& run, const Value& self, const Arguments& /*arguments*/) {
  const std::u32string codes = decode(self.text().bytes);
  run.step(codes.size() / 16);
  return Value(!codes.empty() && std::all_of(codes.begin(), codes.end(), kIs));
}

bool is_alnum(char32_t code) { return is_alpha(code) || is_numeric(code); }

template <bool (*kWanted)(char32_t), bool (*kBarred)(char32_t)>
Value is_case(Run& run, const Value& self, const Arguments& /*arguments*/) {
  const std::u32string codes = decode(self.text().bytes);
  run.step(codes.size() / 16);
  const bool barred =
      std::any_of(codes.begin(), codes.end(), [](char32_t c) { return kBarred(c) || is_title(c); });
  return Value(!barred && std::any_of(codes.begin(), codes.end(), kWanted));
}

Value is_titled(Run& /*run*/, const Value& self, const Arguments& /*arguments*/) {
  bool in_word = false;
  bool any = false;
  for (const char32_t code : decode(self.text().bytes)) {
    const bool capital = is_upper(code) || is_title(code);
    if ((capital && in_word) || (is_lower(code) && !in_word)) return Value(false);
    in_word = capital || is_lower(code);
    any = any || in_word;
  }
  return Value(any);
}

Value is_ascii(Run& /*run*/, const Value& self, const Arguments& /*arguments*/) {
  const std::string& bytes = self.text().bytes;
  return Value(std::all_of(bytes.begin(), bytes.end(),
                           [](char c) { return static_cast<unsigned char>(c) < 0x80; }));
}

Value is_all_printable(Run& /*run*/, const Value& self, const Arguments& /*arguments*/) {
  const std::u32string codes = decode(self.text().bytes);
  return Value(std::all_of(codes.begin(), codes.end(), is_printable));
}

Value is_identifier(Run& /*run*/, const Value& self, const Arguments& /*arguments*/) {
  const std::u32string codes = decode(self.text().bytes);
  const bool starts = !codes.empty() && (is_alpha(codes[0]) || codes[0] == U'_');
  return Value(starts && std::all_of(codes.begin(), codes.end(), is_name_char));
}

template <Align kAlign>
Value aligned(Run& run, const Value& self, const Arguments& arguments) {
  const Int width = int_argument(run, arguments, 0, 0);
  static const Text kSpace{.bytes = " ", .input = {}, .markup = false, .charge = {}};
  const Text* fill = arguments.has(1) ? text_argument(run, arguments, 1) : &kSpace;
  if (run.failed()) return run.fail("");
  if (char_count(fill->bytes) != 1) {
    return run.fail("the fill character must be exactly one character long");
  }
  return align_text(run, self.text(), {.width = width, .fill = *fill, .align = kAlign});
}

Value zero_filled(Run& run, const Value& self, const Arguments& arguments) {
  const Int width = int_argument(run, arguments, 0, 0);
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

template <End kEnd>
Value without_affix(Run& run, const Value& self, const Arguments& arguments) {
  const Text* affix = text_argument(run, arguments, 0);
  if (affix == nullptr) return run.fail("");
  const std::string_view text = self.text().bytes;
  const std::size_t size = affix->bytes.size();
  const bool found =
      kEnd == End::kStart ? text.starts_with(affix->bytes) : text.ends_with(affix->bytes);
  if (!found || size == 0) return self;
  return kEnd == End::kStart ? run.slice_text(self.text(), size, text.size())
                             : run.slice_text(self.text(), 0, text.size() - size);
}

template <Search kSearch>
Value partition(Run& run, const Value& self, const Arguments& arguments) {
  const Text* mark = text_argument(run, arguments, 0);
  if (mark == nullptr) return run.fail("");
  if (mark->bytes.empty()) return run.fail("empty separator");
  const Text& text = self.text();
  const std::size_t at = kSearch == Search::kFirst ? find_text(run, text.bytes, mark->bytes, 0)
                                                   : rfind_text(run, text.bytes, mark->bytes);
  std::vector<Value> parts;
  if (at == std::string::npos) {
    parts = {run.text(std::string()), run.text(std::string())};
    parts.insert(kSearch == Search::kFirst ? parts.begin() : parts.end(), self);
  } else {
    parts = {run.slice_text(text, 0, at), arguments.at(0),
             run.slice_text(text, at + mark->bytes.size(), text.bytes.size())};
  }
  return run.list(std::move(parts), ListKind::kTuple);
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

constexpr std::array<Builtin, 44> kRows = {{
    {"capitalize", "", 0, &changed<&to_capitalized>},
    {"center", "width fillchar", 1, &aligned<Align::kCenter>},
    {"count", "sub start end", 1, &count},
    {"endswith", "suffix start end", 1, &has_affix<End::kEnd>},
    {"expandtabs", "tabsize", 0, &expand_tabs},
    {"find", "sub start end", 1, &find<Search::kFirst, Absent::kMinusOne>},
    {"format", "*", 0, &format},
    {"format_map", "mapping", 1, &format_map},
    {"index", "sub start end", 1, &find<Search::kFirst, Absent::kError>},
    {"isalnum", "", 0, &all_are<&is_alnum>},
    {"isalpha", "", 0, &all_are<&is_alpha>},
    {"isascii", "", 0, &is_ascii},
    {"isdecimal", "", 0, &all_are<&is_decimal>},
    {"isdigit", "", 0, &all_are<&is_digit>},
    {"isidentifier", "", 0, &is_identifier},
    {"islower", "", 0, &is_case<&is_lower, &is_upper>},
    {"isnumeric", "", 0, &all_are<&is_numeric>},
    {"isprintable", "", 0, &is_all_printable},
    {"isspace", "", 0, &all_are<&is_space>},
    {"istitle", "", 0, &is_titled},
    {"isupper", "", 0, &is_case<&is_upper, &is_lower>},
    {"join", "iterable", 1, &join},
    {"ljust", "width fillchar", 1, &aligned<Align::kLeft>},
    {"lower", "", 0, &changed<&to_lower>},
    {"casefold", "", 0, &changed<&to_lower>},
    {"lstrip", "chars", 0, &stripped<Sides::kLeft>},
    {"partition", "sep", 1, &partition<Search::kFirst>},
    {"removeprefix", "prefix", 1, &without_affix<End::kStart>},
    {"removesuffix", "suffix", 1, &without_affix<End::kEnd>},
    {"replace", "old new count", 2, &replace},
    {"rfind", "sub start end", 1, &find<Search::kLast, Absent::kMinusOne>},
    {"rindex", "sub start end", 1, &find<Search::kLast, Absent::kError>},
    {"rjust", "width fillchar", 1, &aligned<Align::kRight>},
    {"rpartition", "sep", 1, &partition<Search::kLast>},
    {"rsplit", "sep maxsplit", 0, &split<SplitFrom::kEnd>},
    {"rstrip", "chars", 0, &stripped<Sides::kRight>},
    {"split", "sep maxsplit", 0, &split<SplitFrom::kStart>},
    {"splitlines", "keepends", 0, &split_into_lines},
    {"startswith", "prefix start end", 1, &has_affix<End::kStart>},
    {"strip", "chars", 0, &stripped<Sides::kBoth>},
    {"swapcase", "", 0, &changed<&to_swapped>},
    {"title", "", 0, &changed<&to_title>},
    {"upper", "", 0, &changed<&to_upper>},
    {"zfill", "width", 1, &zero_filled},
}};

}  // namespace

std::span<const Builtin> text_methods() { return kRows; }

}  // namespace cairn::tokenizer::jinja

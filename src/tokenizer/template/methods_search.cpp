// The methods of strings that look for a part: find, count, startswith, partition, ...
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "tokenizer/template/arguments.h"
#include "tokenizer/template/methods.h"
#include "tokenizer/template/operators.h"
#include "tokenizer/template/python_text.h"
#include "tokenizer/template/text_pieces.h"

namespace cairn::tokenizer::jinja {
namespace {

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
    const Value empty = run.slice_text(text, 0, 0);
    parts = {empty, empty};
    parts.insert(kSearch == Search::kFirst ? parts.begin() : parts.end(), self);
  } else {
    parts = {run.slice_text(text, 0, at), run.slice_text(text, at, at + mark->bytes.size()),
             run.slice_text(text, at + mark->bytes.size(), text.bytes.size())};
  }
  return run.list(std::move(parts), ListKind::kTuple);
}

constexpr std::array<Builtin, 11> kMethodsSearchRows = {{
    {"count", "sub start end", 1, &count},
    {"endswith", "suffix start end", 1, &has_affix<End::kEnd>},
    {"find", "sub start end", 1, &find<Search::kFirst, Absent::kMinusOne>},
    {"index", "sub start end", 1, &find<Search::kFirst, Absent::kError>},
    {"partition", "sep", 1, &partition<Search::kFirst>},
    {"removeprefix", "prefix", 1, &without_affix<End::kStart>},
    {"removesuffix", "suffix", 1, &without_affix<End::kEnd>},
    {"rfind", "sub start end", 1, &find<Search::kLast, Absent::kMinusOne>},
    {"rindex", "sub start end", 1, &find<Search::kLast, Absent::kError>},
    {"rpartition", "sep", 1, &partition<Search::kLast>},
    {"startswith", "prefix start end", 1, &has_affix<End::kStart>},
}};

}  // namespace

std::span<const Builtin> text_searches() { return kMethodsSearchRows; }

}  // namespace cairn::tokenizer::jinja

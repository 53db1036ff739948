// The filter wordwrap: Python's textwrap.wrap on every line. Source: CPython 3.11, textwrap.py, as
// its behaviour.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "tokenizer/template/arguments.h"
#include "tokenizer/template/filters.h"
#include "tokenizer/template/operators.h"
#include "tokenizer/template/python_text.h"

namespace cairn::tokenizer::jinja {
namespace {

/// Characters [begin, end) of a line.
struct Chunk {
  std::size_t begin = 0;
  std::size_t end = 0;
};

enum class Hyphens : std::uint8_t { kBreak, kKeep };

bool is_break(char32_t c) { return c == U' ' || (c >= U'\t' && c <= U'\r'); }
bool is_word(char32_t c) { return is_alpha(c) || is_numeric(c) || c == U'_'; }
bool is_word_letter(char32_t c) { return is_word(c) && !is_decimal(c); }
bool is_word_mark(char32_t c) {
  return is_word(c) || std::u32string_view(U"!\"'&.,?").find(c) != std::u32string_view::npos;
}

/// Cuts a line into words and the white space between them; words also after hyphens.
class Cutter {
 public:
  Cutter(const std::u32string& line, Hyphens hyphens) : line_(line), hyphens_(hyphens) {}

  std::vector<Chunk> run() const {
    std::vector<Chunk> chunks;
    for (std::size_t at = 0; at < line_.size();) {
      const std::size_t end = is_break(line_[at]) ? spaces(at) : word(at);
      chunks.push_back({.begin = at, .end = end});
      at = end;
    }
    return chunks;
  }

 private:
  template <typename Test>
  bool is(std::size_t at, Test test) const {
    return at < line_.size() && test(line_[at]);
  }
  bool is_dash(std::size_t at) const { return at < line_.size() && line_[at] == U'-'; }

  std::size_t spaces(std::size_t at) const {
    while (is(at, is_break)) ++at;
    return at;
  }

  /// The end of two or more dashes before a word; 0 when there are none.
  std::size_t dashes(std::size_t at) const {
    std::size_t end = at;
    while (is_dash(end)) ++end;
    return end - at >= 2 && is(end, is_word) ? end : 0;
  }

  /// Whether a word may be cut behind the hyphen at `at`.
  bool is_hyphen(std::size_t at) const {
    if (!is_dash(at) || at < 2 || !is(at + 1, is_word_letter)) return false;
    const bool before = (is_word_letter(line_[at - 2]) && is_word_letter(line_[at - 1])) ||
                        (at >= 3 && is_word_letter(line_[at - 3]) && is_dash(at - 2) &&
                         is_word_mark(line_[at - 1]));
    return before &&
           (is(at + 2, is_word_letter) || (is_dash(at + 2) && is(at + 3, is_word_letter)));
  }

  std::size_t word(std::size_t at) const {
    std::size_t end = at + 1;
    if (hyphens_ == Hyphens::kKeep) {
      while (end < line_.size() && !is_break(line_[end])) ++end;
      return end;
    }
    if (at > 0 && is_word_mark(line_[at - 1]) && dashes(at) != 0) return dashes(at);
    for (; end < line_.size() && !is_break(line_[end]); ++end) {
      if (is_hyphen(end)) return end + 1;
      if (is_word_mark(line_[end - 1]) && dashes(end) != 0) break;
    }
    return end;
  }

  const std::u32string& line_;
  Hyphens hyphens_ = Hyphens::kBreak;
};

enum class LongWords : std::uint8_t { kBreak, kKeep };

/// Fills lines with the chunks of one line.
class Filler {
 public:
  Filler(const std::u32string& line, std::size_t width, Hyphens hyphens, LongWords words)
      : line_(line),
        width_(width),
        hyphens_(hyphens),
        words_(words),
        chunks_(Cutter(line, hyphens).run()) {}

  std::vector<Chunk> run() {
    std::vector<Chunk> lines;
    while (at_ < chunks_.size()) {
      if (!lines.empty() && is_blank(chunks_[at_])) ++at_;
      Chunk filled = fill();
      if (filled.end != filled.begin) lines.push_back(filled);
    }
    return lines;
  }

 private:
  bool is_blank(const Chunk& chunk) const {
    return std::all_of(line_.begin() + static_cast<std::ptrdiff_t>(chunk.begin),
                       line_.begin() + static_cast<std::ptrdiff_t>(chunk.end), is_space);
  }

  Chunk fill() {
    if (at_ == chunks_.size()) return {};
    Chunk filled{.begin = chunks_[at_].begin, .end = chunks_[at_].begin};
    Chunk last = filled;
    const auto take = [&](std::size_t end) {
      last = {.begin = filled.end, .end = end};
      filled.end = end;
    };
    while (at_ < chunks_.size() && chunks_[at_].end - filled.begin <= width_) {
      take(chunks_[at_++].end);
    }
    if (at_ < chunks_.size() && chunks_[at_].end - chunks_[at_].begin > width_) {
      const std::size_t used = filled.end - filled.begin;
      if (words_ == LongWords::kBreak) {
        take(chunks_[at_].begin + cut_of(chunks_[at_], width_ - used));
        chunks_[at_].begin = filled.end;
        if (chunks_[at_].begin == chunks_[at_].end) ++at_;
      } else if (used == 0) {
        take(chunks_[at_++].end);
      }
    }
    if (is_blank(last)) filled.end = last.begin;
    return filled;
  }

  /// How many characters of a long word fit into `left`, up to a hyphen when there is one.
  std::size_t cut_of(const Chunk& chunk, std::size_t left) const {
    if (hyphens_ == Hyphens::kKeep) return left;
    const std::u32string_view word =
        std::u32string_view(line_).substr(chunk.begin, chunk.end - chunk.begin);
    const std::size_t hyphen = word.substr(0, left).rfind(U'-');
    if (hyphen == std::u32string_view::npos || hyphen == 0) return left;
    const bool only_hyphens =
        word.substr(0, hyphen).find_first_not_of(U'-') == std::u32string_view::npos;
    return only_hyphens ? left : hyphen + 1;
  }

  const std::u32string& line_;
  std::size_t width_ = 0;
  Hyphens hyphens_ = Hyphens::kBreak;
  LongWords words_ = LongWords::kBreak;
  std::vector<Chunk> chunks_;
  std::size_t at_ = 0;
};

/// How lines are wrapped: the filter's arguments.
struct Wrapping {
  std::size_t width = 79;
  LongWords words = LongWords::kBreak;
  Hyphens hyphens = Hyphens::kBreak;
  Value mark = {};  // the string between lines
};

/// Adds `line` of `text` in pieces of the width, the mark between them.
void wrap_line(Run& run, const Text& text, const Line& line, const Wrapping& wrapping,
               TextBuilder& out) {
  const std::string_view bytes =
      std::string_view(text.bytes).substr(line.begin, line.end - line.begin);
  const std::vector<std::size_t> starts = char_starts(bytes);
  const std::u32string characters = decode(bytes);
  bool first = true;
  for (const Chunk& piece :
       Filler(characters, wrapping.width, wrapping.hyphens, wrapping.words).run()) {
    if (!std::exchange(first, false)) out.add(wrapping.mark.text());
    out.add_part(text, line.begin + starts[piece.begin], line.begin + starts[piece.end]);
    if (!run.allow_bytes(out.size())) return;
  }
}

Value word_wrap(Run& run, const Value& self, const Arguments& arguments) {
  if (!self.is_string()) {
    return self.undefined()
               ? fail_undefined(run, self)
               : run.fail(fmt::format("wordwrap wants a string, not '{}'", type_name(self)));
  }
  const Int width = int_argument(run, arguments, 0, 79);
  Wrapping wrapping;
  if (arguments.has(1) && !flag_argument(arguments, 1)) wrapping.words = LongWords::kKeep;
  if (arguments.has(3) && !flag_argument(arguments, 3)) wrapping.hyphens = Hyphens::kKeep;
  const bool has_mark = arguments.has(2) && !arguments.at(2).none();
  wrapping.mark = has_mark ? arguments.at(2) : run.text("\n");
  if (!wrapping.mark.is_string()) return run.fail("wordwrap wants a string between its lines");
  const Text& text = self.text();
  const std::vector<Line> lines = split_lines(text.bytes);
  if (width <= 0 && !lines.empty()) run.fail("wordwrap: the width must be above 0");
  if (!run.step(1 + text.bytes.size() / 16)) return run.fail("");
  wrapping.width = static_cast<std::size_t>(std::clamp(width, Int{0}, Int{1} << 60));
  TextBuilder out;
  for (std::size_t i = 0; i < lines.size() && !run.failed(); ++i) {
    if (i != 0) out.add(wrapping.mark.text());
    wrap_line(run, text, lines[i], wrapping, out);
  }
  return run.text(std::move(out));
}

constexpr std::array<Builtin, 1> kFiltersWrapRows = {{
    {"wordwrap", "width break_long_words wrapstring break_on_hyphens", 0, &word_wrap},
}};

}  // namespace

std::span<const Builtin> wrapping_filters() { return kFiltersWrapRows; }

}  // namespace cairn::tokenizer::jinja

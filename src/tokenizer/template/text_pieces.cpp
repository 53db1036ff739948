#include "tokenizer/template/text_pieces.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "base/utf8.h"
#include "tokenizer/template/arguments.h"
#include "tokenizer/template/operators.h"
#include "tokenizer/template/python_text.h"

namespace cairn::tokenizer::jinja {
namespace {

std::size_t skip_any(std::string_view text, std::u32string_view chars) {
  std::size_t at = 0;
  while (at < text.size()) {
    const Utf8Char c = decode_utf8(text, at);
    if (chars.find(c.code) == std::u32string_view::npos) break;
    at += c.size;
  }
  return at;
}

std::size_t skip_any_back(std::string_view text, std::u32string_view chars) {
  std::size_t end = text.size();
  while (end > 0) {
    std::size_t at = end - 1;
    while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) --at;
    if (chars.find(decode_utf8(text, at).code) == std::u32string_view::npos) break;
    end = at;
  }
  return end;
}

using Pieces = std::vector<TextSpan>;

std::size_t next_space(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    const Utf8Char c = decode_utf8(text, at);
    if (is_space(c.code)) break;
    at += c.size;
  }
  return at;
}

Pieces split_space(std::string_view text, std::size_t most) {
  Pieces pieces;
  std::size_t at = skip_space(text);
  while (at < text.size()) {
    if (pieces.size() == most) {
      pieces.push_back({.begin = at, .end = text.size()});
      break;
    }
    const std::size_t end = next_space(text, at);
    pieces.push_back({.begin = at, .end = end});
    at = end + skip_space(text.substr(end));
  }
  return pieces;
}

std::size_t previous_space(std::string_view text, std::size_t end) {
  while (end > 0) {
    std::size_t at = end - 1;
    while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) --at;
    if (is_space(decode_utf8(text, at).code)) break;
    end = at;
  }
  return end;
}

Pieces rsplit_space(std::string_view text, std::size_t most) {
  Pieces pieces;
  std::size_t end = skip_space_back(text);
  while (end > 0) {
    if (pieces.size() == most) {
      pieces.push_back({.begin = 0, .end = end});
      break;
    }
    const std::size_t begin = previous_space(text, end);
    pieces.push_back({.begin = begin, .end = end});
    end = skip_space_back(text.substr(0, begin));
  }
  std::reverse(pieces.begin(), pieces.end());
  return pieces;
}

std::vector<std::size_t> rfind_all(Run& run, std::string_view text, std::string_view part,
                                   std::size_t most) {
  std::vector<std::size_t> places;
  std::string_view rest = text;
  while (places.size() < most && !run.failed()) {
    const std::size_t at = rest.rfind(part);
    if (at == std::string_view::npos || !run.step(1 + (rest.size() - at) / 256)) break;
    places.push_back(at);
    rest = rest.substr(0, at);
  }
  std::reverse(places.begin(), places.end());
  return places;
}

Pieces between(std::string_view text, const std::vector<std::size_t>& marks, std::size_t size) {
  Pieces pieces;
  std::size_t begin = 0;
  for (const std::size_t at : marks) {
    pieces.push_back({.begin = begin, .end = at});
    begin = at + size;
  }
  pieces.push_back({.begin = begin, .end = text.size()});
  return pieces;
}

}  // namespace

Value strip_text(Run& run, const Text& text, const Value& chars, Sides sides) {
  const std::string_view bytes = text.bytes;
  if (!run.step(1 + bytes.size() / 256)) return run.fail("");
  const bool space = chars.missing() || chars.none();
  if (!space && !chars.is_string()) {
    return run.fail(fmt::format("strip arg must be None or str, not {}", type_name(chars)));
  }
  const std::u32string set = space ? std::u32string() : decode(chars.text().bytes);
  run.step(set.size() * bytes.size() / 4096);
  std::size_t begin = 0;
  std::size_t end = bytes.size();
  if (sides != Sides::kRight) begin = space ? skip_space(bytes) : skip_any(bytes, set);
  if (sides != Sides::kLeft) end = space ? skip_space_back(bytes) : skip_any_back(bytes, set);
  return run.slice_text(text, begin, std::max(begin, end));
}

std::vector<std::size_t> find_all(Run& run, std::string_view text, std::string_view part,
                                  std::size_t most) {
  std::vector<std::size_t> places;
  // find_text pays for a whole search each time; pay once here and search freely.
  if (find_text(run, text, part, 0) == std::string::npos) return places;
  std::size_t at = text.find(part);
  while (at != std::string_view::npos && places.size() < most && run.step()) {
    places.push_back(at);
    at = text.find(part, at + part.size());
  }
  return places;
}

std::size_t rfind_text(Run& run, std::string_view text, std::string_view part) {
  find_text(run, text.substr(0, 0), part, 0);
  run.step(text.size() / 4096 * (part.size() + 1));
  return run.failed() ? std::string::npos : text.rfind(part);
}

Value split_text(Run& run, const Text& text, const Arguments& arguments, SplitFrom from) {
  const Int limit = size_argument(run, arguments, 1, -1);
  const std::size_t most =
      limit < 0 || limit > Int{1} << 60 ? kNoLimit : static_cast<std::size_t>(limit);
  const Value& mark = arguments.at(0);
  if (!run.step(1 + text.bytes.size() / 256)) return run.fail("");
  Pieces pieces;
  if (mark.missing() || mark.none()) {
    pieces =
        from == SplitFrom::kStart ? split_space(text.bytes, most) : rsplit_space(text.bytes, most);
  } else {
    const Text* part = text_argument(run, arguments, 0);
    if (part == nullptr) return run.fail("");
    if (part->bytes.empty()) return run.fail("empty separator");
    const auto places = from == SplitFrom::kStart ? find_all(run, text.bytes, part->bytes, most)
                                                  : rfind_all(run, text.bytes, part->bytes, most);
    pieces = between(text.bytes, places, part->bytes.size());
  }
  std::vector<Value> items;
  items.reserve(pieces.size());
  for (const TextSpan& piece : pieces) {
    if (run.failed()) break;
    items.push_back(run.slice_text(text, piece.begin, piece.end));
  }
  return run.list(std::move(items));
}

Value replace_text(Run& run, const Text& text, const Replacement& replacement) {
  const auto& [old, fresh, limit] = replacement;
  const std::size_t most =
      limit < 0 || limit > Int{1} << 60 ? kNoLimit : static_cast<std::size_t>(limit);
  std::vector<std::size_t> places;
  if (old.bytes.empty()) {
    places = char_starts(text.bytes);
    if (places.size() > most) places.resize(most);
  } else {
    places = find_all(run, text.bytes, old.bytes, most);
  }
  const std::uint64_t grown = text.bytes.size() + std::uint64_t{places.size()} * fresh.bytes.size();
  if (!run.allow_bytes(grown)) return run.fail("");
  TextBuilder out;
  std::size_t from = 0;
  for (const std::size_t at : places) {
    out.add_part(text, from, at);
    out.add(fresh);
    from = at + old.bytes.size();
  }
  out.add_part(text, std::min(from, text.bytes.size()), text.bytes.size());
  return text.markup ? run.markup(std::move(out)) : run.text(std::move(out));
}

Value join_texts(Run& run, const Text& mark, const std::vector<Value>& items) {
  std::uint64_t bytes = 0;
  for (const Value& item : items) bytes += item.text().bytes.size() + mark.bytes.size();
  if (!run.allow_bytes(bytes)) return run.fail("");
  TextBuilder out;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i != 0) out.add(mark);
    out.add(items[i].text());
  }
  return run.text(std::move(out));
}

Value align_text(Run& run, const Text& text, const Alignment& alignment) {
  const auto size = static_cast<Int>(char_count(text.bytes));
  const Int fill = std::clamp(alignment.width - size, Int{0}, Int{1} << 60);
  const auto bytes = static_cast<std::uint64_t>(fill) * alignment.fill.bytes.size();
  if (!run.allow_bytes(bytes)) return run.fail("");
  // str.center() puts the odd one left only when the width is odd too.
  const Int half = fill / 2 + (fill & alignment.width & 1);
  const Int before = alignment.align == Align::kLeft    ? 0
                     : alignment.align == Align::kRight ? fill
                                                        : half;
  TextBuilder out;
  for (Int i = 0; i < before; ++i) out.add(alignment.fill);
  out.add(text);
  for (Int i = before; i < fill; ++i) out.add(alignment.fill);
  return text.markup ? run.markup(std::move(out)) : run.text(std::move(out));
}

}  // namespace cairn::tokenizer::jinja

#include "tokenizer/normalizer.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/utf8.h"

namespace cairn::tokenizer {
namespace {

constexpr std::string_view kMapKey = "tokenizer.ggml.precompiled_charsmap";
/// Real maps have prefixes of up to some tens of bytes; a longer one would make encoding slow.
constexpr std::size_t kPrefixBytesMax = 1024;

// A unit of the double array: Source: darts-clone, darts.h (DoubleArrayUnit).
std::uint32_t offset_of(std::uint32_t unit) { return (unit >> 10) << ((unit & 0x200U) >> 6); }
std::uint32_t label_of(std::uint32_t unit) { return unit & 0x800000FFU; }
bool has_value(std::uint32_t unit) { return (unit & 0x100U) != 0; }
std::uint32_t value_of(std::uint32_t unit) { return unit & 0x7FFFFFFFU; }

Status damaged(std::string_view what) { return invalid_file(fmt::format("{}: {}", kMapKey, what)); }

/// The bytes of the map: an array of bytes, or, as old writers have it, a string.
Result<std::string> map_bytes(const formats::Metadata& metadata) {
  if (const auto* text = std::get_if<std::string>(metadata.find(kMapKey))) return *text;
  CAIRN_ASSIGN(const std::vector<std::int64_t> values, metadata.i64s(kMapKey));
  std::string bytes;
  bytes.reserve(values.size());
  for (const std::int64_t value : values) {
    if (value < -128 || value > 255) return damaged(fmt::format("{} is not a byte", value));
    bytes.push_back(static_cast<char>(value));
  }
  return bytes;
}

enum class SpacePrefix : std::uint8_t { kNone, kAdd };
enum class ExtraSpaces : std::uint8_t { kKeep, kRemove };

/// Writes text with U+2581 for spaces, one in front if asked for; of several spaces, and of those
/// at the ends, none but the first if extra ones are removed.
class SpaceWriter {
 public:
  SpaceWriter(SpacePrefix prefix, ExtraSpaces extra, std::size_t bytes_expected)
      : extra_(extra), prefix_pending_(prefix == SpacePrefix::kAdd) {
    out_.reserve(bytes_expected);
  }

  void add(std::string_view part);
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
  ExtraSpaces extra_;
  bool prefix_pending_;
  bool space_pending_ = false;
};

void SpaceWriter::add(std::string_view part) {
  for (const char c : part) {
    if (c == ' ' && extra_ == ExtraSpaces::kRemove) {
      space_pending_ = !out_.empty();
      continue;
    }
    if (prefix_pending_ || space_pending_) out_ += kSpaceMark;
    prefix_pending_ = space_pending_ = false;
    if (c == ' ') {
      out_ += kSpaceMark;
    } else {
      out_ += c;
    }
  }
}

}  // namespace

Result<CharacterMap> CharacterMap::parse(std::string bytes) {
  CharacterMap map;
  map.bytes_ = std::move(bytes);
  if (map.bytes_.size() < 4) return damaged("shorter than its size field");
  std::uint64_t size = 0;
  for (int i = 3; i >= 0; --i) {
    size = size << 8 | static_cast<std::uint8_t>(map.bytes_[static_cast<std::size_t>(i)]);
  }
  if (size % 4 != 0 || size > map.bytes_.size() - 4) {
    return damaged(fmt::format("{} bytes of units in {} bytes", size, map.bytes_.size()));
  }
  map.units_begin_ = 4;
  map.units_bytes_ = static_cast<std::size_t>(size);
  map.texts_begin_ = map.units_begin_ + map.units_bytes_;
  if (map.unit_count() > 0 &&
      (map.texts_begin_ == map.bytes_.size() || map.bytes_.back() != '\0')) {
    return damaged("the last replacement is not ended by a zero byte");
  }
  CAIRN_TRY(map.check());
  return map;
}

std::uint32_t CharacterMap::unit(std::size_t index) const {
  std::uint32_t value = 0;
  for (std::size_t i = 4; i-- > 0;) {
    value = value << 8 | static_cast<std::uint8_t>(bytes_[units_begin_ + 4 * index + i]);
  }
  return value;
}

/// Walks the whole array once, so that find() needs no checks and takes bounded time. Units may be
/// shared by several prefixes but not lead back to themselves.
Status CharacterMap::check() const {
  enum class State : std::uint8_t { kNew, kOpen, kDone };
  struct Node {
    std::size_t unit = 0;
    std::size_t base = 0;
    std::size_t label = 0;   // the last one tried
    std::size_t height = 0;  // of what was found below
  };
  if (unit_count() == 0) return {};
  std::vector<State> states(unit_count());
  states[0] = State::kOpen;
  std::vector<std::size_t> heights(unit_count());
  std::vector<Node> open = {{.base = offset_of(unit(0))}};
  while (!open.empty()) {
    Node& node = open.back();
    if (++node.label == 256) {
      const Node done = node;
      open.pop_back();
      states[done.unit] = State::kDone;
      heights[done.unit] = done.height;
      if (!open.empty()) open.back().height = std::max(open.back().height, done.height + 1);
      continue;
    }
    const std::size_t child = node.base ^ node.label;
    if (child >= unit_count() || label_of(unit(child)) != node.label) continue;
    if (states[child] == State::kOpen) return damaged("a unit leads back to itself");
    if (states[child] == State::kDone) {
      node.height = std::max(node.height, heights[child] + 1);
      continue;
    }
    CAIRN_TRY(check_value(child));
    states[child] = State::kOpen;
    open.push_back({.unit = child, .base = child ^ offset_of(unit(child))});
    if (open.size() > kPrefixBytesMax) break;
  }
  if (open.empty() && heights[0] <= kPrefixBytesMax) return {};
  return damaged(fmt::format("a prefix of more than {} bytes", kPrefixBytesMax));
}

/// Where `index` ends a prefix, its replacement lies in the data.
Status CharacterMap::check_value(std::size_t index) const {
  if (!has_value(unit(index))) return {};
  const std::size_t base = index ^ offset_of(unit(index));
  if (base < unit_count() && value_of(unit(base)) < bytes_.size() - texts_begin_) return {};
  return damaged("a value lies outside the data");
}

CharacterMap::Match CharacterMap::find(std::string_view text, std::size_t at,
                                       std::uint64_t& steps) const {
  Match match;
  if (unit_count() == 0) return match;
  std::size_t base = offset_of(unit(0));
  for (std::size_t end = at; end < text.size(); ++end) {
    ++steps;
    const auto label = static_cast<std::uint8_t>(text[end]);
    const std::size_t child = base ^ label;
    if (label == 0 || child >= unit_count() || label_of(unit(child)) != label) break;
    base = child ^ offset_of(unit(child));
    if (!has_value(unit(child))) continue;
    const std::size_t begin = texts_begin_ + value_of(unit(base));
    match.size = end + 1 - at;
    match.replacement = std::string_view(bytes_).substr(begin, bytes_.find('\0', begin) - begin);
  }
  return match;
}

Result<Normalizer> Normalizer::create(const formats::Metadata& metadata, bool add_space_prefix,
                                      const std::vector<std::string_view>& user_defined) {
  Normalizer normalizer;
  normalizer.add_space_prefix_ = add_space_prefix;
  CAIRN_ASSIGN(normalizer.remove_extra_spaces_,
               metadata.boolean_or("tokenizer.ggml.remove_extra_whitespaces", false));
  if (metadata.has(kMapKey)) {
    CAIRN_ASSIGN(std::string bytes, map_bytes(metadata));
    CAIRN_ASSIGN(normalizer.map_, CharacterMap::parse(std::move(bytes)));
  }
  std::vector<std::pair<std::string_view, std::int32_t>> entries;
  entries.reserve(user_defined.size());
  for (const std::string_view text : user_defined) entries.emplace_back(text, 0);
  normalizer.user_defined_ = Trie(std::move(entries));
  return normalizer;
}

std::string Normalizer::apply(std::string_view text, std::uint64_t& steps) const {
  SpaceWriter out(add_space_prefix_ ? SpacePrefix::kAdd : SpacePrefix::kNone,
                  remove_extra_spaces_ ? ExtraSpaces::kRemove : ExtraSpaces::kKeep,
                  text.size() + text.size() / 2 + kSpaceMark.size());
  for (std::size_t at = 0; at < text.size();) {
    std::size_t kept = 0;
    steps +=
        1 + user_defined_.walk(text, at, [&](std::size_t end, std::int32_t) { kept = end - at; });
    if (kept > 0) {
      out.add(text.substr(at, kept));
      at += kept;
      continue;
    }
    const CharacterMap::Match match = map_ ? map_->find(text, at, steps) : CharacterMap::Match{};
    if (match.size > 0) {
      out.add(match.replacement);
      at += match.size;
      continue;
    }
    const Utf8Char character = decode_utf8(text, at);
    out.add(map_ && !character.valid ? std::string_view("\xEF\xBF\xBD")
                                     : text.substr(at, character.size));
    at += character.size;
  }
  return out.take();
}

}  // namespace cairn::tokenizer

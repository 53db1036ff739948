#include "runtime/store/gguf_group.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <tuple>
#include <utility>

#include "base/ascii.h"
#include "base/bytes_text.h"

namespace cairn::runtime {
namespace {

constexpr std::string_view kExtension = ".gguf";

bool is_digits(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::uint64_t to_number(std::string_view digits) {
  std::uint64_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// Whether `tag` is the name or stands at its end behind a separator.
bool ends_in(std::string_view stem, std::string_view tag) {
  const std::string name = lower_ascii(file_name(stem));
  const std::string end = lower_ascii(tag);
  if (end.empty() || name.size() < end.size() || !name.ends_with(end)) return false;
  if (name.size() == end.size()) return true;
  const char before = name[name.size() - end.size() - 1];
  return before == '-' || before == '.' || before == '_';
}

/// How closely a tag means a model: the best that any model reaches counts.
enum class Fit : std::uint8_t { kNone, kEnding, kFileName, kWholeName };

Fit fit_of(std::string_view stem, std::string_view tag) {
  const GgufName named = parse_gguf_name(tag);
  const std::string_view wanted = named.stem.empty() ? tag : std::string_view(named.stem);
  if (tag.empty() || stem == wanted) return Fit::kWholeName;
  if (file_name(stem) == wanted) return Fit::kFileName;
  return ends_in(stem, tag) ? Fit::kEnding : Fit::kNone;
}

std::string listing(std::span<const GgufGroup> groups) {
  std::string text;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    text += fmt::format("\n  :{}  {}, {} file{}, {}", tag_of(groups, i), groups[i].stem,
                        groups[i].files.size(), groups[i].files.size() == 1 ? "" : "s",
                        bytes_text(groups[i].bytes()));
  }
  return text;
}

std::vector<std::size_t> matching(std::span<const GgufGroup> groups, std::string_view tag) {
  std::vector<std::size_t> best;
  Fit best_fit = Fit::kNone;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const Fit fit = fit_of(groups[i].stem, tag);
    if (fit == Fit::kNone || fit < best_fit) continue;
    if (fit > best_fit) best.clear();
    best_fit = fit;
    best.push_back(i);
  }
  return best;
}

}  // namespace

GgufName parse_gguf_name(std::string_view path) {
  if (!lower_ascii(path).ends_with(kExtension)) return {};
  const std::string_view stem = path.substr(0, path.size() - kExtension.size());
  GgufName whole = {.stem = std::string(stem)};
  constexpr std::size_t kTail = 15;  // -00001-of-00003
  if (stem.size() <= kTail) return whole;
  const std::string_view tail = stem.substr(stem.size() - kTail);
  const std::string_view part = tail.substr(1, 5);
  const std::string_view parts = tail.substr(10);
  if (tail[0] != '-' || tail.substr(6, 4) != "-of-" || !is_digits(part) || !is_digits(parts)) {
    return whole;
  }
  GgufName split = {.stem = std::string(stem.substr(0, stem.size() - kTail)),
                    .part = to_number(part),
                    .parts = to_number(parts)};
  return split.part >= 1 && split.part <= split.parts ? split : whole;
}

std::uint64_t GgufGroup::bytes() const {
  std::uint64_t sum = 0;
  for (const NamedFile& file : files) sum += file.bytes;
  return sum;
}

std::vector<std::uint64_t> GgufGroup::missing() const {
  std::vector<std::uint64_t> numbers;
  std::size_t next = 0;
  for (std::uint64_t part = 1; part <= parts; ++part) {
    const bool here = next < files.size() && parse_gguf_name(files[next].path).part == part;
    if (here) {
      ++next;
    } else {
      numbers.push_back(part);
    }
  }
  return numbers;
}

std::vector<GgufGroup> group_gguf_files(std::span<const NamedFile> files) {
  // "a.gguf" and "a.GGUF" are two models.
  std::map<std::tuple<std::string, std::uint64_t, std::string>, GgufGroup> groups;
  for (const NamedFile& file : files) {
    GgufName name = parse_gguf_name(file.path);
    const bool projector = lower_ascii(file_name(file.path)).find("mmproj") != std::string::npos;
    if (name.stem.empty() || projector) continue;
    const std::string extension = file.path.substr(file.path.size() - kExtension.size());
    GgufGroup& group = groups[{name.stem, name.parts, extension}];
    group.parts = name.parts;
    group.stem = std::move(name.stem);
    group.files.push_back(file);
  }
  std::vector<GgufGroup> sorted;
  for (auto& [key, group] : groups) {
    std::sort(group.files.begin(), group.files.end(),
              [](const NamedFile& a, const NamedFile& b) { return a.path < b.path; });
    sorted.push_back(std::move(group));
  }
  return sorted;
}

std::string tag_of(std::span<const GgufGroup> groups, std::size_t at) {
  const std::string_view name = file_name(groups[at].stem);
  const std::size_t separator = name.find_last_of("-.");
  std::string tag(separator == std::string_view::npos ? name : name.substr(separator + 1));
  const auto means_it = [&](std::string_view text) {
    return !text.empty() && matching(groups, text) == std::vector<std::size_t>{at};
  };
  if (means_it(tag)) return tag;
  return means_it(name) ? std::string(name) : groups[at].stem;
}

Result<std::size_t> select_group(std::span<const GgufGroup> groups, std::string_view tag,
                                 std::string_view where) {
  const std::vector<std::size_t> found = matching(groups, tag);
  if (found.size() == 1) return found[0];
  if (tag.empty()) {
    return invalid_argument(
        fmt::format("{}: found {} models, expected a tag that says which one:{}", where,
                    groups.size(), listing(groups)));
  }
  if (found.empty()) {
    return not_found(
        fmt::format("{}: no model is tagged \"{}\"; there are:{}", where, tag, listing(groups)));
  }
  return invalid_argument(fmt::format("{}: {} models fit \"{}\", expected the whole name of one:{}",
                                      where, found.size(), tag, listing(groups)));
}

}  // namespace cairn::runtime

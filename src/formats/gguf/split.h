// The names of the parts of a split model: NAME-00001-of-00003.gguf, counted from one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cairn::formats {

/// A part's path taken apart.
struct SplitName {
  std::string prefix;      // with its folder, without "-00001-of-00003.gguf"
  std::uint32_t part = 0;  // from 1 to count
  std::uint32_t count = 0;
};

/// Nothing for a path that is not named like a part. For listings too: the parts of a model are one
/// entry.
std::optional<SplitName> parse_split_name(std::string_view path);

/// The path of part `part` (from 1) of the same model.
std::string split_path(const SplitName& name, std::uint32_t part);

}  // namespace cairn::formats

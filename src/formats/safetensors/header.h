// The header of a safetensors file: a length, then a JSON object of names, types, shapes and byte
// ranges. Source: the safetensors repository, README, section "Format".
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "formats/metadata.h"

namespace cairn::formats {

/// The longest header that is read; a file with a million tensors has one of about 132,000,000
/// bytes.
inline constexpr std::uint64_t kSafetensorsHeaderBytesMax = std::uint64_t{256} << 20;

/// The header's length stands in front of it in so many bytes, the lowest first.
inline constexpr std::size_t kSafetensorsLengthBytes = 8;

/// One entry as written, with nothing checked but its kinds.
struct SafetensorsEntry {
  std::string name = {};
  std::string dtype = {};                 // "BF16"
  std::vector<std::uint64_t> shape = {};  // outermost dimension first
  std::uint64_t begin = 0;                // bytes, from the end of the header
  std::uint64_t end = 0;
};

struct SafetensorsHeader {
  Metadata metadata;  // the texts of "__metadata__"
  std::vector<SafetensorsEntry> entries;
};

/// Reads the JSON text of a header. Errors: kInvalidFile for what is no JSON, for entries with
/// other members or kinds than the format has, and for a name that stands twice.
Result<SafetensorsHeader> parse_safetensors_header(std::string_view text);

/// The JSON text of the file that begins with `bytes`, of which `bytes` are all.
/// Errors: kInvalidFile when it is shorter than its header says; kTooLarge with limit and length.
Result<std::string_view> safetensors_header_text(std::span<const std::byte> bytes);

}  // namespace cairn::formats

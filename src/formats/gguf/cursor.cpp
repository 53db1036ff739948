#include "formats/gguf/cursor.h"

#include <fmt/core.h>

namespace cairn::formats {

Status Cursor::ends_inside(std::string_view what) const {
  return invalid_file(
      fmt::format("the file ends at byte {} inside {}: it is truncated", bytes_.size(), what));
}

Result<std::span<const std::byte>> Cursor::take(std::uint64_t size, std::string_view what) {
  if (size > left()) return ends_inside(what);
  const auto bytes = bytes_.subspan(offset_, size);
  offset_ += bytes.size();
  return bytes;
}

Result<std::string_view> Cursor::string(std::string_view what, std::uint64_t bytes_max) {
  CAIRN_ASSIGN(const std::uint64_t size, number<std::uint64_t>(what));
  if (size > left()) {
    return invalid_file(
        fmt::format("{} claims {} bytes; the file has {} left", what, size, left()));
  }
  if (size > bytes_max) {
    return invalid_file(
        fmt::format("{} has {} bytes; at most {} are accepted", what, size, bytes_max));
  }
  CAIRN_ASSIGN(const auto bytes, take(size, what));
  return std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

Status Cursor::check_count(std::uint64_t count, std::uint64_t bytes_each,
                           std::string_view what) const {
  if (count <= left() / bytes_each) return {};
  return invalid_file(fmt::format("{} {} need at least {} bytes each; the file has {} left", count,
                                  what, bytes_each, left()));
}

}  // namespace cairn::formats

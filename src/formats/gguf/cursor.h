// Cursor: reads a GGUF header front to back and never past its end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "base/status.h"

namespace cairn::formats {

/// Numbers are little-endian, as is every machine that cairn runs on.
class Cursor {
 public:
  explicit Cursor(std::span<const std::byte> bytes) : bytes_(bytes) {}

  std::uint64_t offset() const { return offset_; }
  std::uint64_t left() const { return bytes_.size() - offset_; }

  /// The next number. Errors: kInvalidFile naming `what` where the file ends inside it.
  template <typename T>
  Result<T> number(std::string_view what) {
    if (left() < sizeof(T)) return ends_inside(what);
    T value{};
    std::memcpy(&value, bytes_.data() + offset_, sizeof value);
    offset_ += sizeof value;
    return value;
  }

  /// The next `size` bytes. Errors: as number().
  Result<std::span<const std::byte>> take(std::uint64_t size, std::string_view what);

  /// A length and so many bytes; valid as long as the file's. Errors: as number(), and for a length
  /// over `bytes_max`.
  Result<std::string_view> string(std::string_view what, std::uint64_t bytes_max);

  /// kInvalidFile unless `count` things of at least `bytes_each` fit into what is left.
  Status check_count(std::uint64_t count, std::uint64_t bytes_each, std::string_view what) const;

 private:
  Status ends_inside(std::string_view what) const;

  std::span<const std::byte> bytes_;
  std::size_t offset_ = 0;
};

}  // namespace cairn::formats

// RawGguf: a GGUF file byte by byte, also a wrong one. For tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "formats/metadata.h"

namespace cairn::formats {

class RawGguf {
 public:
  /// Magic, version and the two counts.
  RawGguf(std::uint32_t version, std::uint64_t tensors, std::uint64_t keys) {
    raw("GGUF").number(version).number(tensors).number(keys);
  }

  template <typename T>
  RawGguf& number(T value) {
    const auto bytes = std::as_bytes(std::span(&value, 1));
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    return *this;
  }
  RawGguf& raw(std::string_view text) {
    const auto bytes = std::as_bytes(std::span(text));
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    return *this;
  }
  RawGguf& string(std::string_view text) { return number<std::uint64_t>(text.size()).raw(text); }

  /// A key and its type; the value is the caller's.
  RawGguf& key(std::string_view name, MetadataType type) {
    return string(name).number(static_cast<std::uint32_t>(type));
  }

  /// One tensor's entry.
  RawGguf& tensor(std::string_view name, const std::vector<std::uint64_t>& shape,
                  std::uint32_t type, std::uint64_t offset) {
    string(name).number(static_cast<std::uint32_t>(shape.size()));
    for (const std::uint64_t size : shape) number(size);
    return number(type).number(offset);
  }

  /// Zeros up to a multiple of `alignment`, then `count` data bytes 0, 1, 2, ...
  RawGguf& data(std::size_t count, std::size_t alignment = 32) {
    while (bytes_.size() % alignment != 0) bytes_.push_back(std::byte{0});
    for (std::size_t i = 0; i < count; ++i) bytes_.push_back(static_cast<std::byte>(i & 255));
    return *this;
  }

  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

}  // namespace cairn::formats

#include "models/packed_index.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "base/checked.h"
#include "base/number_at.h"

namespace cairn::models {
namespace {

constexpr std::string_view kMagic = "CAIRNPAK";
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kFixedBytes = 104;
constexpr std::size_t kPlaceBytes = 16;
constexpr std::size_t kHashBytes = sizeof(Sha256Digest);
constexpr std::uint64_t kMatricesMax = 1 << 20;

/// Bytes that a reader may touch behind the last block of a matrix.
constexpr std::uint64_t kTail = 64;

std::uint64_t aligned(std::uint64_t bytes) {
  return (bytes + kPackedAlignment - 1) / kPackedAlignment * kPackedAlignment;
}

std::uint64_t index_bytes(std::uint64_t matrices) {
  return kFixedBytes + kPlaceBytes * matrices + kHashBytes;
}

/// Errors: kInvalidFile when the fixed part is not one that this version reads.
Status check_fixed(std::span<const std::byte> file) {
  if (file.size() < kFixedBytes) {
    return invalid_file(fmt::format("{} bytes are too few for packed weights", file.size()));
  }
  if (std::memcmp(file.data(), kMagic.data(), kMagic.size()) != 0) {
    return invalid_file("the file does not begin as packed weights do");
  }
  const auto version = number_at<std::uint32_t>(file, 8);
  if (version != kVersion) {
    return invalid_file(
        fmt::format("its header has version {}, this program reads {}", version, kVersion));
  }
  return {};
}

Status check_places(const PackedIndex& index, std::uint64_t file_bytes) {
  std::uint64_t expected = index.contents_begin();
  for (const PackedPlace& place : index.matrices) {
    const auto end = checked_add(place.bytes, kTail);
    const auto next = end ? checked_align_up(*end, kPackedAlignment) : std::nullopt;
    const auto sum = next ? checked_add(expected, *next) : std::nullopt;
    if (place.offset != expected || !sum) return invalid_file("its matrices do not stand in order");
    expected = *sum;
  }
  if (expected == file_bytes) return {};
  return invalid_file(fmt::format("it has {} bytes, expected {}", file_bytes, expected));
}

}  // namespace

std::uint64_t PackedIndex::contents_begin() const { return aligned(index_bytes(matrices.size())); }

std::uint64_t PackedIndex::file_bytes() const {
  if (matrices.empty()) return contents_begin();
  return matrices.back().offset + aligned(matrices.back().bytes + kTail);
}

PackedIndex lay_out_packed(const PackedKey& key, std::span<const std::uint64_t> sizes) {
  PackedIndex index{.key = key};
  index.matrices.resize(sizes.size());
  std::uint64_t at = index.contents_begin();
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    index.matrices[i] = {.offset = at, .bytes = sizes[i]};
    at += aligned(sizes[i] + kTail);
  }
  return index;
}

std::vector<std::byte> print_packed_index(const PackedIndex& index) {
  std::vector<std::byte> bytes(index.contents_begin());
  std::memcpy(bytes.data(), kMagic.data(), kMagic.size());
  put_at(bytes, 8, kVersion);
  put_at(bytes, 12, index.key.layout);
  put_at(bytes, 16, index.key.file_bytes);
  put_at(bytes, 24, index.key.modified_ns);
  put_at(bytes, 32, index.key.header_hash);
  put_at(bytes, 64, index.content_hash);
  put_at(bytes, 96, static_cast<std::uint64_t>(index.matrices.size()));
  std::size_t at = kFixedBytes;
  for (const PackedPlace& place : index.matrices) {
    put_at(bytes, at, place.offset);
    put_at(bytes, at + 8, place.bytes);
    at += kPlaceBytes;
  }
  put_at(bytes, at, sha256(std::span(bytes).first(at)));
  return bytes;
}

Result<PackedIndex> parse_packed_index(std::span<const std::byte> file) {
  CAIRN_TRY(check_fixed(file));
  const auto count = number_at<std::uint64_t>(file, 96);
  if (count > kMatricesMax || index_bytes(count) > file.size()) {
    return invalid_file(fmt::format("its header names {} matrices, which {} bytes cannot hold",
                                    count, file.size()));
  }
  const std::size_t end = kFixedBytes + kPlaceBytes * count;
  if (number_at<Sha256Digest>(file, end) != sha256(file.first(end))) {
    return invalid_file("its header is damaged");
  }
  PackedIndex index;
  index.key = {.file_bytes = number_at<std::uint64_t>(file, 16),
               .modified_ns = number_at<std::int64_t>(file, 24),
               .header_hash = number_at<Sha256Digest>(file, 32),
               .layout = number_at<std::uint32_t>(file, 12)};
  index.content_hash = number_at<Sha256Digest>(file, 64);
  for (std::size_t at = kFixedBytes; at < end; at += kPlaceBytes) {
    index.matrices.push_back({.offset = number_at<std::uint64_t>(file, at),
                              .bytes = number_at<std::uint64_t>(file, at + 8)});
  }
  CAIRN_TRY(check_places(index, file.size()));
  return index;
}

}  // namespace cairn::models

// PackedIndex: the first bytes of a file of packed weights.
//
// Purpose     says which model file the weights were packed from, in which layout, and where each
//             matrix stands.
// Invariants  what parse() accepts lies inside the file, in order, without overlaps, each matrix at
//             a multiple of kPackedAlignment. Numbers are little endian:
//               0    "CAIRNPAK"
//               8    u32 version of this header, u32 layout of the matrices
//               16   u64 bytes and i64 time of the model file
//               32   SHA-256 of its header, then of everything behind this index
//               96   u64 matrices, then u64 offset and u64 bytes of each
//               end  SHA-256 of all of the above
// Threads     values.
// Adding      a field: a new version number; files of another version are not read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/sha256.h"
#include "base/status.h"

namespace cairn::models {

inline constexpr std::size_t kPackedAlignment = 4096;

/// What packed weights were made from. They serve another model file only where all is equal.
struct PackedKey {
  std::uint64_t file_bytes = 0;
  std::int64_t modified_ns = 0;
  Sha256Digest header_hash = {};
  std::uint32_t layout = 0;

  bool operator==(const PackedKey&) const = default;
};

struct PackedPlace {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

struct PackedIndex {
  PackedKey key = {};
  Sha256Digest content_hash = {};  // of everything from contents_begin() on
  std::vector<PackedPlace> matrices = {};

  /// Where the first matrix may stand.
  std::uint64_t contents_begin() const;
  /// Bytes of the whole file.
  std::uint64_t file_bytes() const;
};

/// The index of matrices of these sizes, one after the other; its content hash is still zero.
PackedIndex lay_out_packed(const PackedKey& key, std::span<const std::uint64_t> sizes);

/// The first contents_begin() bytes of the file.
std::vector<std::byte> print_packed_index(const PackedIndex& index);

/// Reads the index of a whole file. Errors: kInvalidFile saying what is wrong: no such file,
/// another version, damaged, cut short.
Result<PackedIndex> parse_packed_index(std::span<const std::byte> file);

}  // namespace cairn::models

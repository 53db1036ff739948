// PageFile: one full page of keys and values as it lies on disk.
//
// Purpose     a page outlives the process that computed it.
// Invariants  a page is used only where everything that it depends on is the same: the model file,
//             the layout of pages, cache type and class (identity), everything before it (hash),
//             and its own ids. Numbers are little endian:
//               0    "CAIRNKVP"
//               8    u32 version of this layout, u32 cache group
//               16   u64 bytes of the contents
//               24   SHA-256 of the identity, then of the page, then of what stands before it
//               120  32 ids, i32 each
//               248  the contents
//               end  SHA-256 of all of the above
// Threads     values.
// Adding      a field: a new version number; files of another version are not read.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/sha256.h"
#include "base/status.h"
#include "base/token.h"
#include "kernels/ops.h"

namespace cairn::engine {

/// Which page of which prompts: those of the hashes' chain.
struct PageKey {
  Sha256Digest hash = {};
  Sha256Digest parent = {};
  std::array<TokenId, kernels::kPagePositions> ids = {};
  std::size_t group = 0;

  bool operator==(const PageKey&) const = default;
};

struct PageContents {
  PageKey key = {};
  std::vector<std::byte> bytes = {};
};

/// The name of the file of a page: pages of other identities have other names.
std::string page_file_name(const Sha256Digest& identity, const PageKey& key);

/// The whole file.
std::vector<std::byte> print_page(const Sha256Digest& identity, const PageContents& page);

/// Bytes of a file with contents of `bytes`.
std::size_t page_file_bytes(std::size_t bytes);

/// The contents of `file`, which is the page of `key` and has `bytes` of them; valid as long as
/// `file`. Errors: kInvalidFile saying what is wrong: no such file, another version, cut short,
/// damaged, of another model or other settings, another page.
Result<std::span<const std::byte>> parse_page(std::span<const std::byte> file,
                                              const Sha256Digest& identity, const PageKey& key,
                                              std::size_t bytes);

}  // namespace cairn::engine

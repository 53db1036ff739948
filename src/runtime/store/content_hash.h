// The hash that a hub states for a file: SHA-256 for large ones, git's own for those kept in git.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

struct evp_md_ctx_st;

namespace cairn::runtime {

enum class HashKind : std::uint8_t {
  kSha256,   // of the bytes: Git LFS
  kGitBlob,  // SHA-1 of "blob SIZE", a zero byte and the bytes: a git object's name
};

/// A hash as the hub states it, in lower-case digits.
struct StatedHash {
  HashKind kind = HashKind::kSha256;
  std::string hex = {};
};

/// "SHA-256" or "git hash".
std::string_view name_of(HashKind kind);

/// Computes such a hash of a file that comes in pieces.
class ContentHash {
 public:
  /// `bytes` is the size of the whole file, which git's hash begins with.
  ContentHash(HashKind kind, std::uint64_t bytes);

  void update(std::string_view bytes);
  /// Once, after the last update.
  std::string hex();

 private:
  struct Free {
    void operator()(evp_md_ctx_st* context) const;
  };
  std::unique_ptr<evp_md_ctx_st, Free> context_;
};

}  // namespace cairn::runtime

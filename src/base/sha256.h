// SHA-256 (FIPS 180-4), by OpenSSL.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

struct evp_md_ctx_st;

namespace cairn {

using Sha256Digest = std::array<std::byte, 32>;

/// Hashes bytes that come in pieces.
class Sha256 {
 public:
  Sha256();

  void update(std::span<const std::byte> bytes);

  /// The hash of everything so far; updates may go on afterwards.
  Sha256Digest digest() const;
  /// The same as 64 lower-case digits.
  std::string hex() const;

 private:
  struct Free {
    void operator()(evp_md_ctx_st* context) const;
  };
  std::unique_ptr<evp_md_ctx_st, Free> context_;
};

/// The hash of `bytes`.
Sha256Digest sha256(std::span<const std::byte> bytes);
/// The hash of the bytes of `text`.
Sha256Digest sha256(std::string_view text);
/// The hash of `bytes` as 64 lower-case digits.
std::string sha256_hex(std::span<const std::byte> bytes);
/// The hash of the bytes of `text` as 64 lower-case digits.
std::string sha256_hex(std::string_view text);

}  // namespace cairn

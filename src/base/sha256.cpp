#include "base/sha256.h"

#include <openssl/evp.h>

#include "base/status.h"

namespace cairn {

// OpenSSL refuses these calls only when it is installed without SHA-256 or memory has run out.
Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
  CAIRN_CHECK(context_ != nullptr && EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1);
}

void Sha256::Free::operator()(evp_md_ctx_st* context) const { EVP_MD_CTX_free(context); }

void Sha256::update(std::span<const std::byte> bytes) {
  CAIRN_CHECK(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1);
}

Sha256Digest Sha256::digest() const {
  const std::unique_ptr<evp_md_ctx_st, Free> copy(EVP_MD_CTX_new());
  Sha256Digest digest = {};
  CAIRN_CHECK(copy != nullptr && EVP_MD_CTX_copy_ex(copy.get(), context_.get()) == 1);
  CAIRN_CHECK(EVP_DigestFinal_ex(copy.get(), reinterpret_cast<unsigned char*>(digest.data()),
                                 nullptr) == 1);
  return digest;
}

std::string Sha256::hex() const {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const std::byte value : digest()) {
    text += kDigits[std::to_integer<std::size_t>(value >> 4)];
    text += kDigits[std::to_integer<std::size_t>(value & std::byte{15})];
  }
  return text;
}

Sha256Digest sha256(std::span<const std::byte> bytes) {
  Sha256 hash;
  hash.update(bytes);
  return hash.digest();
}

Sha256Digest sha256(std::string_view text) {
  return sha256(std::as_bytes(std::span(text.data(), text.size())));
}

std::string sha256_hex(std::span<const std::byte> bytes) {
  Sha256 hash;
  hash.update(bytes);
  return hash.hex();
}

std::string sha256_hex(std::string_view text) {
  return sha256_hex(std::as_bytes(std::span(text.data(), text.size())));
}

}  // namespace cairn

#include "runtime/store/content_hash.h"

#include <fmt/core.h>
#include <openssl/evp.h>

#include <array>

#include "base/status.h"

namespace cairn::runtime {

std::string_view name_of(HashKind kind) {
  return kind == HashKind::kSha256 ? "SHA-256" : "git hash";
}

void ContentHash::Free::operator()(evp_md_ctx_st* context) const { EVP_MD_CTX_free(context); }

// OpenSSL refuses these calls only when it lacks the hash or memory has run out.
ContentHash::ContentHash(HashKind kind, std::uint64_t bytes) : context_(EVP_MD_CTX_new()) {
  const EVP_MD* method = kind == HashKind::kSha256 ? EVP_sha256() : EVP_sha1();
  CAIRN_CHECK(context_ != nullptr && EVP_DigestInit_ex(context_.get(), method, nullptr) == 1);
  if (kind == HashKind::kGitBlob) {
    std::string head = fmt::format("blob {}", bytes);
    head += '\0';
    update(head);
  }
}

void ContentHash::update(std::string_view bytes) {
  CAIRN_CHECK(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1);
}

std::string ContentHash::hex() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest = {};
  unsigned size = 0;
  CAIRN_CHECK(EVP_DigestFinal_ex(context_.get(), digest.data(), &size) == 1);
  std::string text;
  for (unsigned i = 0; i < size; ++i) text += fmt::format("{:02x}", digest[i]);
  return text;
}

}  // namespace cairn::runtime

#include "server/http/keys.h"

#include <openssl/crypto.h>

#include <algorithm>
#include <span>

#include "base/ascii.h"

namespace cairn::server {
namespace {

constexpr std::size_t kKeyBytesMin = 8;
constexpr std::size_t kKeyBytesMax = 1024;

bool is_printable(char c) { return c > ' ' && c <= '~'; }

Result<std::vector<Sha256Digest>> parse_keys(std::string_view text, std::string_view what) {
  std::vector<Sha256Digest> keys;
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view key = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (key.empty() || key.starts_with('#')) continue;
    if (key.size() < kKeyBytesMin || key.size() > kKeyBytesMax ||
        !std::ranges::all_of(key, is_printable)) {
      return invalid_argument(std::string(what) + ": line " + std::to_string(line) + " has " +
                              std::to_string(key.size()) +
                              " bytes; a key has 8 to 1024 printable ASCII characters, no blanks");
    }
    keys.push_back(sha256(key));
  }
  return keys;
}

/// Looks at every key and every byte.
bool contains(const std::vector<Sha256Digest>& keys, const Sha256Digest& digest) {
  int found = 0;
  for (const Sha256Digest& key : keys) {
    found |= static_cast<int>(CRYPTO_memcmp(key.data(), digest.data(), digest.size()) == 0);
  }
  return found != 0;
}

}  // namespace

Result<ApiKeys> ApiKeys::parse(std::string_view keys, std::string_view admin_keys) {
  ApiKeys result;
  CAIRN_ASSIGN(result.keys_, parse_keys(keys, "API keys"));
  CAIRN_ASSIGN(result.admin_keys_, parse_keys(admin_keys, "admin keys"));
  if (result.keys_.empty()) {
    return invalid_argument("API keys: the file holds none; one key stands on a line");
  }
  return result;
}

Access ApiKeys::access_of(std::string_view key) const {
  const Sha256Digest digest = sha256(key);
  const bool is_key = contains(keys_, digest);
  const bool is_admin = contains(admin_keys_, digest);
  if (is_admin || (is_key && admin_keys_.empty())) return Access::kAdmin;
  return is_key ? Access::kKey : Access::kOpen;
}

std::string cache_scope_of(std::string_view key) {
  return sha256_hex("pages of " + std::string(key));
}

std::string_view key_of(const Request& request) {
  const std::string_view authorization = request.header("authorization").value_or("");
  constexpr std::string_view kScheme = "bearer ";
  if (lower_ascii(authorization.substr(0, kScheme.size())) == kScheme) {
    return trimmed(authorization.substr(kScheme.size()));
  }
  return trimmed(request.header("x-api-key").value_or(""));
}

}  // namespace cairn::server

// API keys: who may ask, told apart in constant time.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/sha256.h"
#include "base/status.h"
#include "server/http/message.h"

namespace cairn::server {

/// The keys of a server. Only their hashes are kept.
class ApiKeys {
 public:
  ApiKeys() = default;

  /// One key per line of each text; blanks around a key, empty lines and lines that start with "#"
  /// do not count. Errors: kInvalidArgument with the line (never the key) for a key of fewer than
  /// 8 or more than 1,024 bytes or with a byte that is no printable ASCII, and for `keys` that
  /// hold none.
  static Result<ApiKeys> parse(std::string_view keys, std::string_view admin_keys);

  /// Whether requests need a key at all.
  bool required() const { return !keys_.empty(); }
  /// Whether the routes of the administrator have a key of their own.
  bool has_admin() const { return !admin_keys_.empty(); }

  /// What the key opens. The time it takes tells nothing about how much of a key is right, nor
  /// which one it is. An admin key opens everything; without any admin key, every key does.
  Access access_of(std::string_view key) const;

 private:
  std::vector<Sha256Digest> keys_;
  std::vector<Sha256Digest> admin_keys_;
};

/// What stands for the key where pages of the cache are told apart; it does not tell the key.
std::string cache_scope_of(std::string_view key);

/// The key that a request carries: "Authorization: Bearer KEY", else "X-Api-Key: KEY"; empty
/// without one.
std::string_view key_of(const Request& request);

}  // namespace cairn::server

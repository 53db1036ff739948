// Which web pages may use the server, and which names it answers to.
// Source: WHATWG Fetch, 3.2 "CORS protocol".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "server/http/message.h"

namespace cairn::server {

/// Whether a page that needs no key could do harm decides what "auto" means.
enum class KeysAsked : std::uint8_t { kNo, kYes };

/// The rule for origins. Cookies and other credentials of the browser are never allowed, so a page
/// can act only with a key that it knows itself.
class CorsPolicy {
 public:
  CorsPolicy() = default;

  /// `origins` as in the setting cors-origins. Errors: kInvalidArgument for an entry that is no
  /// origin ("https://example.org", "http://localhost:3000").
  static Result<CorsPolicy> parse(std::string_view origins, KeysAsked keys);

  /// Whether a page of `origin` may read answers. A page that this server sent may: its origin is
  /// the request's own `host`.
  bool allows(std::string_view origin, std::string_view host) const;

  /// The headers for a response to `request`; none without an Origin or for one not allowed.
  std::vector<Header> headers_for(const Request& request) const;

 private:
  enum class Rule : std::uint8_t { kList, kAll, kThisMachine };

  Rule rule_ = Rule::kThisMachine;
  std::vector<std::string> origins_;
};

/// Whether a request is a preflight: OPTIONS with Origin and Access-Control-Request-Method.
bool is_preflight(const Request& request);

/// Whether a Host header or the host of an origin ("localhost:8080", "127.0.0.1", "[::1]:80")
/// means this machine.
bool is_loopback_host(std::string_view host);

}  // namespace cairn::server

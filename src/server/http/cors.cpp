#include "server/http/cors.h"

#include <algorithm>
#include <optional>

#include "base/ascii.h"

namespace cairn::server {
namespace {

/// "localhost:3000" of "http://localhost:3000"; nothing for what is no origin.
std::optional<std::string_view> host_of_origin(std::string_view origin) {
  const std::size_t scheme = origin.find("://");
  if (scheme == std::string_view::npos || scheme == 0) return std::nullopt;
  const std::string_view host = origin.substr(scheme + 3);
  if (host.empty() || host.find_first_of("/?#@ \\") != std::string_view::npos) return std::nullopt;
  return host;
}

bool is_ipv4_loopback(std::string_view host) {
  return host.starts_with("127.") && std::ranges::count(host, '.') == 3 &&
         host.find_first_not_of("0123456789.") == std::string_view::npos;
}

}  // namespace

bool is_loopback_host(std::string_view host) {
  const std::size_t port = host.starts_with('[') ? host.find(']') + 1 : host.rfind(':');
  const std::string name = lower_ascii(host.substr(0, std::min(port, host.size())));
  return name == "localhost" || name.ends_with(".localhost") || name == "[::1]" ||
         is_ipv4_loopback(name);
}

Result<CorsPolicy> CorsPolicy::parse(std::string_view origins, KeysAsked keys) {
  CorsPolicy policy;
  if (origins == "auto") {
    policy.rule_ = keys == KeysAsked::kYes ? Rule::kAll : Rule::kThisMachine;
    return policy;
  }
  policy.rule_ = origins == "*" ? Rule::kAll : Rule::kList;
  if (origins == "*" || origins == "none") return policy;
  while (!origins.empty()) {
    const std::size_t end = std::min(origins.find(','), origins.size());
    const std::string_view origin = trimmed(origins.substr(0, end));
    origins.remove_prefix(std::min(end + 1, origins.size()));
    if (!host_of_origin(origin).has_value()) {
      return invalid_argument("cors-origins: '" + std::string(origin) +
                              "' is no origin; one looks like https://example.org");
    }
    policy.origins_.push_back(lower_ascii(origin));
  }
  return policy;
}

bool CorsPolicy::allows(std::string_view origin, std::string_view host) const {
  const std::optional<std::string_view> origin_host = host_of_origin(origin);
  if (rule_ == Rule::kAll) return true;
  if (!origin_host.has_value()) return false;
  if (lower_ascii(*origin_host) == lower_ascii(host)) return true;
  if (rule_ == Rule::kThisMachine) return is_loopback_host(*origin_host);
  return std::ranges::find(origins_, lower_ascii(origin)) != origins_.end();
}

std::vector<Header> CorsPolicy::headers_for(const Request& request) const {
  const std::optional<std::string_view> origin = request.header("origin");
  if (!origin.has_value()) return {};
  std::vector<Header> headers = {{.name = "Vary", .value = "Origin"}};
  if (!allows(*origin, request.header("host").value_or(""))) return headers;
  headers.push_back({.name = "Access-Control-Allow-Origin",
                     .value = rule_ == Rule::kAll ? "*" : std::string(*origin)});
  headers.push_back({.name = "Access-Control-Expose-Headers",
                     .value = "X-Request-Id, Retry-After, Content-Type"});
  if (!is_preflight(request)) return headers;
  headers.push_back(
      {.name = "Access-Control-Allow-Methods", .value = "GET, POST, PUT, PATCH, DELETE, OPTIONS"});
  headers.push_back({.name = "Access-Control-Allow-Headers",
                     .value = std::string(request.header("access-control-request-headers")
                                              .value_or("authorization, content-type"))});
  headers.push_back({.name = "Access-Control-Max-Age", .value = "600"});
  return headers;
}

bool is_preflight(const Request& request) {
  return request.method == Method::kOptions && request.header("origin").has_value() &&
         request.header("access-control-request-method").has_value();
}

}  // namespace cairn::server

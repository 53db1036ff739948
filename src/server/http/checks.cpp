#include "server/http/checks.h"

#include "base/ascii.h"

namespace cairn::server {
namespace {

Response refuse(Flavour flavour, Cause cause, std::string message) {
  return error_response(flavour,
                        {.cause = cause, .message = std::move(message), .param = {}, .code = {}});
}

/// A page of another site can make a browser send requests here: by a name of its own that leads
/// to this machine, or with its Origin. Neither is answered where no key protects.
std::optional<Response> check_page(const CheckContext& context, const Request& request,
                                   Flavour flavour) {
  if (context.keys.required()) return std::nullopt;
  std::string_view named = request.authority;
  if (named.empty()) named = "localhost";
  const std::string_view host = request.header("host").value_or(named);
  if (context.answers_to_loopback_names_only && !is_loopback_host(host)) {
    return refuse(flavour, Cause::kForbidden,
                  "Host: '" + std::string(host) +
                      "' is not this machine; without API keys only its own names are answered");
  }
  const std::optional<std::string_view> origin = request.header("origin");
  const bool changes = request.method != Method::kGet && request.method != Method::kHead &&
                       request.method != Method::kOptions;
  if (changes && origin.has_value() && !context.cors.allows(*origin, host)) {
    return refuse(flavour, Cause::kForbidden,
                  "Origin: pages of '" + std::string(*origin) +
                      "' may not use this server; the setting cors-origins names those that may");
  }
  return std::nullopt;
}

Response options_response(const std::string& allow) {
  Response response{.status = 204, .content_type = {}, .headers = {}, .body = {}};
  if (!allow.empty()) response.headers.push_back({.name = "Allow", .value = allow});
  return response;
}

std::optional<Response> check_key(const CheckContext& context, Request& request,
                                  const Route& route) {
  if (!context.keys.required()) {
    request.access = Access::kAdmin;
    return std::nullopt;
  }
  const std::string_view key = key_of(request);
  request.access = context.keys.access_of(key);
  if (request.access != Access::kOpen) request.cache_scope = cache_scope_of(key);
  if (request.access >= route.access) return std::nullopt;
  if (request.access == Access::kKey) {
    return refuse(route.flavour, Cause::kForbidden, request.path + " needs the admin key");
  }
  Response response =
      refuse(route.flavour, Cause::kNoKey,
             key.empty() ? "no API key was sent; send Authorization: Bearer KEY or X-Api-Key: KEY"
                         : "the API key that was sent is none of this server's");
  response.headers.push_back({.name = "WWW-Authenticate", .value = "Bearer"});
  return response;
}

bool is_json(std::string_view content_type) {
  const std::string type = lower_ascii(trimmed(content_type.substr(0, content_type.find(';'))));
  return type == "application/json" || type.ends_with("+json");
}

std::optional<Response> check_media(const Request& request, const Route& route) {
  const std::string encoding =
      lower_ascii(trimmed(request.header("content-encoding").value_or("identity")));
  if (encoding != "identity") {
    return refuse(route.flavour, Cause::kWrongMediaType,
                  "Content-Encoding: '" + encoding + "'; bodies are accepted as they are");
  }
  if (route.body != BodyType::kJson) return std::nullopt;
  const std::string_view type = request.header("content-type").value_or("");
  if (is_json(type)) return std::nullopt;
  return refuse(route.flavour, Cause::kWrongMediaType,
                "Content-Type: '" + std::string(type) + "'; application/json is expected");
}

}  // namespace

Checked check_request(const CheckContext& context, Request& request) {
  Checked checked;
  checked.match = context.router.match(request.method, request.path);
  const Route* const route = checked.match.route;
  const Flavour flavour = checked.match.flavour;
  checked.response = check_page(context, request, flavour);
  if (checked.response.has_value()) return checked;
  const bool has_path = route != nullptr || !checked.match.allow.empty();
  if (is_preflight(request) ||
      (request.method == Method::kOptions && route == nullptr && has_path)) {
    checked.response = options_response(checked.match.allow);
  } else if (context.draining) {
    checked.response = refuse(flavour, Cause::kDraining, "the server is stopping");
  } else if (!has_path) {
    checked.response = refuse(flavour, Cause::kNotFound, "there is no path " + request.path);
  } else if (route == nullptr) {
    checked.response = refuse(flavour, Cause::kWrongMethod,
                              request.path + " answers " + checked.match.allow + " only");
    checked.response->headers.push_back({.name = "Allow", .value = checked.match.allow});
  } else {
    checked.response = check_key(context, request, *route);
    if (!checked.response.has_value() && context.loading) {
      checked.response = refuse(flavour, Cause::kLoading, "the model is being loaded");
    }
    if (!checked.response.has_value()) checked.response = check_media(request, *route);
  }
  return checked;
}

}  // namespace cairn::server

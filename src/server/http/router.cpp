#include "server/http/router.h"

#include <optional>

namespace cairn::server {
namespace {

std::string_view take_part(std::string_view& path) {
  const std::size_t end = std::min(path.find('/'), path.size());
  const std::string_view part = path.substr(0, end);
  path.remove_prefix(std::min(end + 1, path.size()));
  return part;
}

std::optional<std::vector<std::string>> match_path(std::string_view pattern,
                                                   std::string_view path) {
  std::vector<std::string> values;
  if (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  while (!pattern.empty() && !path.empty()) {
    const std::string_view expected = take_part(pattern);
    const std::string_view found = take_part(path);
    if (expected == "{}" && !found.empty()) {
      values.emplace_back(found);
    } else if (expected != found) {
      return std::nullopt;
    }
  }
  if (pattern.empty() != path.empty()) return std::nullopt;
  return values;
}

void add_method(std::string& list, std::string_view method) {
  if (list.find(method) != std::string::npos) return;
  if (!list.empty()) list += ", ";
  list += method;
}

}  // namespace

Response internal_fault(Flavour flavour, const std::exception& error) {
  return error_response(flavour, {.cause = Cause::kInternal,
                                  .message = std::string("internal fault: ") + error.what(),
                                  .param = {},
                                  .code = {}});
}

Reply call_handler(const Route& route, Exchange& exchange) {
  try {
    return route.handler(exchange);
  } catch (const std::exception& error) {
    return internal_fault(route.flavour, error);
  }
}

RouteMatch Router::match(Method method, std::string_view path) const {
  const Method wanted = method == Method::kHead ? Method::kGet : method;
  RouteMatch match;
  for (const Route& route : routes_) {
    std::optional<std::vector<std::string>> values = match_path(route.path, path);
    if (!values.has_value()) continue;
    match.flavour = route.flavour;
    if (route.method == wanted) {
      match.route = &route;
      match.path_values = std::move(*values);
      return match;
    }
    add_method(match.allow, name_of(route.method));
    if (route.method == Method::kGet) add_method(match.allow, "HEAD");
  }
  if (!match.allow.empty()) add_method(match.allow, "OPTIONS");
  return match;
}

}  // namespace cairn::server

// The page to chat in: GET / and its parts. Everything comes from the program; the policy lets a
// browser load nothing from elsewhere and run nothing that stands in the page itself.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "server/api/handling.h"
#include "server/http/errors.h"
#include "server/page/assets.h"

namespace cairn::server {
namespace {

constexpr std::string_view kIndex = "index.html";

/// Source: Content Security Policy Level 3, 6.
constexpr std::string_view kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

constexpr auto kTypes = std::to_array<std::pair<std::string_view, std::string_view>>(
    {{".html", "text/html; charset=utf-8"},
     {".css", "text/css; charset=utf-8"},
     {".js", "text/javascript; charset=utf-8"},
     {".svg", "image/svg+xml"}});

std::string type_of(std::string_view name) {
  const auto row =
      std::ranges::find_if(kTypes, [name](const auto& type) { return name.ends_with(type.first); });
  return std::string(row != kTypes.end() ? row->second : "text/plain; charset=utf-8");
}

/// The asset, or 304 where the browser has it.
Response respond(const Asset& asset, const Request& request) {
  const std::string tag = fmt::format("\"{}\"", asset.hash.substr(0, 32));
  Response response;
  response.headers = {{"Content-Security-Policy", std::string(kPolicy)},
                      {"X-Content-Type-Options", "nosniff"},
                      {"Referrer-Policy", "no-referrer"},
                      {"Cache-Control", "no-cache"},
                      {"ETag", tag}};
  const auto known = request.header("If-None-Match");
  if (known && known->find(tag) != std::string_view::npos) {
    response.status = 304;
    response.content_type.clear();
    return response;
  }
  response.content_type = type_of(asset.name);
  response.body = asset.text;
  return response;
}

Reply reply_with(std::string_view name, Exchange& exchange) {
  const auto all = assets();
  const auto asset =
      std::ranges::find_if(all, [name](const Asset& each) { return each.name == name; });
  if (asset != all.end()) return respond(*asset, exchange.request);
  return error_response(
      Flavour::kOpenAi,
      {.cause = Cause::kNotFound, .message = fmt::format("the page has no part \"{}\"", name)});
}

}  // namespace

Reply get_page(const Api& /*api*/, Exchange& exchange) { return reply_with(kIndex, exchange); }

Reply get_page_part(const Api& /*api*/, Exchange& exchange) {
  return reply_with(exchange.path_values.at(0), exchange);
}

}  // namespace cairn::server

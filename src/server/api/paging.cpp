#include "server/api/paging.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "server/api/handling.h"
#include "server/http/errors.h"

namespace cairn::server {
namespace {

/// The parameter `limit`; nothing for one that is no number within bounds.
std::optional<std::size_t> page_limit(const Request& request, const PageLimits& limits) {
  const std::string text = request.parameter("limit").value_or(std::to_string(limits.shown));
  std::size_t limit = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, limit);
  const bool good = error == std::errc() && end == last && limit >= 1 && limit <= limits.most;
  return good ? std::optional(limit) : std::nullopt;
}

Response refuse_page(std::string param, const std::string& expected) {
  return error_response(Flavour::kOpenAi,
                        {.cause = Cause::kBadRequest,
                         .message = fmt::format("{}: {} is expected", param, expected),
                         .param = std::move(param)});
}

}  // namespace

Response page_response(Json items, const Request& request, const PageLimits& limits) {
  const std::optional<std::size_t> limit = page_limit(request, limits);
  if (!limit) return refuse_page("limit", fmt::format("a whole number from 1 to {}", limits.most));
  const std::string order = request.parameter("order").value_or("desc");
  if (order != "asc" && order != "desc") return refuse_page("order", "asc or desc");
  if (order == "desc") std::reverse(items.begin(), items.end());
  std::size_t first = 0;
  if (const auto after = request.parameter("after")) {
    while (first < items.size() && items[first].value("id", "") != *after) ++first;
    first = std::min(first + 1, items.size());
  }
  Json data = Json::array();
  for (std::size_t i = first; i < items.size() && data.size() < *limit; ++i) {
    data.push_back(std::move(items[i]));
  }
  const bool more = first + data.size() < items.size();
  const Json first_id = data.empty() ? Json() : data.front()["id"];
  const Json last_id = data.empty() ? Json() : data.back()["id"];
  return json_response({{"object", "list"},
                        {"data", std::move(data)},
                        {"first_id", first_id},
                        {"last_id", last_id},
                        {"has_more", more}});
}

}  // namespace cairn::server

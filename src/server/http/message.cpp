#include "server/http/message.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.h"

namespace cairn::server {
namespace {

constexpr std::array<std::string_view, 8> kMethods = {"GET",   "HEAD",   "POST",    "PUT",
                                                      "PATCH", "DELETE", "OPTIONS", ""};

constexpr std::array<std::pair<int, std::string_view>, 27> kReasons = {{
    {100, "Continue"},
    {200, "OK"},
    {201, "Created"},
    {202, "Accepted"},
    {204, "No Content"},
    {304, "Not Modified"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {408, "Request Timeout"},
    {409, "Conflict"},
    {411, "Length Required"},
    {413, "Content Too Large"},
    {414, "URI Too Long"},
    {415, "Unsupported Media Type"},
    {417, "Expectation Failed"},
    {422, "Unprocessable Content"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {499, "Client Closed Request"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {503, "Service Unavailable"},
    {504, "Gateway Timeout"},
    {505, "HTTP Version Not Supported"},
}};

/// Calls `each` with every element of a list with `separator` between, blanks around it trimmed.
template <typename Each>
void for_each_of_list(std::string_view list, char separator, const Each& each) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(separator), list.size());
    each(trimmed(list.substr(0, end)));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
}

}  // namespace

std::string_view name_of(Method method) { return kMethods[static_cast<std::size_t>(method)]; }

Method method_of(std::string_view text) {
  const auto* const found = std::ranges::find(kMethods, text);
  if (text.empty() || found == kMethods.end()) return Method::kOther;
  return static_cast<Method>(found - kMethods.begin());
}

std::optional<std::string_view> Request::header(std::string_view name) const {
  const std::string lower = lower_ascii(name);
  for (const Header& each : headers) {
    if (lower_ascii(each.name) == lower) return each.value;
  }
  return std::nullopt;
}

std::optional<std::string> Request::parameter(std::string_view name) const {
  std::optional<std::string> value;
  for_each_of_list(query, '&', [&](std::string_view pair) {
    const std::size_t equals = std::min(pair.find('='), pair.size());
    if (value.has_value() || percent_decoded(pair.substr(0, equals)) != name) return;
    std::string text(pair.substr(std::min(equals + 1, pair.size())));
    std::ranges::replace(text, '+', ' ');
    value = percent_decoded(text);
  });
  return value;
}

std::string_view reason_of(int status) {
  const auto* const found =
      std::ranges::find(kReasons, status, &std::pair<int, std::string_view>::first);
  return found == kReasons.end() ? "Status" : found->second;
}

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '%') {
      out += text[at];
      continue;
    }
    const int high = at + 1 < text.size() ? hex_digit(text[at + 1]) : -1;
    const int low = at + 2 < text.size() ? hex_digit(text[at + 2]) : -1;
    if (high < 0 || low < 0 || (high == 0 && low == 0)) return std::nullopt;
    out += static_cast<char>(high * 16 + low);
    at += 2;
  }
  return out;
}

bool read_target(Request& request) {
  std::string_view target = request.target;
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!target.starts_with(scheme)) continue;
    const std::size_t slash = target.find_first_of("/?#", scheme.size());
    request.authority = target.substr(scheme.size(), slash - scheme.size());
    target = slash == std::string_view::npos ? "/" : target.substr(slash);
    break;
  }
  if (target != "*" && !target.starts_with('/')) return false;
  target = target.substr(0, target.find('#'));
  const std::size_t mark = std::min(target.find('?'), target.size());
  request.query = target.substr(std::min(mark + 1, target.size()));
  const std::optional<std::string> path = percent_decoded(target.substr(0, mark));
  if (!path.has_value()) return false;
  request.path = *path;
  return true;
}

bool list_accepts(std::string_view list, std::string_view token) {
  bool accepts = false;
  for_each_of_list(list, ',', [&](std::string_view element) {
    const std::size_t end = std::min(element.find(';'), element.size());
    if (lower_ascii(trimmed(element.substr(0, end))) != token) return;
    const std::size_t weight = element.find("q=", end);
    accepts = weight == std::string_view::npos ||
              element.find_first_of("123456789", weight) != std::string_view::npos;
  });
  return accepts;
}

}  // namespace cairn::server

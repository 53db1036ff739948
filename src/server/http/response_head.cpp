#include "server/http/response_head.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace cairn::server {
namespace {

void append_header(std::string& out, std::string_view name, std::string_view value) {
  out.append(name).append(": ");
  std::ranges::transform(value, std::back_inserter(out),
                         [](char c) { return c == '\r' || c == '\n' || c == '\0' ? ' ' : c; });
  out += "\r\n";
}

}  // namespace

std::string response_head(const Response& response, const HeadOptions& options) {
  std::string out = fmt::format("HTTP/1.1 {} {}\r\n", response.status, reason_of(response.status));
  if (!response.content_type.empty()) {
    append_header(out, "Content-Type", response.content_type);
  }
  for (const Header& header : response.headers) append_header(out, header.name, header.value);
  for (const Header& header : options.more) append_header(out, header.name, header.value);
  // A 204 has no body and no length (RFC 9110, 8.6).
  if (options.chunked) {
    append_header(out, "Transfer-Encoding", "chunked");
  } else if (options.content_bytes.has_value() && response.status != 204) {
    append_header(out, "Content-Length", std::to_string(*options.content_bytes));
  }
  append_header(out, "Connection", options.keep_alive == KeepAlive::kYes ? "keep-alive" : "close");
  out += "\r\n";
  return out;
}

}  // namespace cairn::server

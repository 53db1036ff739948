// The head of a response, as bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "server/http/message.h"

namespace cairn::server {

enum class KeepAlive : std::uint8_t { kNo, kYes };

/// What the head says besides the response's own headers.
struct HeadOptions {
  KeepAlive keep_alive = KeepAlive::kYes;
  std::optional<std::uint64_t> content_bytes =
      0;  // nothing: the body comes in chunks, or to the end
  bool chunked = false;
  std::span<const Header> more = {};
};

/// Status line, headers and the empty line. A line end inside a header's value, which would begin
/// another header, is written as a blank.
std::string response_head(const Response& response, const HeadOptions& options);

}  // namespace cairn::server

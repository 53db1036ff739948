// Server-sent events. Source: WHATWG HTML, 9.2 "Server-sent events".
#pragma once

#include <string>
#include <string_view>

namespace cairn::server {

struct SseEvent {
  std::string_view data = {};
  std::string_view name = {};  // empty: no event line
  std::string_view id = {};    // empty: no id line; has no line end and no NUL
};

/// Adds the event and its one blank line to `out`; data of several lines becomes several data
/// lines.
void append_event(std::string& out, const SseEvent& event);

/// Adds `bytes` as one chunk of a chunked body (RFC 9112, 7.1); nothing for no bytes, since an
/// empty chunk would end the body.
void append_chunk(std::string& out, std::string_view bytes);

constexpr std::string_view kLastChunk = "0\r\n\r\n";

}  // namespace cairn::server

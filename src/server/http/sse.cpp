#include "server/http/sse.h"

#include <fmt/format.h>

#include <iterator>

namespace cairn::server {

void append_event(std::string& out, const SseEvent& event) {
  if (!event.id.empty()) out.append("id: ").append(event.id).append("\n");
  if (!event.name.empty()) out.append("event: ").append(event.name).append("\n");
  std::string_view rest = event.data;
  while (true) {
    const std::size_t end = rest.find_first_of("\r\n");
    out.append("data: ").append(rest.substr(0, end)).append("\n");
    if (end == std::string_view::npos) break;
    rest.remove_prefix(rest.substr(end).starts_with("\r\n") ? end + 2 : end + 1);
  }
  out += '\n';
}

void append_chunk(std::string& out, std::string_view bytes) {
  if (bytes.empty()) return;
  fmt::format_to(std::back_inserter(out), "{:x}\r\n", bytes.size());
  out.append(bytes).append("\r\n");
}

}  // namespace cairn::server

// room: server
// Any bytes as a form: its parts lie within it, and none has no name.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/status.h"
#include "server/files/multipart.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view body(reinterpret_cast<const char*>(data), size);
  const auto parts = cairn::server::parse_form("multipart/form-data; boundary=B", body);
  if (parts.ok()) {
    std::size_t bytes = 0;
    for (const cairn::server::FormPart& part : *parts) {
      CAIRN_CHECK(!part.name.empty());
      bytes += part.content.size();
    }
    CAIRN_CHECK(bytes <= size);
  }
  // The first line as the type, so that its parameters are read too.
  const std::size_t line = body.find('\n');
  (void)cairn::server::parse_form(body.substr(0, line), body).ok();
  return 0;
}

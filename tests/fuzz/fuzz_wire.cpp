// room: server
// Any bytes as the body of a request: parsing answers with a request or an error that says why.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/status.h"
#include "server/wire/parse.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using cairn::server::Strictness;
  std::string body;
  body.assign(data, data + size);
  for (const cairn::server::EndpointInfo& row : cairn::server::field_endpoints()) {
    for (const Strictness strictness : {Strictness::kLenient, Strictness::kStrict}) {
      const auto parsed = cairn::server::parse_request(row.endpoint, body, strictness);
      if (parsed.error.has_value()) CAIRN_CHECK(!parsed.error->message.empty());
      CAIRN_CHECK(parsed.request.prompts.size() <= cairn::server::kPromptsMax);
    }
  }
  return 0;
}

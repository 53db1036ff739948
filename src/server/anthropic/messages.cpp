// POST /v1/messages.
#include "server/anthropic/format.h"
#include "server/api/generating.h"

namespace cairn::server {

Reply post_messages(const Api& api, Exchange& exchange) {
  return generate(api,
                  {.endpoint = Endpoint::kMessages,
                   .flavour = Flavour::kAnthropic,
                   .id_prefix = "msg_",
                   .format = &message_format},
                  exchange);
}

}  // namespace cairn::server

// POST /v1/messages/count_tokens.
#include "server/api/counting.h"

namespace cairn::server {

Reply post_count_tokens(const Api& api, Exchange& exchange) {
  return count_input(api, {.endpoint = Endpoint::kCountTokens, .flavour = Flavour::kAnthropic},
                     exchange);
}

}  // namespace cairn::server

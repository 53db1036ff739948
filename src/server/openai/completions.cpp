// POST /v1/completions.
#include "server/api/generating.h"
#include "server/openai/formats.h"

namespace cairn::server {

Reply post_completions(const Api& api, Exchange& exchange) {
  return generate(api,
                  {.endpoint = Endpoint::kCompletions,
                   .flavour = Flavour::kOpenAi,
                   .id_prefix = "cmpl-",
                   .format = &completion_format},
                  exchange);
}

}  // namespace cairn::server

// POST /v1/chat/completions.
#include "server/api/generating.h"
#include "server/openai/formats.h"

namespace cairn::server {

Reply post_chat_completions(const Api& api, Exchange& exchange) {
  return generate(api,
                  {.endpoint = Endpoint::kChat,
                   .flavour = Flavour::kOpenAi,
                   .id_prefix = "chatcmpl-",
                   .format = &chat_format},
                  exchange);
}

}  // namespace cairn::server

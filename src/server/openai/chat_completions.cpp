// POST /v1/chat/completions and its input_tokens.
#include "server/api/counting.h"
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

Reply post_chat_input_tokens(const Api& api, Exchange& exchange) {
  return count_input(api, {.endpoint = Endpoint::kChat}, exchange);
}

}  // namespace cairn::server

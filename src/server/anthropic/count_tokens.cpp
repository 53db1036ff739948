// POST /v1/messages/count_tokens.
#include "server/api/generate.h"
#include "server/api/generating.h"
#include "server/api/handling.h"

namespace cairn::server {

Reply post_count_tokens(const Api& api, Exchange& exchange) {
  const ParsedRequest parsed = parse_body(api, Endpoint::kCountTokens, exchange);
  if (parsed.error) return error_response(Flavour::kAnthropic, *parsed.error);
  const GenerationRequest& request = parsed.request;
  if (const auto error = check_fields(request)) {
    return error_response(Flavour::kAnthropic, *error);
  }
  if (const auto error = check_length(api, request)) {
    return error_response(Flavour::kAnthropic, *error);
  }
  const auto ids = api.model.runtime->encode(chat_prompt(request));
  if (!ids.ok()) return error_response(Flavour::kAnthropic, wire_error(request, ids.status()));
  Json reply = {{"input_tokens", ids->size()}};
  if (!parsed.ignored_fields.empty()) reply["ignored_fields"] = parsed.ignored_fields;
  return json_response(reply);
}

}  // namespace cairn::server

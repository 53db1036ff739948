// POST /apply-template.
#include "server/api/generate.h"
#include "server/api/generating.h"
#include "server/api/handling.h"

namespace cairn::server {

Reply post_apply_template(const Api& api, Exchange& exchange) {
  const ParsedRequest parsed = parse_body(api, Endpoint::kApplyTemplate, exchange);
  if (parsed.error) return error_response(Flavour::kLlama, *parsed.error);
  const GenerationRequest& request = parsed.request;
  if (const auto error = check_fields(request)) return error_response(Flavour::kLlama, *error);
  if (const auto error = check_length(api, request)) {
    return error_response(Flavour::kLlama, *error);
  }
  const Result<std::string> text = api.model.runtime->render(chat_prompt(request));
  if (!text.ok()) return error_response(Flavour::kLlama, wire_error(request, text.status()));
  Json reply = {{"prompt", *text}};
  if (!parsed.ignored_fields.empty()) reply["ignored_fields"] = parsed.ignored_fields;
  return json_response(reply);
}

}  // namespace cairn::server

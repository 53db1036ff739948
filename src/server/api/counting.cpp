#include "server/api/counting.h"

#include "server/api/generate.h"
#include "server/api/generating.h"
#include "server/api/handling.h"

namespace cairn::server {
namespace {

/// What is wrong with a request that was parsed.
std::optional<WireError> fault_of(const Api& api, const Counting& how, ParsedRequest& parsed) {
  if (parsed.error) return parsed.error;
  if (how.prepare) {
    if (const auto error = how.prepare(parsed.request)) return error;
  }
  if (const auto error = check_fields(parsed.request)) return error;
  return check_length(api, parsed.request);
}

Response refuse_count(const Counting& how, WireError error) {
  return error_response(how.flavour, by_own_name(std::move(error), how.own_name));
}

}  // namespace

Response count_input(const Api& api, const Counting& how, const Exchange& exchange) {
  ParsedRequest parsed = parse_body(api, how.endpoint, exchange);
  if (const auto error = fault_of(api, how, parsed)) return refuse_count(how, *error);
  const auto ids = api.model.runtime->encode(chat_prompt(parsed.request));
  if (!ids.ok()) return refuse_count(how, wire_error(parsed.request, ids.status()));
  Json reply = how.head;
  reply["input_tokens"] = ids->size();
  if (!parsed.ignored_fields.empty()) reply["ignored_fields"] = parsed.ignored_fields;
  return json_response(reply);
}

}  // namespace cairn::server

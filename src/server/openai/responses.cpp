// /v1/responses: create, get, delete, cancel, input_items, input_tokens.
#include <fmt/core.h>

#include "server/api/counting.h"
#include "server/api/generating.h"
#include "server/api/handling.h"
#include "server/api/paging.h"
#include "server/openai/response_format.h"

namespace cairn::server {
namespace {

WireError no_response(const std::string& id, std::string param) {
  return {
      .cause = Cause::kNotFound,
      .message = fmt::format("no response is called \"{}\": it was never stored, or is forgotten "
                             "by now",
                             id),
      .param = std::move(param),
      .code = "response_not_found"};
}

Response refuse_response(const WireError& error) { return error_response(Flavour::kOpenAi, error); }

/// What Responses call the fields that a chat's errors name.
std::string response_field(const std::string& param) {
  if (param == "messages" || param == "prompt") return "input";
  if (param == "max_tokens") return "max_output_tokens";
  if (param == "response_format") return "text.format";
  return param;
}

/// Puts the conversation that it goes on from in front.
std::optional<WireError> go_on(ResponseStore& store, GenerationRequest& request) {
  if (!request.previous_response_id) return std::nullopt;
  const auto previous = store.find(*request.previous_response_id);
  if (!previous) return no_response(*request.previous_response_id, "previous_response_id");
  Json messages = parse_json(previous->messages).value();  // written by this program
  for (Json& message : request.messages) messages.push_back(std::move(message));
  request.messages = std::move(messages);
  if (request.messages.size() <= kMessagesMax) return std::nullopt;
  return WireError{.cause = Cause::kBadRequest,
                   .message = fmt::format("input: {} messages with those before; at most {} are "
                                          "accepted",
                                          request.messages.size(), kMessagesMax),
                   .param = "input"};
}

}  // namespace

Reply post_response(const Api& api, Exchange& exchange) {
  return generate(
      api,
      {.endpoint = Endpoint::kResponses,
       .flavour = Flavour::kOpenAi,
       .id_prefix = "resp_",
       .format =
           [&api](ReplyHead head, const GenerationRequest& request) {
             return response_format(std::move(head), request, api.responses);
           },
       .own_name = &response_field,
       .prepare = [&api](GenerationRequest& request) { return go_on(*api.responses, request); }},
      exchange);
}

Reply post_response_input_tokens(const Api& api, Exchange& exchange) {
  return count_input(
      api,
      {.endpoint = Endpoint::kResponses,
       .head = {{"object", "response.input_tokens"}},
       .own_name = &response_field,
       .prepare = [&api](GenerationRequest& request) { return go_on(*api.responses, request); }},
      exchange);
}

Reply get_response(const Api& api, Exchange& exchange) {
  const std::string& id = exchange.path_values.front();
  if (exchange.request.parameter("stream").value_or("false") == "true") {
    return refuse_response({.cause = Cause::kBadRequest,
                            .message = "stream: only answers that are being made come in events",
                            .param = "stream"});
  }
  std::optional<StoredResponse> stored = api.responses->find(id);
  if (!stored) return refuse_response(no_response(id, "response_id"));
  Response response;
  response.body = std::move(stored->response);
  return response;
}

Reply delete_response(const Api& api, Exchange& exchange) {
  const std::string& id = exchange.path_values.front();
  if (!api.responses->forget(id)) return refuse_response(no_response(id, "response_id"));
  return json_response({{"id", id}, {"object", "response"}, {"deleted", true}});
}

Reply cancel_response(const Api& api, Exchange& exchange) {
  const std::string& id = exchange.path_values.front();
  if (!api.responses->find(id)) return refuse_response(no_response(id, "response_id"));
  return refuse_response(
      {.cause = Cause::kBadRequest,
       .message = fmt::format("response \"{}\" has ended; only one that runs in the background can "
                              "be cancelled",
                              id),
       .param = "response_id"});
}

Reply list_response_items(const Api& api, Exchange& exchange) {
  const std::string& id = exchange.path_values.front();
  const std::optional<StoredResponse> stored = api.responses->find(id);
  if (!stored) return refuse_response(no_response(id, "response_id"));
  return page_response(parse_json(stored->items).value(), exchange.request, {});
}

}  // namespace cairn::server

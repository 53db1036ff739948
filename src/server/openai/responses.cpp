// /v1/responses: create, get, delete, cancel, input_items.
#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "server/api/generating.h"
#include "server/api/handling.h"
#include "server/openai/response_format.h"

namespace cairn::server {
namespace {

constexpr std::size_t kItemsShown = 20;  // by default, as OpenAI's
constexpr std::size_t kItemsShownMax = 100;

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

/// The parameter `limit`; nothing for one that is no number within bounds.
std::optional<std::size_t> shown_limit(const Request& request) {
  const std::string text = request.parameter("limit").value_or(std::to_string(kItemsShown));
  std::size_t limit = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), limit);
  const bool good = error == std::errc() && end == text.data() + text.size();
  return good && limit >= 1 && limit <= kItemsShownMax ? std::optional(limit) : std::nullopt;
}

/// The items behind the one that `after` names, in the order asked for.
Json page_of(Json items, const Request& request, std::size_t limit) {
  if (request.parameter("order").value_or("desc") == "desc") {
    std::reverse(items.begin(), items.end());
  }
  std::size_t first = 0;
  if (const auto after = request.parameter("after")) {
    while (first < items.size() && items[first]["id"] != *after) ++first;
    first = std::min(first + 1, items.size());
  }
  Json data = Json::array();
  for (std::size_t i = first; i < items.size() && data.size() < limit; ++i) {
    data.push_back(items[i]);
  }
  const bool more = first + data.size() < items.size();
  const Json first_id = data.empty() ? Json() : data.front()["id"];
  const Json last_id = data.empty() ? Json() : data.back()["id"];
  return {{"object", "list"},
          {"data", std::move(data)},
          {"first_id", first_id},
          {"last_id", last_id},
          {"has_more", more}};
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
  const std::optional<std::size_t> limit = shown_limit(exchange.request);
  if (!limit) {
    return refuse_response(
        {.cause = Cause::kBadRequest,
         .message = fmt::format("limit: a whole number from 1 to {} is expected", kItemsShownMax),
         .param = "limit"});
  }
  return json_response(page_of(parse_json(stored->items).value(), exchange.request, *limit));
}

}  // namespace cairn::server

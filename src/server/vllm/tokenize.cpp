// POST /tokenize, in the words of vLLM and of llama.cpp, and POST /detokenize.
#include <limits>

#include "server/api/generate.h"
#include "server/api/generating.h"
#include "server/api/handling.h"

namespace cairn::server {
namespace {

Response refuse(const WireError& error) { return error_response(Flavour::kOpenAi, error); }

/// vLLM's prompt begins with the start token unless told otherwise, llama.cpp's content does not.
runtime::Prompt prompt_of(const GenerationRequest& request, bool is_content) {
  if (!request.messages.is_null()) return chat_prompt(request);
  const bool start = request.add_special_tokens.value_or(!is_content);
  const bool parse = request.parse_special.value_or(true);
  return runtime::TextPrompt{
      .text = std::get<std::string>(request.prompts.front()),
      .start = start ? runtime::StartToken::kAdd : runtime::StartToken::kNone,
      .markers = parse ? runtime::MarkersInText::kTokens : runtime::MarkersInText::kText};
}

Json tokens_reply(const Api& api, const GenerationRequest& request,
                  const std::vector<TokenId>& ids) {
  const runtime::Runtime& model = *api.model.runtime;
  Json tokens = ids;
  if (request.with_pieces.value_or(false)) {
    tokens = Json::array();
    for (const TokenId id : ids) tokens.push_back({{"id", id}, {"piece", model.describe(id)}});
  }
  Json reply = {{"count", ids.size()},
                {"max_model_len", model.facts().context},
                {"tokens", std::move(tokens)}};
  if (!request.return_token_strs.value_or(false)) return reply;
  reply["token_strs"] = Json::array();
  for (const TokenId id : ids) reply["token_strs"].push_back(model.describe(id));
  return reply;
}

}  // namespace

Reply post_tokenize(const Api& api, Exchange& exchange) {
  const ParsedRequest parsed = parse_body(api, Endpoint::kTokenize, exchange);
  if (parsed.error) return refuse(*parsed.error);
  const GenerationRequest& request = parsed.request;
  if (request.messages.is_null() == request.prompts.empty()) {
    return refuse({.cause = Cause::kBadRequest,
                   .message = "prompt: one of prompt, content and messages is expected",
                   .param = "prompt"});
  }
  if (const auto error = check_fields(request)) return refuse(*error);
  if (const auto error = check_length(api, request)) return refuse(*error);
  const auto ids = api.model.runtime->encode(prompt_of(request, parsed.names.contains("content")));
  if (!ids.ok()) return refuse(wire_error(request, ids.status()));
  Json reply = tokens_reply(api, request, *ids);
  if (!parsed.ignored_fields.empty()) reply["ignored_fields"] = parsed.ignored_fields;
  return json_response(reply);
}

Reply post_detokenize(const Api& api, Exchange& exchange) {
  const ParsedRequest parsed = parse_body(api, Endpoint::kDetokenize, exchange);
  if (parsed.error) return refuse(*parsed.error);
  std::vector<TokenId> ids;
  for (const std::int64_t id : parsed.request.tokens) ids.push_back(static_cast<TokenId>(id));
  const Result<std::string> text = api.model.runtime->decode(ids);
  if (!text.ok()) {
    return refuse(
        {.cause = Cause::kBadRequest, .message = text.status().message(), .param = "tokens"});
  }
  Json reply = {{"prompt", *text}, {"content", *text}};  // vLLM's name and llama.cpp's
  if (!parsed.ignored_fields.empty()) reply["ignored_fields"] = parsed.ignored_fields;
  return json_response(reply);
}

}  // namespace cairn::server

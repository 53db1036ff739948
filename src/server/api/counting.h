// How many tokens a conversation has, for the interfaces that have an endpoint for it.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "server/api/api.h"

namespace cairn::server {

/// What one endpoint that counts does its own way.
struct Counting {
  Endpoint endpoint = Endpoint::kChat;  // whose fields its body has
  Flavour flavour = Flavour::kOpenAi;
  Json head = Json::object();  // what the reply has beside the count
  std::string (*own_name)(const std::string& param) = nullptr;  // of a field; null: the same
  std::function<std::optional<WireError>(GenerationRequest&)> prepare = {};
};

/// {"input_tokens": N}: the conversation is rendered and tokenized as for an answer, and nothing is
/// generated. Errors: those that the answer would have before its first token.
Response count_input(const Api& api, const Counting& how, const Exchange& exchange);

}  // namespace cairn::server

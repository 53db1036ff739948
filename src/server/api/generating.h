// The way of every request that generates: its body, the prompts, the streams, the reply.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "server/api/api.h"
#include "server/api/reply_format.h"
#include "server/wire/request.h"

namespace cairn::server {

/// What an endpoint adds to that way.
struct Generating {
  Endpoint endpoint = Endpoint::kCompletions;
  Flavour flavour = Flavour::kOpenAi;
  std::string_view id_prefix = {};
  /// Makes what writes the answers; `request` is valid during the call.
  std::function<std::unique_ptr<ReplyFormat>(ReplyHead head, const GenerationRequest& request)>
      format = {};
  /// What the endpoint calls a field that errors know by the name of a chat's; null: the same.
  std::string (*own_name)(const std::string& param) = nullptr;
  /// What is to be done with a request that was read, before anything else; null: nothing.
  std::function<std::optional<WireError>(GenerationRequest& request)> prepare = {};
};

/// Reads, submits and replies. On the preparation thread.
Reply generate(const Api& api, const Generating& how, Exchange& exchange);

/// The error with the name that the endpoint has for its field.
WireError by_own_name(WireError error, std::string (*own_name)(const std::string& param));

/// More text than is accepted; nothing when it is not.
std::optional<WireError> check_length(const Api& api, const GenerationRequest& request);

}  // namespace cairn::server

// The way of every request that generates: its body, the prompts, the streams, the reply.
#pragma once

#include <memory>
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
  std::unique_ptr<ReplyFormat> (*format)(ReplyHead head,
                                         const GenerationRequest& request) = nullptr;
};

/// Reads, submits and replies. On the preparation thread.
Reply generate(const Api& api, const Generating& how, Exchange& exchange);

/// More text than is accepted; nothing when it is not.
std::optional<WireError> check_length(const Api& api, const GenerationRequest& request);

}  // namespace cairn::server

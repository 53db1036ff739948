// How Anthropic's Messages are written. Source: Anthropic's API reference, version 2023-06-01.
#pragma once

#include <memory>

#include "server/api/reply_format.h"
#include "server/wire/request.h"

namespace cairn::server {

/// Of /v1/messages.
std::unique_ptr<ReplyFormat> message_format(ReplyHead head, const GenerationRequest& request);

}  // namespace cairn::server

// How OpenAI's endpoints write answers. Source: OpenAI's API reference.
#pragma once

#include <memory>

#include "server/api/reply_format.h"
#include "server/wire/request.h"

namespace cairn::server {

/// Of /v1/completions.
std::unique_ptr<ReplyFormat> completion_format(ReplyHead head, const GenerationRequest& request);
/// Of /v1/chat/completions.
std::unique_ptr<ReplyFormat> chat_format(ReplyHead head, const GenerationRequest& request);

}  // namespace cairn::server

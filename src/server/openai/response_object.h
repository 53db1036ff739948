// The object that every reply and event of /v1/responses carries.
#pragma once

#include "base/json.h"
#include "server/wire/replies.h"
#include "server/wire/request.h"

namespace cairn::server {

/// In progress, with an empty output and what the request asked for.
Json response_object(const ReplyHead& head, const GenerationRequest& request);

/// Its usage.
Json response_usage(const Usage& usage);

}  // namespace cairn::server

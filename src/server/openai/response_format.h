// How /v1/responses writes an answer. Source: OpenAI's API reference.
#pragma once

#include <memory>

#include "server/api/reply_format.h"
#include "server/api/response_store.h"
#include "server/wire/request.h"

namespace cairn::server {

/// Keeps the response in `store` once it is whole, unless the request says otherwise. Its id is
/// drawn: what a client may choose, X-Request-Id, would let one overwrite another's.
std::unique_ptr<ReplyFormat> response_format(ReplyHead head, const GenerationRequest& request,
                                             std::shared_ptr<ResponseStore> store);

}  // namespace cairn::server

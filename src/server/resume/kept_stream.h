// Streamed answers that outlive their connection, on the wire.
#pragma once

#include <functional>

#include "server/api/api.h"

namespace cairn::server {

/// What `handler` answers; a stream of events whose request has an X-Conversation-Id is kept under
/// it, and with a Last-Event-ID too the kept one goes on behind that event instead of a new answer.
/// Source: llama.cpp, pull request 23226; WHATWG HTML, 9.2.4 for Last-Event-ID.
Reply kept_stream(const Api& api, Flavour flavour, Exchange& exchange,
                  const std::function<Reply()>& handler);

}  // namespace cairn::server

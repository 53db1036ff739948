// Answers as HTTP replies: whole, or as events.
#pragma once

#include <memory>

#include "server/api/answers.h"
#include "server/http/reply.h"

namespace cairn::server {

/// One body once every answer has ended. `place` wakes it.
std::unique_ptr<PendingAnswer> reply_whole(std::unique_ptr<Subscription> place,
                                           std::unique_ptr<Answers> answers);

/// Events as tokens come, then the usage where it is asked for, then [DONE].
std::unique_ptr<EventSource> reply_stream(std::unique_ptr<Subscription> place,
                                          std::unique_ptr<Answers> answers);

}  // namespace cairn::server

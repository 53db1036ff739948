// Answers as HTTP replies: whole, or as events.
#pragma once

#include <memory>

#include "server/api/answers.h"
#include "server/api/reply_format.h"
#include "server/http/reply.h"

namespace cairn::server {

/// What a reply is made by.
struct Replying {
  std::unique_ptr<Subscription> place = {};  // wakes it
  std::unique_ptr<Answers> answers = {};
  std::unique_ptr<ReplyFormat> format = {};
};

/// One body once every answer has ended.
std::unique_ptr<PendingAnswer> reply_whole(Replying replying);

/// Events as tokens come.
std::unique_ptr<EventSource> reply_stream(Replying replying);

}  // namespace cairn::server

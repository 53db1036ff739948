// Lists as OpenAI's clients page through them: limit, order, after.
#pragma once

#include <cstddef>

#include "base/json.h"
#include "server/http/message.h"

namespace cairn::server {

/// How many objects a page has by default, and at most.
struct PageLimits {
  std::size_t shown = 20;
  std::size_t most = 100;
};

/// The page of `items`, an array of objects with an id, oldest first, that the query of `request`
/// asks for; 400 for a limit or an order that is none.
Response page_response(Json items, const Request& request, const PageLimits& limits);

}  // namespace cairn::server

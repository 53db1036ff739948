// Api: the endpoints that a server has for its model.
//
// Purpose     joins wire formats and the runtime: a route's handler reads a request through the
//             table of fields, submits it, and replies as tokens come.
// Invariants  a handler that tokenizes runs on the preparation thread; nothing of a request is
//             dropped unsaid: a field is honoured, refused by name, or listed as ignored.
// Threads     built before the server starts; handlers as their rows say.
// Adding      an endpoint: its row in api.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "server/api/newsroom.h"
#include "server/api/served_model.h"
#include "server/http/router.h"
#include "server/wire/parse.h"

namespace cairn::server {

struct ApiOptions {
  ServedModel model = {};
  Newsroom* newsroom = nullptr;        // publish() is called once per step; outlives the server
  std::uint64_t prompt_bytes_max = 0;  // of a request's text, looked at before tokenizing; 0: any
  Strictness strictness = Strictness::kLenient;
};

/// The routes. What `options` points to outlives them.
std::vector<Route> api_routes(const ApiOptions& options);

}  // namespace cairn::server

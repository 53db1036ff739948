// What is decided about a request once its head is known, before its body is read.
#pragma once

#include <optional>

#include "server/http/cors.h"
#include "server/http/errors.h"
#include "server/http/keys.h"
#include "server/http/router.h"

namespace cairn::server {

/// What the decision rests on.
struct CheckContext {
  const Router& router;
  const ApiKeys& keys;
  const CorsPolicy& cors;
  bool draining = false;
  bool loading = false;
  bool answers_to_loopback_names_only = false;
};

/// A route to take, or the response instead of it.
struct Checked {
  RouteMatch match = {};
  std::optional<Response> response = {};
};

/// Looks at Host, Origin, path, method, key, whether the model is there, and content type, in this
/// order; sets the request's access. A preflight and OPTIONS are answered here.
Checked check_request(const CheckContext& context, Request& request);

}  // namespace cairn::server

// Which handler answers which method and path.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "server/http/errors.h"
#include "server/http/message.h"
#include "server/http/reply.h"

namespace cairn::server {

/// Where a handler runs: on the I/O thread only what takes well under a millisecond.
enum class RunOn : std::uint8_t { kIo, kPreparation };

/// What a request's body must be.
enum class BodyType : std::uint8_t { kAny, kJson };

/// One row of the table. A part "{}" of the path stands for any one part.
struct Route {
  Method method = Method::kGet;
  std::string path = {};
  Access access = Access::kKey;
  RunOn run_on = RunOn::kPreparation;
  BodyType body = BodyType::kAny;
  Flavour flavour = Flavour::kOpenAi;
  Handler handler = {};
};

/// The route of a request, or why there is none.
struct RouteMatch {
  const Route* route = nullptr;  // lives as long as the router
  std::vector<std::string> path_values = {};
  std::string allow = {};  // without a route: the methods that the path has, "" for no such path
  Flavour flavour = Flavour::kOpenAi;  // of the path's other methods, where it has any
};

/// What a route answers; an exception of its handler becomes a 500.
Reply call_handler(const Route& route, Exchange& exchange);
/// The 500 of an exception.
Response internal_fault(Flavour flavour, const std::exception& error);

/// A fixed table of routes.
class Router {
 public:
  /// Of two rows that fit one request the first wins.
  explicit Router(std::vector<Route> routes) : routes_(std::move(routes)) {}

  /// HEAD finds the row of GET; one slash at the end of a path is ignored.
  RouteMatch match(Method method, std::string_view path) const;

  /// Every row in the order of the table.
  const std::vector<Route>& routes() const { return routes_; }

 private:
  std::vector<Route> routes_;
};

}  // namespace cairn::server

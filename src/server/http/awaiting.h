// How the connection's coroutines wait: for an error code beside the result, never for a throw.
#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace cairn::server {

/// Awaiting with it gives a tuple whose first element is the error code.
inline constexpr auto kTuple = boost::asio::as_tuple(boost::asio::use_awaitable);

}  // namespace cairn::server

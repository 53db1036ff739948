// Sockets that accept connections. Only server.cpp and listener.cpp see this.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <string>

#include "base/status.h"
#include "server/http/server.h"
#include "server/http/transport.h"

namespace cairn::server {

/// What the server does with a new connection. Called on the I/O thread.
using OnAccept = std::function<void(Socket)>;

class Listener {
 public:
  Listener() = default;
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  virtual ~Listener() = default;

  /// "127.0.0.1:8080", "[::1]:8080" or "unix:PATH".
  virtual std::string address() const = 0;
  /// Whether only programs of this machine reach it.
  virtual bool is_local() const = 0;
  /// Accepts until close(), or while `may_accept` says so; it asks again a few times a second.
  virtual boost::asio::awaitable<void> accept_loop(OnAccept on_accept,
                                                   std::function<bool()> may_accept) = 0;
  /// No more; a Unix socket's file is removed.
  virtual void close() = 0;
};

/// Binds and listens. Errors: kInvalidArgument for a host that is no IP address nor "localhost",
/// kUnavailable when the address is taken, kIo.
Result<std::unique_ptr<Listener>> listen_at(boost::asio::io_context& io,
                                            const ListenAddress& address);

}  // namespace cairn::server

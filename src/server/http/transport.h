// A connection's bytes: plain (TCP, Unix) or under TLS. Only session.cpp and server.cpp see this.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/ssl/context.hpp>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

namespace cairn::server {

/// What an operation on a connection did.
struct TransportResult {
  bool ok = false;
  std::size_t bytes = 0;
  bool only_sending_ended = false;  // a read: the client may still be there to read its answer
};

/// All of it runs on the I/O thread. At most one read and one write at the same time.
class Transport {
 public:
  Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;
  virtual ~Transport() = default;

  /// Before the first byte.
  virtual boost::asio::awaitable<bool> handshake() = 0;
  /// Some bytes; not ok at the end and on errors.
  virtual boost::asio::awaitable<TransportResult> read_some(std::span<char> buffer) = 0;
  /// All of `bytes`, which stay valid until it is done.
  virtual boost::asio::awaitable<bool> write(std::string_view bytes) = 0;
  /// Says that nothing more will be sent; reading goes on.
  virtual void shutdown_send() = 0;
  /// After `only_sending_ended`: until the client is gone altogether, which is learnt from what is
  /// written to it, or until close().
  virtual boost::asio::awaitable<void> wait_until_gone() = 0;
  /// Ends what runs, at once.
  virtual void close() = 0;
};

using Socket = boost::asio::generic::stream_protocol::socket;

/// A connection without encryption.
std::unique_ptr<Transport> make_plain_transport(Socket socket);
/// A connection under TLS, this end being the server; the context stays alive with it.
std::unique_ptr<Transport> make_tls_transport(Socket socket,
                                              std::shared_ptr<boost::asio::ssl::context> context);

}  // namespace cairn::server

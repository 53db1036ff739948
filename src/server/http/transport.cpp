#include "server/http/transport.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <utility>

#include "server/http/awaiting.h"

namespace cairn::server {
namespace {

namespace asio = boost::asio;

template <typename Stream>
asio::awaitable<TransportResult> read_some_of(Stream& stream, std::span<char> buffer) {
  const auto [code, bytes] =
      co_await stream.async_read_some(asio::buffer(buffer.data(), buffer.size()), kTuple);
  co_return TransportResult{
      .ok = !code && bytes > 0, .bytes = bytes, .only_sending_ended = code == asio::error::eof};
}

template <typename Stream>
asio::awaitable<bool> write_to(Stream& stream, std::string_view bytes) {
  const auto [code, written] =
      co_await asio::async_write(stream, asio::buffer(bytes.data(), bytes.size()), kTuple);
  co_return !code && written == bytes.size();
}

class PlainTransport final : public Transport {
 public:
  explicit PlainTransport(Socket socket) : socket_(std::move(socket)) {}

  asio::awaitable<bool> handshake() override { co_return true; }
  asio::awaitable<void> wait_until_gone() override {
    co_await socket_.async_wait(Socket::wait_error, kTuple);
  }
  asio::awaitable<TransportResult> read_some(std::span<char> buffer) override {
    return read_some_of(socket_, buffer);
  }
  asio::awaitable<bool> write(std::string_view bytes) override { return write_to(socket_, bytes); }
  void shutdown_send() override {
    boost::system::error_code ignored;  // a client that is gone already is as good
    socket_.shutdown(Socket::shutdown_send, ignored);
  }
  void close() override {
    boost::system::error_code ignored;
    socket_.close(ignored);
  }

 private:
  Socket socket_;
};

class TlsTransport final : public Transport {
 public:
  TlsTransport(Socket socket, std::shared_ptr<asio::ssl::context> context)
      : context_(std::move(context)), stream_(std::move(socket), *context_) {}

  asio::awaitable<bool> handshake() override {
    const auto [code] = co_await stream_.async_handshake(asio::ssl::stream_base::server, kTuple);
    co_return !code;
  }
  asio::awaitable<TransportResult> read_some(std::span<char> buffer) override {
    TransportResult result = co_await read_some_of(stream_, buffer);
    result.only_sending_ended = false;  // the end of TLS is the end of both directions
    co_return result;
  }
  asio::awaitable<void> wait_until_gone() override { co_return; }
  asio::awaitable<bool> write(std::string_view bytes) override { return write_to(stream_, bytes); }
  /// Without TLS's own goodbye, which would have to be waited for: every response of this server
  /// says where it ends.
  void shutdown_send() override {
    boost::system::error_code ignored;
    stream_.next_layer().shutdown(Socket::shutdown_send, ignored);
  }
  void close() override {
    boost::system::error_code ignored;
    stream_.next_layer().close(ignored);
  }

 private:
  std::shared_ptr<asio::ssl::context> context_;
  asio::ssl::stream<Socket> stream_;
};

}  // namespace

std::unique_ptr<Transport> make_plain_transport(Socket socket) {
  return std::make_unique<PlainTransport>(std::move(socket));
}

std::unique_ptr<Transport> make_tls_transport(Socket socket,
                                              std::shared_ptr<asio::ssl::context> context) {
  return std::make_unique<TlsTransport>(std::move(socket), std::move(context));
}

}  // namespace cairn::server

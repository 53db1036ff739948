#include "server/http/listener.h"

#include <sys/stat.h>
#include <unistd.h>

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <utility>

#include "server/http/awaiting.h"

namespace cairn::server {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

// How long to wait when no connection may be accepted, or no descriptor is left.
constexpr auto kPause = std::chrono::milliseconds(50);

Status bind_error(const std::string& address, const error_code& code) {
  const std::string message = "listen at " + address + ": " + code.message();
  return code == asio::error::address_in_use ? unavailable(message) : io_error(message);
}

template <typename Protocol>
class ListenerOf final : public Listener {
 public:
  ListenerOf(typename Protocol::acceptor acceptor, std::string address, std::string unix_path,
             bool local)
      : acceptor_(std::move(acceptor)),
        address_(std::move(address)),
        unix_path_(std::move(unix_path)),
        local_(local) {}
  ~ListenerOf() override { close(); }
  ListenerOf(const ListenerOf&) = delete;
  ListenerOf& operator=(const ListenerOf&) = delete;

  std::string address() const override { return address_; }
  bool is_local() const override { return local_; }

  asio::awaitable<void> accept_loop(OnAccept on_accept, std::function<bool()> may_accept) override {
    asio::steady_timer timer(acceptor_.get_executor());
    while (acceptor_.is_open()) {
      bool pause = !may_accept();
      if (!pause) {
        auto [code, socket] = co_await acceptor_.async_accept(kTuple);
        if (!code) on_accept(Socket(std::move(socket)));
        pause = static_cast<bool>(code);
      }
      if (!acceptor_.is_open()) co_return;
      if (pause) {
        timer.expires_after(kPause);
        co_await timer.async_wait(kTuple);
      }
    }
  }

  void close() override {
    error_code ignored;
    acceptor_.close(ignored);
    if (!unix_path_.empty()) ::unlink(std::exchange(unix_path_, {}).c_str());
  }

 private:
  typename Protocol::acceptor acceptor_;
  std::string address_;
  std::string unix_path_;
  bool local_;
};

/// Opens, binds and listens. Addresses left behind by an ended server are taken again.
template <typename Protocol>
error_code open(typename Protocol::acceptor& acceptor,
                const typename Protocol::endpoint& endpoint) {
  error_code code;
  acceptor.open(endpoint.protocol(), code);
  if (!code) acceptor.set_option(asio::socket_base::reuse_address(true), code);
  if (!code) acceptor.bind(endpoint, code);
  if (!code) acceptor.listen(asio::socket_base::max_listen_connections, code);
  return code;
}

Result<std::unique_ptr<Listener>> listen_tcp(asio::io_context& io, const ListenAddress& address) {
  error_code code;
  const std::string host = address.host == "localhost" ? "127.0.0.1" : address.host;
  const asio::ip::address ip = asio::ip::make_address(host, code);
  if (code) {
    return invalid_argument("listen: '" + address.host +
                            "' is no address; 127.0.0.1, ::1, 0.0.0.0 or localhost is expected");
  }
  asio::ip::tcp::acceptor acceptor(io);
  const std::string shown = ip.is_v6() ? "[" + ip.to_string() + "]" : ip.to_string();
  code = open<asio::ip::tcp>(acceptor, {ip, address.port});
  if (code) return bind_error(shown + ":" + std::to_string(address.port), code);
  const std::uint16_t port = acceptor.local_endpoint(code).port();
  return std::unique_ptr<Listener>(std::make_unique<ListenerOf<asio::ip::tcp>>(
      std::move(acceptor), shown + ":" + std::to_string(port), "", ip.is_loopback()));
}

/// A socket file that nobody listens to any more is removed; anything else at the path stays.
Status make_room(asio::io_context& io, const asio::local::stream_protocol::endpoint& endpoint) {
  struct stat found = {};
  const std::string path = endpoint.path();
  if (::lstat(path.c_str(), &found) != 0) return {};
  if (!S_ISSOCK(found.st_mode)) {
    return invalid_argument("listen at " + path + ": a file that is no socket stands there");
  }
  asio::local::stream_protocol::socket socket(io);
  error_code code;
  socket.connect(endpoint, code);
  if (!code) return unavailable("listen at " + path + ": another program listens there");
  ::unlink(path.c_str());
  return {};
}

Result<std::unique_ptr<Listener>> listen_unix(asio::io_context& io, const std::string& path) {
  // The system's sockaddr_un holds so many, with the final NUL.
  constexpr std::size_t kPathBytesMax = 107;
  if (path.size() > kPathBytesMax) {
    return invalid_argument("listen: the path of a Unix socket has " + std::to_string(path.size()) +
                            " bytes; at most 107 are possible");
  }
  const asio::local::stream_protocol::endpoint endpoint(path);
  CAIRN_TRY(make_room(io, endpoint));
  asio::local::stream_protocol::acceptor acceptor(io);
  const error_code code = open<asio::local::stream_protocol>(acceptor, endpoint);
  if (code) return bind_error(path, code);
  return std::unique_ptr<Listener>(std::make_unique<ListenerOf<asio::local::stream_protocol>>(
      std::move(acceptor), "unix:" + path, path, true));
}

}  // namespace

Result<std::unique_ptr<Listener>> listen_at(asio::io_context& io, const ListenAddress& address) {
  return address.unix_path.empty() ? listen_tcp(io, address) : listen_unix(io, address.unix_path);
}

}  // namespace cairn::server

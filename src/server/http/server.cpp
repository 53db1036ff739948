#include "server/http/server.h"

#include <atomic>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "base/file.h"
#include "server/http/listener.h"
#include "server/http/service.h"
#include "server/http/session.h"
#include "server/http/tls.h"

namespace cairn::server {
namespace {

namespace asio = boost::asio;

constexpr auto kTick = std::chrono::milliseconds(100);
// What an ended answer gets to send its last event.
constexpr auto kLastWords = std::chrono::milliseconds(500);
// Connections above the limit that are told so; the ones beyond wait in the kernel's queue.
constexpr std::size_t kRefusedMax = 64;
constexpr std::uint64_t kKeysBytesMax = 1 << 20;

/// What reload() reads again.
struct Secrets {
  ApiKeys keys = {};
  CorsPolicy cors = {};
  std::shared_ptr<asio::ssl::context> tls = {};
};

Result<Secrets> read_secrets(const ServerOptions& options) {
  Secrets secrets;
  if (options.keys_file.empty() && !options.admin_keys_file.empty()) {
    return invalid_argument("admin keys without API keys: name a file of those too");
  }
  if (!options.keys_file.empty()) {
    CAIRN_ASSIGN(const std::string keys, read_file(options.keys_file, kKeysBytesMax));
    std::string admin_keys;
    if (!options.admin_keys_file.empty()) {
      CAIRN_ASSIGN(admin_keys, read_file(options.admin_keys_file, kKeysBytesMax));
    }
    CAIRN_ASSIGN(secrets.keys, ApiKeys::parse(keys, admin_keys));
  }
  CAIRN_ASSIGN(secrets.cors,
               CorsPolicy::parse(options.settings.cors_origins,
                                 secrets.keys.required() ? KeysAsked::kYes : KeysAsked::kNo));
  if (options.tls.certificate.empty() != options.tls.key.empty() ||
      (options.tls.certificate.empty() && !options.tls.client_ca.empty())) {
    return invalid_argument("TLS needs a certificate and its key");
  }
  if (!options.tls.certificate.empty()) {
    CAIRN_ASSIGN(secrets.tls, load_tls(options.tls));
  }
  return secrets;
}

}  // namespace

class Server::Impl {
 public:
  explicit Impl(ServerOptions options)
      : options_(std::move(options)),
        service_(io_, options_.settings, Router(options_.routes)),
        tick_(io_) {
    service_.log = options_.log;
    service_.loading = options_.readiness == Readiness::kLoading;
    service_.board = std::make_shared<WakeBoard>(
        [this] { asio::post(io_, [this] { service_.board->deliver(); }); });
  }
  ~Impl() { stop(); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  Status listen() {
    if (options_.listen.empty()) return invalid_argument("listen: no address was given");
    CAIRN_ASSIGN(Secrets secrets, read_secrets(options_));
    bool local = true;
    bool tcp = false;
    for (const ListenAddress& address : options_.listen) {
      CAIRN_ASSIGN(auto listener, listen_at(io_, address));
      local = local && listener->is_local();
      tcp = tcp || !listener->address().starts_with("unix:");
      listeners_.push_back(std::move(listener));
    }
    if (!local && !secrets.keys.required() && options_.exposure == Exposure::kThisMachine) {
      return invalid_argument(
          "listen: an address beyond this machine without API keys; name a file of keys, or say "
          "that anybody may ask");
    }
    // No page of a browser reaches a Unix socket.
    service_.answers_to_loopback_names_only = local && tcp;
    use(std::move(secrets));
    return {};
  }

  std::vector<std::string> addresses() const {
    std::vector<std::string> addresses;
    for (const auto& listener : listeners_) {
      const std::string address = listener->address();
      const std::string scheme = tls_ != nullptr ? "https://" : "http://";
      addresses.push_back(address.starts_with("unix:") ? address : scheme + address);
    }
    return addresses;
  }

  void run() {
    for (const auto& listener : listeners_) {
      asio::co_spawn(io_,
                     listener->accept_loop([this](Socket socket) { admit(std::move(socket)); },
                                           [this] { return may_accept(); }),
                     asio::detached);
    }
    thread_ = std::thread([this] { io_.run(); });
  }

  void ready() {
    asio::post(io_, [this] { service_.loading = false; });
  }

  Status reload() {
    CAIRN_ASSIGN(Secrets secrets, read_secrets(options_));
    asio::post(io_, [this, secrets = std::move(secrets)]() mutable { use(std::move(secrets)); });
    return {};
  }

  void drain() {
    asio::post(io_, [this] {
      close_listeners();
      service_.draining = true;
      for (const auto& [key, session] : sessions_) session->drain();
    });
    if (!wait_until_idle(std::chrono::milliseconds(options_.settings.drain_ms))) {
      asio::post(io_, [this] {
        for (const auto& [key, session] : sessions_) session->end_answer();
      });
      wait_until_idle(kLastWords);
    }
    stop();
  }

  void stop() {
    {
      const std::scoped_lock lock(mutex_);
      stopping_ = true;
    }
    changed_.notify_all();
    const std::scoped_lock once(stop_mutex_);
    if (std::exchange(stopped_, true)) return;
    // Answers are destroyed by their connections, so these end before the thread does.
    asio::post(io_, [this] {
      ending_ = true;
      close_listeners();
      tick_.cancel();
      for (const auto& [key, session] : sessions_) session->close();
      work_.reset();
    });
    if (thread_.joinable()) {
      thread_.join();
    } else {
      io_.run();
    }
    service_.board->close();
    service_.jobs.close();
    io_.restart();
    io_.run();  // what the last job sent back
  }

  std::size_t connections() const { return connections_; }

 private:
  bool wait_until_idle(std::chrono::milliseconds duration) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, duration, [&] { return stopping_ || connections_ == 0; });
  }

  void use(Secrets secrets) {
    service_.keys = std::move(secrets.keys);
    service_.cors = std::move(secrets.cors);
    tls_ = std::move(secrets.tls);
  }

  void close_listeners() {
    for (const auto& listener : listeners_) listener->close();
  }

  bool may_accept() const {
    return sessions_.size() < options_.settings.connections_max + kRefusedMax;
  }

  void admit(Socket socket) {
    if (ending_) return;
    auto transport = tls_ != nullptr ? make_tls_transport(std::move(socket), tls_)
                                     : make_plain_transport(std::move(socket));
    const Admission admission = sessions_.size() < options_.settings.connections_max
                                    ? Admission::kServe
                                    : Admission::kRefuse;
    const auto session = std::make_shared<Session>(service_, std::move(transport), admission);
    sessions_.emplace(session.get(), session);
    count_sessions();
    if (sessions_.size() == 1) asio::co_spawn(io_, tick_loop(), asio::detached);
    session->start([this](const Session* ended) {
      sessions_.erase(ended);
      count_sessions();
    });
  }

  void count_sessions() {
    {
      const std::scoped_lock lock(mutex_);
      connections_ = sessions_.size();
    }
    changed_.notify_all();
  }

  /// Runs only while there are connections: an idle server does not wake up.
  asio::awaitable<void> tick_loop() {
    if (std::exchange(ticking_, true)) co_return;
    while (!sessions_.empty() && !ending_) {
      tick_.expires_after(kTick);
      co_await tick_.async_wait(asio::as_tuple(asio::use_awaitable));
      const auto sessions = sessions_;  // expire() may end some
      for (const auto& [key, session] : sessions) session->expire(Session::Clock::now());
    }
    ticking_ = false;
  }

  const ServerOptions options_;
  asio::io_context io_{1};
  asio::executor_work_guard<asio::io_context::executor_type> work_{io_.get_executor()};
  Service service_;
  std::vector<std::unique_ptr<Listener>> listeners_;
  std::shared_ptr<asio::ssl::context> tls_;
  std::map<const Session*, std::shared_ptr<Session>> sessions_;
  asio::steady_timer tick_;
  bool ticking_ = false;
  bool ending_ = false;
  std::thread thread_;

  std::mutex mutex_;
  std::mutex stop_mutex_;
  std::condition_variable changed_;
  bool stopping_ = false;
  bool stopped_ = false;  // under stop_mutex_
  std::atomic<std::size_t> connections_ = 0;
};

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Server::~Server() = default;

Result<std::unique_ptr<Server>> Server::start(ServerOptions options) {
  auto impl = std::make_unique<Impl>(std::move(options));
  CAIRN_TRY(impl->listen());
  std::unique_ptr<Server> server(new Server(std::move(impl)));
  server->addresses_ = server->impl_->addresses();
  server->impl_->run();
  return server;
}

void Server::ready() { impl_->ready(); }

Status Server::reload() { return impl_->reload(); }

void Server::drain() { impl_->drain(); }

void Server::stop() { impl_->stop(); }

std::size_t Server::connections() const { return impl_->connections(); }

}  // namespace cairn::server

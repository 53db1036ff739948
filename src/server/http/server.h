// The HTTP server: addresses, connections, their limits, and how it stops.
//
// Purpose     carries requests to the handlers of a table and their replies back; it knows nothing
//             of models. The layers above give it routes and get a log of what was answered.
// Invariants  one I/O thread that never blocks and one preparation thread. Every wait for a client
//             has a limit of settings.h. A client that is gone destroys its answer.
// Threads     all of Server's functions may be called from any thread but the two of its own.
// Adding      an endpoint: a Route (router.h) with its handler (reply.h).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "server/http/access_record.h"
#include "server/http/router.h"
#include "server/settings.h"

namespace cairn::server {

/// Where to listen: a path of a Unix socket, else an address and a port (0: any free one).
struct ListenAddress {
  std::string host = "127.0.0.1";
  std::uint16_t port = 0;
  std::string unix_path = {};
};

/// PEM files; none named: no TLS. Clients need a certificate of `client_ca` where one is named.
struct TlsFiles {
  std::string certificate = {};
  std::string key = {};
  std::string client_ca = {};
};

/// Whether addresses beyond this machine may be listened to without API keys.
enum class Exposure : std::uint8_t { kThisMachine, kAnywhere };

/// Whether handlers can be called yet: until then every route is answered 503 with Retry-After.
enum class Readiness : std::uint8_t { kReady, kLoading };

struct ServerOptions {
  HttpSettings settings = {};
  std::vector<ListenAddress> listen = {};
  TlsFiles tls = {};
  std::string keys_file = {};        // empty: no keys
  std::string admin_keys_file = {};  // empty: every key is the administrator's
  Exposure exposure = Exposure::kThisMachine;
  std::vector<Route> routes = {};
  Readiness readiness = Readiness::kReady;
  /// Called on the I/O thread for every request; it must not block.
  std::function<void(const AccessRecord&)> log = {};
};

class Server {
 public:
  /// Listens and answers. Errors: kInvalidArgument (no address, a bad key file, an address beyond
  /// this machine without keys), kNotFound and kIo (files), kUnavailable (an address in use).
  static Result<std::unique_ptr<Server>> start(ServerOptions options);

  /// As stop().
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Where it listens: "http://127.0.0.1:8080", "unix:/run/cairn.sock"; ports as they came out.
  const std::vector<std::string>& addresses() const { return addresses_; }

  /// Handlers may be called from now on; for a server that was started as kLoading.
  void ready();

  /// Reads certificates and keys again, for new connections and requests. Errors: as start(); then
  /// what was read before stays.
  Status reload();

  /// Stops gracefully: accepts nothing new, closes idle connections, lets answers finish for
  /// drain-ms, gives those that still run their last event, then ends all. Returns when done.
  void drain();

  /// Ends everything at once; a drain that runs returns.
  void stop();

  /// How many connections there are.
  std::size_t connections() const;

 private:
  class Impl;
  explicit Server(std::unique_ptr<Impl> impl);

  std::vector<std::string> addresses_;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cairn::server

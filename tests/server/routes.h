// A server with one route of each kind, and what the tests can see of it from outside.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "server/http/server.h"

namespace cairn::server {

/// What handlers and answers did, for all threads.
struct Watched {
  std::atomic<int> sources = 0;  // streams alive
  std::atomic<int> pending = 0;  // pending answers alive
  std::atomic<int> handled = 0;  // calls of POST /echo
  std::atomic<int> pulls = 0;    // of all streams
  std::mutex mutex;
  std::mutex gate;                // held by a test: GET /gate waits for it
  std::vector<Waker> wakers;      // of GET /held, under mutex
  std::vector<AccessRecord> log;  // under mutex

  /// The statuses of the log in order.
  std::vector<int> statuses();
};

/// Settings with short times, loopback on a free port, the routes:
///   GET /health (open), GET /text, POST /echo (on the preparation thread), POST /json,
///   GET /admin (admin key), GET /throw, GET /gate (see Watched), GET /big (1 MiB),
///   GET /count?n=N (N events), GET /endless (as fast as it can), GET /held (no event, until the
///   end), GET /pending (never answers).
ServerOptions test_options(const std::shared_ptr<Watched>& watched);

/// Starts or ends the test program with the error.
std::unique_ptr<Server> start_or_die(ServerOptions options);

/// A path for this run of the test alone: others may run it too.
std::string test_path(const std::string& name);

/// Writes `text` to a file of that name in the test's folder; its path.
std::string write_test_file(const std::string& name, const std::string& text);

}  // namespace cairn::server

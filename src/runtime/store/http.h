// HTTP GET over libcurl, with the rules that a download from a hub needs.
//
// Purpose     one request with its redirects, streamed into a sink, retried when that may help.
// Invariants  the token is sent to the hub's own scheme, host and port and nowhere else; from https
//             a redirect leads to https only; headers and error bodies are bounded.
// Threads     a client belongs to one thread; stopping it may come from any.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include "base/status.h"
#include "runtime/store/store.h"

namespace cairn::runtime {

/// Status and headers (names in lower case) of the response that carries the body. What an earlier
/// response of the redirects said about the file (x-linked-*, x-repo-commit) is in it too.
struct HttpHead {
  long status = 0;
  std::map<std::string, std::string, std::less<>> headers = {};

  /// Empty when absent.
  std::string_view header(std::string_view name) const;
};

/// Takes a response of status 200 or 206. An error it returns ends the request with that error.
class HttpSink {
 public:
  virtual ~HttpSink() = default;
  virtual Status head(const HttpHead& head) = 0;
  virtual Status body(std::string_view bytes) = 0;
};

struct HttpRequest {
  std::string url = {};
  std::uint64_t range_from = 0;  // above 0: "Range: bytes=N-"
};

/// Whether there was anybody to ask: kNobody for a name that no address is known for and a port
/// that nobody listens on.
enum class Reach : std::uint8_t { kServer, kNobody };

/// The end of a request: kUnavailable means that trying again may help. Status 416 is no error.
struct HttpResult {
  Status status = {};
  HttpHead head = {};
  Reach reach = Reach::kServer;
};

class HttpClient {
 public:
  HttpClient(const StoreOptions& options, std::stop_token stop);
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  /// One try.
  HttpResult get(const HttpRequest& request, HttpSink& sink);

  /// A text of at most `bytes_max`, with tries: two where there is nobody to ask. The head is that
  /// of the last response.
  Result<std::string> get_text(const std::string& url, std::uint64_t bytes_max, HttpHead& head);

  /// Waits before try number `attempt` (1 is the second) as long as the options and the server's
  /// Retry-After say. Errors: kCancelled; `last`'s status when there are no more tries.
  Status wait_to_retry(int attempt, const HttpResult& last) const;

 private:
  HttpResult perform(const HttpRequest& request, HttpSink& sink);

  const StoreOptions& options_;
  std::stop_token stop_;
  std::unique_ptr<void, void (*)(void*)> curl_;
};

}  // namespace cairn::runtime

#include "runtime/store/http.h"

#include <curl/curl.h>
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

#include "runtime/store/http_transfer.h"
#include "runtime/store/url.h"

namespace cairn::runtime {
namespace {

constexpr int kRedirectsMax = 10;
constexpr std::int64_t kWaitMaxMs = 60000;
constexpr int kNobodyAttemptsMax = 2;

void set_common_options(CURL* curl, const StoreOptions& options) {
  curl_easy_reset(curl);
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_USERAGENT, "cairn/" CAIRN_VERSION);
  // Set even when empty: curl would read the environment otherwise.
  curl_easy_setopt(curl, CURLOPT_PROXY, options.proxy.c_str());
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, static_cast<long>(options.connect_s));
}

/// Frees a list of request headers.
struct FreeList {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using HeaderList = std::unique_ptr<curl_slist, FreeList>;

HeaderList authorization(const StoreOptions& options, const std::string& url) {
  if (options.token.empty() || !same_origin(url, options.endpoint)) return nullptr;
  return HeaderList(curl_slist_append(nullptr, ("Authorization: Bearer " + options.token).c_str()));
}

/// A sink that is told of what earlier responses said about the file.
class LinkedSink final : public HttpSink {
 public:
  explicit LinkedSink(HttpSink& inner) : inner_(inner) {}

  Status head(const HttpHead& head) override {
    HttpHead all = head;
    all.headers.insert(earlier_.begin(), earlier_.end());
    return inner_.head(all);
  }
  Status body(std::string_view bytes) override { return inner_.body(bytes); }

  /// Keeps what a redirect says; what the first one said stands.
  void keep(const HttpHead& redirect) {
    for (const std::string_view name : {"x-linked-etag", "x-linked-size", "x-repo-commit"}) {
      const std::string_view value = redirect.header(name);
      if (!value.empty()) earlier_.emplace(name, value);
    }
  }

 private:
  HttpSink& inner_;
  std::map<std::string, std::string, std::less<>> earlier_;
};

/// Where the redirect that `curl` got last leads to.
Result<std::string> redirect_of(CURL* curl, const std::string& url) {
  char* target = nullptr;
  curl_easy_getinfo(curl, CURLINFO_REDIRECT_URL, &target);
  if (target == nullptr) return unavailable(url + ": a redirect without a usable address");
  std::string next = target;
  if (url.starts_with("https:") && !next.starts_with("https:")) {
    return invalid_argument(url + ": redirects from https to " + next + ", expected https");
  }
  return next;
}

/// Collects a text up to a size.
class TextSink final : public HttpSink {
 public:
  TextSink(std::string_view url, std::uint64_t bytes_max) : url_(url), bytes_max_(bytes_max) {}

  Status head(const HttpHead&) override {
    text_.clear();
    return {};
  }
  Status body(std::string_view bytes) override {
    if (bytes.size() > bytes_max_ - text_.size()) {
      return invalid_file(fmt::format("{}: more than {} bytes", url_, bytes_max_));
    }
    text_ += bytes;
    return {};
  }
  std::string take() { return std::move(text_); }

 private:
  std::string_view url_;
  std::uint64_t bytes_max_ = 0;
  std::string text_;
};

}  // namespace

std::string_view HttpHead::header(std::string_view name) const {
  const auto found = headers.find(name);
  return found == headers.end() ? std::string_view() : std::string_view(found->second);
}

HttpClient::HttpClient(const StoreOptions& options, std::stop_token stop)
    : options_(options), stop_(std::move(stop)), curl_(curl_easy_init(), curl_easy_cleanup) {
  CAIRN_CHECK(curl_ != nullptr);  // out of memory
}

HttpClient::~HttpClient() = default;

HttpResult HttpClient::perform(const HttpRequest& request, HttpSink& sink) {
  CURL* curl = curl_.get();
  set_common_options(curl, options_);
  const HeaderList headers = authorization(options_, request.url);
  const std::string range = fmt::format("{}-", request.range_from);
  curl_easy_setopt(curl, CURLOPT_URL, request.url.c_str());
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers.get());
  if (request.range_from > 0) curl_easy_setopt(curl, CURLOPT_RANGE, range.c_str());
  HttpTransfer transfer(curl, sink, stop_, std::chrono::seconds(options_.stall_s));
  transfer.attach();
  const CURLcode code = curl_easy_perform(curl);
  return transfer.result(code, request.url);
}

HttpResult HttpClient::get(const HttpRequest& request, HttpSink& sink) {
  HttpRequest hop = request;
  LinkedSink linked(sink);
  for (int redirects = 0; redirects <= kRedirectsMax; ++redirects) {
    HttpResult result = perform(hop, linked);
    if (!result.status.ok() || !is_redirect(result.head.status)) return result;
    linked.keep(result.head);
    auto next = redirect_of(curl_.get(), hop.url);
    if (!next.ok()) return {.status = next.status()};
    hop.url = *std::move(next);
  }
  return {.status =
              unavailable(fmt::format("{}: more than {} redirects", request.url, kRedirectsMax))};
}

Result<std::string> HttpClient::get_text(const std::string& url, std::uint64_t bytes_max,
                                         HttpHead& head) {
  for (int attempt = 1;; ++attempt) {
    TextSink sink(url, bytes_max);
    HttpResult result = get({.url = url}, sink);
    if (result.status.ok() && !carries_file(result.head.status)) {
      return unavailable(fmt::format("{}: the server answered {}", url, result.head.status));
    }
    if (result.status.ok()) {
      head = std::move(result.head);
      return sink.take();
    }
    if (result.status.code() != StatusCode::kUnavailable) return result.status;
    if (result.reach == Reach::kNobody &&
        attempt >= std::min(kNobodyAttemptsMax, options_.attempts_max)) {
      return unavailable(
          fmt::format("{} (tried {} times); is there a network? HF_ENDPOINT names another hub",
                      result.status.message(), attempt));
    }
    CAIRN_TRY(wait_to_retry(attempt, result));
  }
}

Status HttpClient::wait_to_retry(int attempt, const HttpResult& last) const {
  if (attempt >= options_.attempts_max) {
    return Status(last.status.code(),
                  fmt::format("{} (tried {} times)", last.status.message(), attempt));
  }
  std::int64_t wait_ms = options_.retry_ms;
  for (int i = 1; i < attempt && wait_ms < kWaitMaxMs; ++i) wait_ms *= 2;
  std::int64_t asked_s = 0;
  const std::string_view after = last.head.header("retry-after");
  std::from_chars(after.data(), after.data() + after.size(), asked_s);
  wait_ms = std::min(kWaitMaxMs, std::max(wait_ms, std::min<std::int64_t>(asked_s, 60) * 1000));

  std::mutex mutex;
  std::condition_variable_any stopped;
  std::unique_lock lock(mutex);
  stopped.wait_for(lock, stop_, std::chrono::milliseconds(wait_ms), [] { return false; });
  return stop_.stop_requested() ? cancelled("stopped while waiting to try again") : Status();
}

}  // namespace cairn::runtime

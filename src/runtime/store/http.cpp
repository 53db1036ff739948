#include "runtime/store/http.h"

#include <curl/curl.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <utility>

#include "base/utf8.h"
#include "runtime/store/url.h"

namespace cairn::runtime {
namespace {

constexpr int kRedirectsMax = 10;
constexpr std::size_t kHeadersMax = 200;
constexpr std::size_t kErrorBytesMax = 300;
constexpr std::int64_t kWaitMaxMs = 60000;

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return out;
}

bool is_redirect(long status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

bool carries_file(long status) { return status == 200 || status == 206; }

/// What a refusing status means for the caller; ok for the others.
Status status_of(long status, const std::string& url, std::string_view body) {
  if (status < 400 || status == 416) return {};
  std::string message = fmt::format("{}: the server answered {}", url, status);
  const std::string said = replace_invalid_utf8(trimmed(body));
  if (!said.empty()) message += ": " + said;
  if (status == 401 || status == 403) {
    return invalid_argument(message + " (no access: a token that may read it is needed, HF_TOKEN)");
  }
  if (status == 404 || status == 410) return not_found(std::move(message));
  if (status == 408 || status == 429 || status >= 500) return unavailable(std::move(message));
  return invalid_argument(std::move(message));
}

/// Whether the same request could fare better later.
bool may_pass(CURLcode code) {
  switch (code) {
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_OUT_OF_MEMORY:
      return false;
    default:
      return true;
  }
}

}  // namespace

std::string_view HttpHead::header(std::string_view name) const {
  const auto found = headers.find(name);
  return found == headers.end() ? std::string_view() : std::string_view(found->second);
}

/// One response while it comes in; curl's callbacks work on it.
struct HttpClient::Transfer {
  CURL* curl = nullptr;
  HttpSink* sink = nullptr;
  std::stop_token stop = {};
  HttpHead head = {};
  bool head_given = false;
  Status status = {};           // the sink's error
  std::string error_body = {};  // the beginning of what came with a refusal
  std::chrono::seconds stall = {};
  curl_off_t seen_bytes = 0;
  std::chrono::steady_clock::time_point seen_at = std::chrono::steady_clock::now();
  bool stalled = false;

  /// Passes the head on, once, when the response carries the file.
  bool give_head() {
    if (head_given) return true;
    head_given = true;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &head.status);
    if (carries_file(head.status)) status = sink->head(head);
    return status.ok();
  }

  std::size_t take_header(std::string_view line) {
    if (line.starts_with("HTTP/")) {  // also after "100 Continue"
      head.headers.clear();
      return line.size();
    }
    const std::size_t colon = line.find(':');
    if (colon != std::string_view::npos && head.headers.size() < kHeadersMax) {
      head.headers[lower(line.substr(0, colon))] = trimmed(line.substr(colon + 1));
    }
    return line.size();
  }

  /// Fewer bytes than given make curl stop.
  std::size_t take_body(std::string_view bytes) {
    if (!give_head()) return 0;
    if (!carries_file(head.status)) {
      error_body.append(
          bytes.substr(0, kErrorBytesMax - std::min(kErrorBytesMax, error_body.size())));
      return bytes.size();
    }
    status = sink->body(bytes);
    return status.ok() ? bytes.size() : 0;
  }

  static std::size_t on_header(char* data, std::size_t size, std::size_t count, void* self) {
    return static_cast<Transfer*>(self)->take_header({data, size * count});
  }
  static std::size_t on_body(char* data, std::size_t size, std::size_t count, void* self) {
    return static_cast<Transfer*>(self)->take_body({data, size * count});
  }
  /// Whether to give up. curl asks at least once a second; its own rule for slow connections
  /// looks at an average over several seconds.
  bool gives_up(curl_off_t bytes) {
    const auto now = std::chrono::steady_clock::now();
    if (bytes != seen_bytes) {
      seen_bytes = bytes;
      seen_at = now;
    }
    stalled = now - seen_at > stall;
    return stalled || stop.stop_requested();
  }
  static int on_progress(void* self, curl_off_t, curl_off_t bytes, curl_off_t, curl_off_t) {
    return static_cast<Transfer*>(self)->gives_up(bytes) ? 1 : 0;
  }
};

HttpClient::HttpClient(const StoreOptions& options, std::stop_token stop)
    : options_(options), stop_(std::move(stop)), curl_(curl_easy_init(), curl_easy_cleanup) {
  CAIRN_CHECK(curl_ != nullptr);  // out of memory
}

HttpClient::~HttpClient() = default;

namespace {

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

}  // namespace

HttpResult HttpClient::perform(const HttpRequest& request, HttpSink& sink) {
  CURL* curl = curl_.get();
  set_common_options(curl, options_);
  Transfer transfer = {
      .curl = curl, .sink = &sink, .stop = stop_, .stall = std::chrono::seconds(options_.stall_s)};
  const HeaderList headers = authorization(options_, request.url);
  const std::string range = fmt::format("{}-", request.range_from);
  curl_easy_setopt(curl, CURLOPT_URL, request.url.c_str());
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers.get());
  if (request.range_from > 0) curl_easy_setopt(curl, CURLOPT_RANGE, range.c_str());
  curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, &Transfer::on_header);
  curl_easy_setopt(curl, CURLOPT_HEADERDATA, &transfer);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, &Transfer::on_body);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &transfer);
  curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, &Transfer::on_progress);
  curl_easy_setopt(curl, CURLOPT_XFERINFODATA, &transfer);
  curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);

  const CURLcode code = curl_easy_perform(curl);
  if (stop_.stop_requested()) return {.status = cancelled(request.url + ": stopped")};
  if (!transfer.status.ok()) return {.status = transfer.status};
  if (code != CURLE_OK) {
    std::string message =
        transfer.stalled
            ? fmt::format("{}: nothing came for {} seconds", request.url, transfer.stall.count())
            : fmt::format("{}: {}", request.url, curl_easy_strerror(code));
    return {.status = may_pass(code) ? unavailable(std::move(message))
                                     : invalid_argument(std::move(message)),
            .head = std::move(transfer.head)};
  }
  if (!transfer.give_head()) return {.status = transfer.status};
  return {.status = status_of(transfer.head.status, request.url, transfer.error_body),
          .head = std::move(transfer.head)};
}

HttpResult HttpClient::get(const HttpRequest& request, HttpSink& sink) {
  HttpRequest hop = request;
  std::map<std::string, std::string, std::less<>> linked;
  // A sink that is told of what earlier responses said about the file.
  struct Linked final : HttpSink {
    Linked(HttpSink& sink, const std::map<std::string, std::string, std::less<>>& said)
        : inner(sink), earlier(said) {}
    Status head(const HttpHead& head) override {
      HttpHead all = head;
      all.headers.insert(earlier.begin(), earlier.end());
      return inner.head(all);
    }
    Status body(std::string_view bytes) override { return inner.body(bytes); }
    HttpSink& inner;
    const std::map<std::string, std::string, std::less<>>& earlier;
  } with_linked(sink, linked);

  for (int redirects = 0; redirects <= kRedirectsMax; ++redirects) {
    HttpResult result = perform(hop, with_linked);
    if (!result.status.ok() || !is_redirect(result.head.status)) return result;
    for (const std::string_view name : {"x-linked-etag", "x-linked-size", "x-repo-commit"}) {
      const std::string_view value = result.head.header(name);
      if (!value.empty()) linked.emplace(name, value);
    }
    char* target = nullptr;
    curl_easy_getinfo(curl_.get(), CURLINFO_REDIRECT_URL, &target);
    if (target == nullptr) {
      return {.status = unavailable(hop.url + ": a redirect without a usable address")};
    }
    const std::string next = target;
    if (hop.url.starts_with("https:") && !next.starts_with("https:")) {
      return {.status = invalid_argument(hop.url + ": redirects from https to " + next +
                                         ", expected https")};
    }
    hop.url = next;
  }
  return {.status =
              unavailable(fmt::format("{}: more than {} redirects", request.url, kRedirectsMax))};
}

namespace {

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

std::string url_escape(std::string_view text, std::string_view kept) {
  std::string out;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-_.~").find(c) != std::string_view::npos ||
                       kept.find(c) != std::string_view::npos;
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

}  // namespace cairn::runtime

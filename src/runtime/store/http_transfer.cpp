#include "runtime/store/http_transfer.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/ascii.h"
#include "base/utf8.h"

namespace cairn::runtime {
namespace {

constexpr std::size_t kHeadersMax = 200;
constexpr std::size_t kHeaderBytesMax = 256 << 10;  // of one answer; curl's own bound is per line
constexpr std::size_t kErrorBytesMax = 300;
constexpr std::size_t kUnusedBytesMax = 1 << 20;  // of a body that is not the file
constexpr curl_off_t kProgressBytes = 1024;       // fewer in the time allowed is no progress

/// What a refusing status means for the caller; ok for the others.
Status status_of(long status, const std::string& url, std::string_view body) {
  if (status < 400 || status == 416) return {};
  std::string message = fmt::format("{}: the server answered {}", url, status);
  const std::string said = replace_invalid_utf8(trimmed(body));
  if (!said.empty() && !said.starts_with('<')) message += ": " + said;  // no page for a browser
  if (status == 401 || status == 403) {
    return invalid_argument(message +
                            " (no such model, or a token that may read it is needed, HF_TOKEN)");
  }
  if (status == 404 || status == 410) return not_found(std::move(message));
  if (status == 408 || status == 429 || status >= 500) return unavailable(std::move(message));
  return invalid_argument(std::move(message));
}

/// Whether there was anybody to ask.
Reach reach_of(CURLcode code) {
  const bool nobody = code == CURLE_COULDNT_RESOLVE_HOST || code == CURLE_COULDNT_RESOLVE_PROXY ||
                      code == CURLE_COULDNT_CONNECT;
  return nobody ? Reach::kNobody : Reach::kServer;
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

bool carries_file(long status) { return status == 200 || status == 206; }

bool is_redirect(long status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

void HttpTransfer::attach() {
  curl_easy_setopt(curl_, CURLOPT_HEADERFUNCTION, &HttpTransfer::on_header);
  curl_easy_setopt(curl_, CURLOPT_HEADERDATA, this);
  curl_easy_setopt(curl_, CURLOPT_WRITEFUNCTION, &HttpTransfer::on_body);
  curl_easy_setopt(curl_, CURLOPT_WRITEDATA, this);
  curl_easy_setopt(curl_, CURLOPT_XFERINFOFUNCTION, &HttpTransfer::on_progress);
  curl_easy_setopt(curl_, CURLOPT_XFERINFODATA, this);
  curl_easy_setopt(curl_, CURLOPT_NOPROGRESS, 0L);
}

HttpResult HttpTransfer::result(CURLcode code, const std::string& url) {
  if (stop_.stop_requested()) return {.status = cancelled(url + ": stopped")};
  if (!refusal_.ok()) return {.status = refusal_.in(url)};
  if (!sink_status_.ok()) return {.status = sink_status_};
  if (code != CURLE_OK) {
    return {.status = failure(code, url), .head = std::move(head_), .reach = reach_of(code)};
  }
  if (!give_head()) return {.status = sink_status_};
  return {.status = status_of(head_.status, url, error_body_), .head = std::move(head_)};
}

Status HttpTransfer::failure(CURLcode code, const std::string& url) const {
  std::string message = stalled_ ? fmt::format("{}: less than {} bytes came in {} seconds", url,
                                               kProgressBytes, stall_.count())
                                 : fmt::format("{}: {}", url, curl_easy_strerror(code));
  return may_pass(code) ? unavailable(std::move(message)) : invalid_argument(std::move(message));
}

/// Passes the head on, once, when the response carries the file.
bool HttpTransfer::give_head() {
  if (head_given_) return true;
  head_given_ = true;
  curl_easy_getinfo(curl_, CURLINFO_RESPONSE_CODE, &head_.status);
  if (carries_file(head_.status)) sink_status_ = sink_.head(head_);
  return sink_status_.ok();
}

std::size_t HttpTransfer::take_header(std::string_view line) {
  header_bytes_ += line.size();
  if (header_bytes_ > kHeaderBytesMax) {
    refusal_ =
        invalid_file(fmt::format("the answer has more than {} bytes of headers, which is "
                                 "the most accepted",
                                 kHeaderBytesMax));
    return 0;
  }
  if (line.starts_with("HTTP/")) {  // also after "100 Continue"
    head_.headers.clear();
    return line.size();
  }
  const std::size_t colon = line.find(':');
  if (colon != std::string_view::npos && head_.headers.size() < kHeadersMax) {
    head_.headers[lower_ascii(line.substr(0, colon))] = trimmed(line.substr(colon + 1));
  }
  return line.size();
}

/// Fewer bytes than given make curl stop.
std::size_t HttpTransfer::take_body(std::string_view bytes) {
  if (!give_head()) return 0;
  if (!carries_file(head_.status)) {
    const std::size_t room = kErrorBytesMax - std::min(kErrorBytesMax, error_body_.size());
    error_body_.append(bytes.substr(0, room));
    return take_unused(bytes.size());
  }
  sink_status_ = sink_.body(bytes);
  return sink_status_.ok() ? bytes.size() : 0;
}

/// Counts what comes with a redirect or a refusal, so that it cannot go on for ever.
std::size_t HttpTransfer::take_unused(std::size_t bytes) {
  unused_bytes_ += bytes;
  if (unused_bytes_ <= kUnusedBytesMax) return bytes;
  refusal_ = invalid_file(fmt::format("the server answered {} with more than {} bytes behind it",
                                      head_.status, kUnusedBytesMax));
  return 0;
}

/// Whether to give up. curl asks at least once a second; its own rule for slow connections looks at
/// an average over several seconds.
bool HttpTransfer::gives_up(curl_off_t bytes) {
  const auto now = std::chrono::steady_clock::now();
  if (bytes - seen_bytes_ >= kProgressBytes) {
    seen_bytes_ = bytes;
    seen_at_ = now;
  }
  stalled_ = now - seen_at_ > stall_;
  return stalled_ || stop_.stop_requested();
}

std::size_t HttpTransfer::on_header(char* data, std::size_t size, std::size_t count, void* self) {
  return static_cast<HttpTransfer*>(self)->take_header({data, size * count});
}

std::size_t HttpTransfer::on_body(char* data, std::size_t size, std::size_t count, void* self) {
  return static_cast<HttpTransfer*>(self)->take_body({data, size * count});
}

int HttpTransfer::on_progress(void* self, curl_off_t, curl_off_t bytes, curl_off_t, curl_off_t) {
  return static_cast<HttpTransfer*>(self)->gives_up(bytes) ? 1 : 0;
}

}  // namespace cairn::runtime

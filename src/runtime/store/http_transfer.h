// One response while it comes in: what curl's callbacks are told, and what that means at the end.
//
// Threads     those of the client it belongs to; only the stop may come from another.
#pragma once

#include <curl/curl.h>

#include <chrono>
#include <cstddef>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

#include "base/status.h"
#include "runtime/store/http.h"

namespace cairn::runtime {

/// Whether a response of this status carries (a part of) the file.
bool carries_file(long status);

/// Whether a response of this status names another address.
bool is_redirect(long status);

/// Borrows all that it is given until it goes.
class HttpTransfer {
 public:
  /// With (nearly) no bytes for as long as `stall` the transfer ends.
  HttpTransfer(CURL* curl, HttpSink& sink, std::stop_token stop, std::chrono::seconds stall)
      : curl_(curl), sink_(sink), stop_(std::move(stop)), stall_(stall) {}
  HttpTransfer(const HttpTransfer&) = delete;
  HttpTransfer& operator=(const HttpTransfer&) = delete;

  /// Makes curl tell this transfer what comes.
  void attach();

  /// What the end of the transfer means for the caller: `code` is curl_easy_perform's answer.
  HttpResult result(CURLcode code, const std::string& url);

 private:
  bool give_head();
  std::size_t take_header(std::string_view line);
  std::size_t take_body(std::string_view bytes);
  std::size_t take_unused(std::size_t bytes);
  bool gives_up(curl_off_t bytes);
  Status failure(CURLcode code, const std::string& url) const;

  static std::size_t on_header(char* data, std::size_t size, std::size_t count, void* self);
  static std::size_t on_body(char* data, std::size_t size, std::size_t count, void* self);
  static int on_progress(void* self, curl_off_t, curl_off_t bytes, curl_off_t, curl_off_t);

  CURL* curl_ = nullptr;
  HttpSink& sink_;
  std::stop_token stop_;
  std::chrono::seconds stall_ = {};
  HttpHead head_ = {};
  bool head_given_ = false;
  Status sink_status_ = {};
  Status refusal_ = {};           // why this transfer stopped reading
  std::size_t header_bytes_ = 0;  // of all answers, those before the last included
  std::size_t unused_bytes_ = 0;
  std::string error_body_ = {};  // the beginning of what came with a refusal
  curl_off_t seen_bytes_ = 0;
  std::chrono::steady_clock::time_point seen_at_ = std::chrono::steady_clock::now();
  bool stalled_ = false;
};

}  // namespace cairn::runtime

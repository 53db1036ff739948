#include "cli/bench/load_client.h"

#include <curl/curl.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/clock.h"
#include "base/json.h"
#include "evidence/bench/sse.h"

namespace cairn::cli {
namespace {

constexpr std::size_t kRefusalBytesMax = 300;

struct FreeEasy {
  void operator()(CURL* curl) const { curl_easy_cleanup(curl); }
};
struct FreeMulti {
  void operator()(CURLM* multi) const { curl_multi_cleanup(multi); }
};
struct FreeList {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};

/// One request on its way.
struct Flight {
  std::unique_ptr<CURL, FreeEasy> easy;
  std::string body;
  evidence::SseReader reader;
  std::string refusal;  // the beginning of what came with a status that is no 200
  double due_ms = 0;
  std::int64_t begin_ns = 0;  // of the whole load
};

double ms_of(std::int64_t begin_ns) { return static_cast<double>(steady_ns() - begin_ns) * 1e-6; }

std::size_t on_bytes(char* data, std::size_t size, std::size_t count, void* self) {
  auto& flight = *static_cast<Flight*>(self);
  const std::string_view bytes(data, size * count);
  long status = 0;
  curl_easy_getinfo(flight.easy.get(), CURLINFO_RESPONSE_CODE, &status);
  if (status == 200) {
    flight.reader.feed(bytes, ms_of(flight.begin_ns) - flight.due_ms);
  } else if (flight.refusal.size() < kRefusalBytesMax) {
    flight.refusal += bytes.substr(0, kRefusalBytesMax);
  }
  return bytes.size();
}

std::size_t on_listing(char* data, std::size_t size, std::size_t count, void* self) {
  constexpr std::size_t kListingBytesMax = 1U << 20U;
  auto& body = *static_cast<std::string*>(self);
  if (body.size() + size * count > kListingBytesMax) return 0;
  body.append(data, size * count);
  return size * count;
}

/// What every request has.
void set_common(CURL* easy, const LoadTarget& target, const std::string& url, curl_slist* headers) {
  curl_easy_setopt(easy, CURLOPT_URL, url.c_str());
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_TCP_NODELAY, 1L);
  curl_easy_setopt(easy, CURLOPT_TIMEOUT, target.timeout_s);
  // A proxy between would be measured too.
  curl_easy_setopt(easy, CURLOPT_NOPROXY, "*");
}

/// What is wrong with a request that has ended; empty when it was answered.
std::string fault_of(const Flight& flight, CURLcode code) {
  if (code != CURLE_OK) return curl_easy_strerror(code);
  long status = 0;
  curl_easy_getinfo(flight.easy.get(), CURLINFO_RESPONSE_CODE, &status);
  if (status != 200) return fmt::format("the server answered {}: {}", status, flight.refusal);
  if (!flight.reader.error().empty()) return flight.reader.error();
  if (!flight.reader.done()) return "the stream ended without [DONE]";
  return "";
}

/// Everything on its way and everything that came back.
class Load {
 public:
  Load(const LoadTarget& target, const std::vector<std::string>& prompts, const LoadShape& shape)
      : target_(target), prompts_(prompts), shape_(shape), multi_(curl_multi_init()) {
    add_header("Content-Type: application/json");
    if (!target.api_key.empty()) add_header("Authorization: Bearer " + target.api_key);
    outcomes_.resize(prompts.size());
    flights_.resize(prompts.size());
  }
  ~Load() {
    for (const auto& flight : flights_) {
      if (flight) curl_multi_remove_handle(multi_.get(), flight->easy.get());
    }
  }
  Load(const Load&) = delete;
  Load& operator=(const Load&) = delete;

  Result<std::vector<LoadOutcome>> run(const std::function<bool()>& cancelled) {
    begin_ns_ = steady_ns();
    while (ended_ < prompts_.size()) {
      if (cancelled()) return cairn::cancelled("stopped");
      CAIRN_TRY(send_due());
      int running = 0;
      CAIRN_TRY(checked(curl_multi_perform(multi_.get(), &running)));
      take_ended();
      if (is_due() || ended_ == prompts_.size()) continue;  // nothing may wait for a free client
      CAIRN_TRY(checked(curl_multi_poll(multi_.get(), nullptr, 0, wait_ms(), nullptr)));
    }
    return std::move(outcomes_);
  }

 private:
  static Status checked(CURLMcode code) {
    if (code == CURLM_OK) return {};
    return internal_error(std::string("the HTTP client: ") + curl_multi_strerror(code));
  }

  void add_header(const std::string& line) {
    headers_.reset(curl_slist_append(headers_.release(), line.c_str()));
  }

  bool is_due() const {
    if (sent_ == prompts_.size()) return false;
    if (shape_.arrivals_ms.empty()) return sent_ - ended_ < shape_.clients;
    return shape_.arrivals_ms[sent_] <= ms_of(begin_ns_);
  }

  /// Until the next arrival, and never long: Ctrl-C is looked at in between.
  int wait_ms() const {
    constexpr double kWaitMs = 50;
    if (shape_.arrivals_ms.empty() || sent_ == prompts_.size()) return static_cast<int>(kWaitMs);
    return static_cast<int>(std::clamp(shape_.arrivals_ms[sent_] - ms_of(begin_ns_), 0.0, kWaitMs));
  }

  Status send_due() {
    while (is_due()) {
      auto flight = std::make_unique<Flight>();
      flight->easy.reset(curl_easy_init());
      flight->body = load_body(target_, prompts_[sent_]);
      flight->begin_ns = begin_ns_;
      flight->due_ms = shape_.arrivals_ms.empty() ? ms_of(begin_ns_) : shape_.arrivals_ms[sent_];
      prepare(*flight);
      CAIRN_TRY(checked(curl_multi_add_handle(multi_.get(), flight->easy.get())));
      flights_[sent_++] = std::move(flight);
    }
    return {};
  }

  void prepare(Flight& flight) const {
    CURL* easy = flight.easy.get();
    set_common(easy, target_, target_.url + "/chat/completions", headers_.get());
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE,
                     static_cast<curl_off_t>(flight.body.size()));
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, flight.body.c_str());
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, &on_bytes);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, &flight);
  }

  void take_ended() {
    int left = 0;
    while (const CURLMsg* message = curl_multi_info_read(multi_.get(), &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      const auto found = std::ranges::find_if(flights_, [&](const auto& flight) {
        return flight && flight->easy.get() == message->easy_handle;
      });
      if (found == flights_.end()) continue;
      const auto index = static_cast<std::size_t>(found - flights_.begin());
      outcomes_[index] = outcome_of(**found, message->data.result);
      curl_multi_remove_handle(multi_.get(), (*found)->easy.get());
      found->reset();
      ++ended_;
    }
  }

  LoadOutcome outcome_of(const Flight& flight, CURLcode code) const {
    LoadOutcome outcome;
    outcome.due_ms = flight.due_ms;
    outcome.end_ms = ms_of(begin_ns_);
    outcome.error = fault_of(flight, code);
    if (!outcome.error.empty()) return outcome;
    outcome.figures = evidence::fold_stream(flight.reader.chunks(), target_.output_tokens);
    outcome.text = flight.reader.text();
    outcome.prompt_tokens = flight.reader.prompt_tokens();
    return outcome;
  }

  const LoadTarget& target_;
  const std::vector<std::string>& prompts_;
  const LoadShape& shape_;
  std::unique_ptr<CURLM, FreeMulti> multi_;
  std::unique_ptr<curl_slist, FreeList> headers_;
  std::vector<std::unique_ptr<Flight>> flights_;  // by prompt; null before and after
  std::vector<LoadOutcome> outcomes_;
  std::size_t sent_ = 0;
  std::size_t ended_ = 0;
  std::int64_t begin_ns_ = 0;
};

}  // namespace

Result<std::string> listed_model(const LoadTarget& target) {
  const std::string url = target.url + "/models";
  const std::unique_ptr<CURL, FreeEasy> easy(curl_easy_init());
  std::unique_ptr<curl_slist, FreeList> headers;
  if (!target.api_key.empty()) {
    headers.reset(curl_slist_append(nullptr, ("Authorization: Bearer " + target.api_key).c_str()));
  }
  std::string body;
  set_common(easy.get(), target, url, headers.get());
  curl_easy_setopt(easy.get(), CURLOPT_WRITEFUNCTION, &on_listing);
  curl_easy_setopt(easy.get(), CURLOPT_WRITEDATA, &body);
  const CURLcode code = curl_easy_perform(easy.get());
  if (code != CURLE_OK) return unavailable(url + ": " + curl_easy_strerror(code));
  const Result<Json> listing = parse_json(body);
  const Json::json_pointer first("/data/0/id");
  if (!listing.ok() || !listing->contains(first) || !listing->at(first).is_string()) {
    return unavailable(url + ": found no list of models, expected one; --model names it instead");
  }
  return listing->at(first).get<std::string>();
}

std::string load_body(const LoadTarget& target, const std::string& prompt) {
  Json body = {{"model", target.model},
               {"messages", Json::array({{{"role", "user"}, {"content", prompt}}})},
               {"max_tokens", target.output_tokens},
               {"temperature", 0},
               {"stream", true},
               {"stream_options", {{"include_usage", true}}}};
  if (target.ignore_eos) body["ignore_eos"] = true;
  return line_of(body);
}

Result<std::vector<LoadOutcome>> drive_load(const LoadTarget& target,
                                            const std::vector<std::string>& prompts,
                                            const LoadShape& shape,
                                            const std::function<bool()>& cancelled) {
  Load load(target, prompts, shape);
  return load.run(cancelled);
}

}  // namespace cairn::cli

#include "server/metrics/metrics.h"

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <algorithm>
#include <mutex>
#include <utility>

namespace cairn::server {
namespace {

using prometheus::Counter;
using prometheus::Gauge;
using prometheus::Histogram;
using prometheus::Labels;
using Buckets = Histogram::BucketBoundaries;

// vLLM's edges, in seconds and tokens.
Buckets first_token_s() {
  return {0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75,
          1,     2.5,   5,    7.5,  10,   20,   40,   80,  160,  640, 2560};
}
Buckets per_token_s() {
  return {0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5,
          0.75, 1,     2.5,  5,     7.5, 10,   20,  40,  80};
}
Buckets request_s() {
  return {0.3, 0.5, 0.8, 1,  1.5, 2,   2.5, 5,   10,   15,  20,
          30,  40,  50,  60, 120, 240, 480, 960, 1920, 7680};
}
Buckets tokens() {
  return {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000};
}
Buckets answer_counts() { return {1, 2, 5, 10, 20}; }

constexpr double kSecondsPerNs = 1e-9;

double seconds_between(std::int64_t from_ns, std::int64_t to_ns) {
  return static_cast<double>(std::max<std::int64_t>(0, to_ns - from_ns)) * kSecondsPerNs;
}

}  // namespace

class Metrics::Impl {
 public:
  explicit Impl(const std::string& model_name)
      : labels_{{"model_name", model_name}, {"engine", "0"}} {}

  Counter& counter(const std::string& name, const std::string& help, const Labels& more = {}) {
    Labels all = labels_;
    all.insert(more.begin(), more.end());
    return prometheus::BuildCounter().Name(name).Help(help).Register(registry_).Add(all);
  }
  Gauge& gauge(const std::string& name, const std::string& help) {
    return prometheus::BuildGauge().Name(name).Help(help).Register(registry_).Add(labels_);
  }
  Histogram& histogram(const std::string& name, const std::string& help, const Buckets& buckets) {
    return prometheus::BuildHistogram().Name(name).Help(help).Register(registry_).Add(labels_,
                                                                                      buckets);
  }
  Counter& http(const AccessRecord& record) {
    const std::string method(record.route.empty() ? "" : name_of(record.method));
    return http_.Add({{"handler", record.route.empty() ? "none" : record.route},
                      {"method", method},
                      {"status", std::to_string(record.status)}});
  }
  std::string serialized() const {
    return prometheus::TextSerializer().Serialize(registry_.Collect());
  }

 private:
  Labels labels_;
  prometheus::Registry registry_;
  prometheus::Family<Counter>& http_ = prometheus::BuildCounter()
                                           .Name("http_requests_total")
                                           .Help("Requests by route, method and status.")
                                           .Register(registry_);

 public:
  Gauge& running = gauge("vllm:num_requests_running", "Answers that take part in steps.");
  Gauge& waiting = gauge("vllm:num_requests_waiting", "Answers that wait for a place.");
  Gauge& cache_usage =
      gauge("vllm:kv_cache_usage_perc", "Pages of the cache in use; 1 is all of them.");
  Gauge& cache_usage_old =
      gauge("vllm:gpu_cache_usage_perc", "The older name of vllm:kv_cache_usage_perc.");
  Counter& prompt = counter("vllm:prompt_tokens_total", "Tokens of prompts.");
  Counter& prompt_cached =
      counter("vllm:prompt_tokens_cached_total", "Tokens of prompts found in the cache.");
  Counter& generated = counter("vllm:generation_tokens_total", "Tokens generated.");
  Counter& preemptions =
      counter("vllm:num_preemptions_total", "Answers that gave their pages to others.");
  Counter& queries =
      counter("vllm:prefix_cache_queries_total", "Tokens looked for in the prefix cache.");
  Counter& hits = counter("vllm:prefix_cache_hits_total", "Tokens found in the prefix cache.");
  Histogram& first_token =
      histogram("vllm:time_to_first_token_seconds", "From a request's arrival to its first token.",
                first_token_s());
  Histogram& between = histogram("vllm:inter_token_latency_seconds",
                                 "Between two tokens of one answer.", per_token_s());
  Histogram& between_old =
      histogram("vllm:time_per_output_token_seconds",
                "The older name of vllm:inter_token_latency_seconds.", per_token_s());
  Histogram& mean_token = histogram("vllm:request_time_per_output_token_seconds",
                                    "Mean time per token behind a request's first.", per_token_s());
  Histogram& whole = histogram("vllm:e2e_request_latency_seconds",
                               "From a request's arrival to its end.", request_s());
  Histogram& queue = histogram("vllm:request_queue_time_seconds",
                               "From a request's submission to its first step.", request_s());
  Histogram& inference = histogram("vllm:request_inference_time_seconds",
                                   "From a request's first step to its end.", request_s());
  Histogram& prefill = histogram("vllm:request_prefill_time_seconds",
                                 "From a request's first step to its first token.", request_s());
  Histogram& decode = histogram("vllm:request_decode_time_seconds",
                                "From a request's first token to its end.", request_s());
  Histogram& prompt_length =
      histogram("vllm:request_prompt_tokens", "Tokens of a request's prompts.", tokens());
  Histogram& answer_length =
      histogram("vllm:request_generation_tokens", "Tokens of a request's answers.", tokens());
  Histogram& limits =
      histogram("vllm:request_params_max_tokens", "Most tokens asked for.", tokens());
  Histogram& answers = histogram("vllm:request_params_n", "Answers of a request.", answer_counts());
  Histogram& computed = histogram("vllm:request_prefill_kv_computed_tokens",
                                  "Tokens of a request's prompts that were computed.", tokens());
  std::mutex mutex;  // text(): counters follow what the engine counts
};

Metrics::Metrics(const std::string& model_name) : impl_(std::make_unique<Impl>(model_name)) {}

Metrics::~Metrics() = default;

void Metrics::count_tokens(std::uint64_t count, double seconds) {
  impl_->generated.Increment(static_cast<double>(count));
  const double each = seconds / static_cast<double>(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    impl_->between.Observe(each);
    impl_->between_old.Observe(each);
  }
}

void Metrics::count_request(const RequestRecord& record) {
  for (const std::string& reason : record.finish_reasons) {
    impl_
        ->counter("vllm:request_success_total", "Answers that ended, by why they did.",
                  {{"finished_reason", reason}})
        .Increment();
  }
  impl_->prompt.Increment(static_cast<double>(record.prompt_tokens));
  impl_->prompt_cached.Increment(static_cast<double>(record.cached_tokens));
  impl_->prompt_length.Observe(static_cast<double>(record.prompt_tokens));
  impl_->computed.Observe(static_cast<double>(record.prompt_tokens - record.cached_tokens));
  impl_->answer_length.Observe(static_cast<double>(record.generated_tokens));
  impl_->answers.Observe(static_cast<double>(record.answers));
  if (record.tokens_max > 0) impl_->limits.Observe(static_cast<double>(record.tokens_max));
  impl_->whole.Observe(seconds_between(record.arrived_ns, record.ended_ns));
  if (record.first_token_ns == 0) return;
  const double first = seconds_between(record.submitted_ns, record.first_token_ns);
  const double decode = seconds_between(record.first_token_ns, record.ended_ns);
  impl_->first_token.Observe(seconds_between(record.arrived_ns, record.first_token_ns));
  impl_->prefill.Observe(record.prompt_s);
  impl_->queue.Observe(std::max(0.0, first - record.prompt_s));
  impl_->decode.Observe(decode);
  impl_->inference.Observe(record.prompt_s + decode);
  if (record.generated_tokens > record.answers) {
    impl_->mean_token.Observe(decode / static_cast<double>(record.generated_tokens - 1));
  }
}

void Metrics::count_http(const AccessRecord& record) { impl_->http(record).Increment(); }

std::string Metrics::text(const runtime::Activity& activity) {
  const std::scoped_lock lock(impl_->mutex);
  const auto follow = [](Counter& counter, std::uint64_t now) {
    const double more = static_cast<double>(now) - counter.Value();
    if (more > 0) counter.Increment(more);
  };
  follow(impl_->preemptions, activity.preemptions);
  follow(impl_->queries, activity.cache_looked_up_tokens);
  follow(impl_->hits, activity.cache_hit_tokens);
  const double usage = activity.cache_pages == 0 ? 0
                                                 : static_cast<double>(activity.cache_used_pages) /
                                                       static_cast<double>(activity.cache_pages);
  impl_->running.Set(static_cast<double>(activity.running));
  impl_->waiting.Set(static_cast<double>(activity.waiting));
  impl_->cache_usage.Set(usage);
  impl_->cache_usage_old.Set(usage);
  return impl_->serialized();
}

}  // namespace cairn::server

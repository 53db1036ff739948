#include "server/metrics/metrics.h"

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <algorithm>
#include <map>
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

/// What is counted of one model.
class ModelSeries {
 public:
  ModelSeries(prometheus::Registry& registry, const std::string& model_name)
      : labels_{{"model_name", model_name}, {"engine", "0"}}, registry_(registry) {}

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

 private:
  Labels labels_;
  prometheus::Registry& registry_;

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
  // What the engine had counted when it was last asked: text() alone looks at these.
  std::uint64_t preemptions_seen = 0;
  std::uint64_t queries_seen = 0;
  std::uint64_t hits_seen = 0;
};

/// Adds what came since; an engine that was loaded again counts from 0.
void follow(Counter& counter, std::uint64_t& seen, std::uint64_t now) {
  counter.Increment(static_cast<double>(now >= seen ? now - seen : now));
  seen = now;
}

void follow(ModelSeries& series, const runtime::Activity& activity) {
  follow(series.preemptions, series.preemptions_seen, activity.preemptions);
  follow(series.queries, series.queries_seen, activity.cache_looked_up_tokens);
  follow(series.hits, series.hits_seen, activity.cache_hit_tokens);
  const double usage = activity.cache_pages == 0 ? 0
                                                 : static_cast<double>(activity.cache_used_pages) /
                                                       static_cast<double>(activity.cache_pages);
  series.running.Set(static_cast<double>(activity.running));
  series.waiting.Set(static_cast<double>(activity.waiting));
  series.cache_usage.Set(usage);
  series.cache_usage_old.Set(usage);
}

}  // namespace

class Metrics::Impl {
 public:
  ModelSeries& of(const std::string& model) {
    const std::scoped_lock lock(mutex_);
    std::unique_ptr<ModelSeries>& series = models_[model];
    if (series == nullptr) series = std::make_unique<ModelSeries>(registry_, model);
    return *series;
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

  std::mutex text_mutex;  // text(): counters follow what the engines count

 private:
  prometheus::Registry registry_;
  prometheus::Family<Counter>& http_ = prometheus::BuildCounter()
                                           .Name("http_requests_total")
                                           .Help("Requests by route, method and status.")
                                           .Register(registry_);
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<ModelSeries>> models_;
};

Metrics::Metrics() : impl_(std::make_unique<Impl>()) {}

Metrics::~Metrics() = default;

void Metrics::count_tokens(const std::string& model, std::uint64_t count, double seconds) {
  ModelSeries& series = impl_->of(model);
  series.generated.Increment(static_cast<double>(count));
  const double each = seconds / static_cast<double>(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    series.between.Observe(each);
    series.between_old.Observe(each);
  }
}

void Metrics::count_request(const RequestRecord& record) {
  ModelSeries& series = impl_->of(record.model);
  for (const std::string& reason : record.finish_reasons) {
    series
        .counter("vllm:request_success_total", "Answers that ended, by why they did.",
                 {{"finished_reason", reason}})
        .Increment();
  }
  series.prompt.Increment(static_cast<double>(record.prompt_tokens));
  series.prompt_cached.Increment(static_cast<double>(record.cached_tokens));
  series.prompt_length.Observe(static_cast<double>(record.prompt_tokens));
  series.computed.Observe(static_cast<double>(record.prompt_tokens - record.cached_tokens));
  series.answer_length.Observe(static_cast<double>(record.generated_tokens));
  series.answers.Observe(static_cast<double>(record.answers));
  if (record.tokens_max > 0) series.limits.Observe(static_cast<double>(record.tokens_max));
  series.whole.Observe(seconds_between(record.arrived_ns, record.ended_ns));
  if (record.first_token_ns == 0) return;
  const double first = seconds_between(record.submitted_ns, record.first_token_ns);
  const double decode = seconds_between(record.first_token_ns, record.ended_ns);
  series.first_token.Observe(seconds_between(record.arrived_ns, record.first_token_ns));
  series.prefill.Observe(record.prompt_s);
  series.queue.Observe(std::max(0.0, first - record.prompt_s));
  series.decode.Observe(decode);
  series.inference.Observe(record.prompt_s + decode);
  if (record.generated_tokens > record.answers) {
    series.mean_token.Observe(decode / static_cast<double>(record.generated_tokens - 1));
  }
}

void Metrics::count_http(const AccessRecord& record) { impl_->http(record).Increment(); }

std::string Metrics::text(const std::vector<ModelActivity>& models) {
  const std::scoped_lock lock(impl_->text_mutex);
  for (const ModelActivity& model : models) follow(impl_->of(model.model), model.activity);
  return impl_->serialized();
}

}  // namespace cairn::server

// Metrics: counters and histograms under vLLM's names, so that its dashboards and routers work.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "runtime/runtime.h"
#include "server/http/access_record.h"
#include "server/metrics/request_record.h"

namespace cairn::server {

/// What the engine of one model is doing; nothing of one that is not loaded.
struct ModelActivity {
  std::string model = {};
  runtime::Activity activity = {};
};

/// All of it from any thread. The label model_name tells the models' series apart. Source: vLLM,
/// "Production metrics"; counters only grow (O06).
class Metrics {
 public:
  Metrics();
  ~Metrics();
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;

  /// `count` tokens of one answer of `model` came `seconds` after those before them.
  void count_tokens(const std::string& model, std::uint64_t count, double seconds);
  /// A request ended.
  void count_request(const RequestRecord& record);
  /// A request of any kind was answered.
  void count_http(const AccessRecord& record);

  /// Everything in Prometheus' text format 0.0.4, with what the engines are doing now.
  std::string text(const std::vector<ModelActivity>& models);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// What text() is, for its header.
constexpr const char* kMetricsType = "text/plain; version=0.0.4; charset=utf-8";

}  // namespace cairn::server

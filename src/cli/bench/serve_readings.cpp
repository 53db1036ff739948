#include "cli/bench/serve_readings.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/clock.h"
#include "base/sha256.h"

namespace cairn::cli {
namespace {

/// A figure of single requests; its readings are all values of all requests.
struct RequestMetric {
  const char* name = "";
  const char* unit = "";
  bool needs_usage = false;
  std::vector<double> (*values)(const evidence::StreamFigures& figures) = nullptr;
};

std::vector<double> one_value(const std::optional<double>& value) {
  return value ? std::vector<double>{*value} : std::vector<double>();
}

constexpr RequestMetric kRequestMetrics[] = {
    {"ttft", "ms", false, [](const evidence::StreamFigures& f) { return one_value(f.ttft); }},
    {"e2e", "ms", false, [](const evidence::StreamFigures& f) { return one_value(f.e2e); }},
    {"itl", "ms", false, [](const evidence::StreamFigures& f) { return f.inter_chunk; }},
    {"tpot", "ms", true, [](const evidence::StreamFigures& f) { return one_value(f.tpot); }},
    {"tokens_per_chunk", "tokens/chunk", true,
     [](const evidence::StreamFigures& f) { return one_value(f.tokens_per_chunk); }},
};

/// Cold are the first so many, warm the others.
bool is_of_leg(const ServedLoad& load, std::size_t index, bool cold) {
  return cold == (index < load.warm_up);
}

Status add_requests(const ServedLoad& load, const std::vector<LoadOutcome>& outcomes, bool usage,
                    bool cold, evidence::ArmRound& round) {
  for (const RequestMetric& metric : kRequestMetrics) {
    if (metric.needs_usage && !usage) continue;
    std::vector<double> values;
    std::string fault = "no text came, or a single piece of it";
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      if (!is_of_leg(load, i, cold)) continue;
      if (!outcomes[i].error.empty()) fault = outcomes[i].error;
      const std::vector<double> more = metric.values(outcomes[i].figures);
      values.insert(values.end(), more.begin(), more.end());
    }
    if (values.empty()) {
      return unavailable(fmt::format("{} of the {} requests of {}: not one reading: {}",
                                     metric.name, cold ? "first" : "later", load.label, fault));
    }
    round.readings.push_back({.metric = fmt::format("{}.{}", metric.name, load.label),
                              .cold = cold,
                              .values = std::move(values)});
  }
  return {};
}

/// The classes of the requests behind the warm-up.
std::set<std::string> later_classes(const ServedLoad& load) {
  if (load.classes.size() <= load.warm_up) return {};
  return {load.classes.begin() + static_cast<std::ptrdiff_t>(load.warm_up), load.classes.end()};
}

/// Prompts of different lengths wait for different times: one band a class.
Status add_bands(const ServedLoad& load, const std::vector<LoadOutcome>& outcomes,
                 evidence::ArmRound& round) {
  for (const std::string& name : later_classes(load)) {
    std::vector<double> values;
    for (std::size_t i = load.warm_up; i < outcomes.size(); ++i) {
      if (load.classes[i] != name || !outcomes[i].figures.ttft) continue;
      values.push_back(*outcomes[i].figures.ttft);
    }
    if (values.empty()) {
      return unavailable(
          fmt::format("{}: not one request of the class {} was answered", load.label, name));
    }
    round.readings.push_back(
        {.metric = fmt::format("ttft.{}.{}", load.label, name), .values = std::move(values)});
  }
  return {};
}

/// Of one leg: output tokens and answers over the time from the first
/// request to the last answer.
void add_rates(const ServedLoad& load, const std::vector<LoadOutcome>& outcomes, bool usage,
               bool cold, evidence::ArmRound& round) {
  double first_ms = -1;
  double last_ms = 0;
  double tokens = 0;
  double answers = 0;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const LoadOutcome& one = outcomes[i];
    if (!is_of_leg(load, i, cold) || !one.error.empty()) continue;
    first_ms = first_ms < 0 ? one.due_ms : std::min(first_ms, one.due_ms);
    last_ms = std::max(last_ms, one.end_ms);
    tokens += static_cast<double>(one.figures.tokens.value_or(0));
    answers += 1;
  }
  const double seconds = std::max(last_ms - first_ms, 1e-3) / kMsPerSecond;
  round.readings.push_back(
      {.metric = "requests." + load.label, .cold = cold, .values = {answers / seconds}});
  if (!usage) return;
  round.readings.push_back(
      {.metric = "output." + load.label, .cold = cold, .values = {tokens / seconds}});
}

void add_work(const std::vector<LoadOutcome>& outcomes, evidence::BenchWork& work) {
  std::string outputs = work.outputs_sha256;
  for (const LoadOutcome& one : outcomes) {
    ++work.requests;
    outputs += sha256_hex(std::string_view(one.text));
    if (!one.error.empty()) {
      ++work.failed;
      continue;
    }
    work.ended_early += one.figures.ended_early ? 1 : 0;
    work.prompt_tokens += one.prompt_tokens.value_or(0);
    work.output_tokens += one.figures.tokens.value_or(0);
  }
  work.outputs_sha256 = sha256_hex(std::string_view(outputs));
}

}  // namespace

std::vector<evidence::MetricUnit> serve_units(const ServedLoad& load, bool usage) {
  const std::string& label = load.label;
  std::vector<evidence::MetricUnit> units;
  for (const RequestMetric& metric : kRequestMetrics) {
    if (metric.needs_usage && !usage) continue;
    units.push_back({.metric = fmt::format("{}.{}", metric.name, label), .unit = metric.unit});
  }
  units.push_back({.metric = "requests." + label, .unit = "requests/s"});
  if (usage) units.push_back({.metric = "output." + label, .unit = "tokens/s (output)"});
  for (const std::string& name : later_classes(load)) {
    units.push_back({.metric = fmt::format("ttft.{}.{}", label, name), .unit = "ms"});
  }
  return units;
}

Status add_load(const ServedLoad& load, const std::vector<LoadOutcome>& outcomes, bool usage,
                evidence::ArmRound& round) {
  for (const bool cold : {true, false}) {
    CAIRN_TRY(add_requests(load, outcomes, usage, cold, round));
    add_rates(load, outcomes, usage, cold, round);
  }
  add_work(outcomes, round.work);
  return add_bands(load, outcomes, round);
}

}  // namespace cairn::cli

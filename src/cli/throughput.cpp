#include "cli/throughput.h"

#include <algorithm>
#include <memory>
#include <span>

#include "base/clock.h"
#include "base/random.h"
#include "base/sha256.h"

namespace cairn::cli {
namespace {

using Streams = std::vector<std::unique_ptr<runtime::TextStream>>;

double rate(std::size_t count, double seconds) {
  return seconds > 0 ? static_cast<double>(count) / seconds : 0;
}

double share(double part, double whole) { return whole > 0 ? part / whole : 0; }

double seconds_since(std::int64_t begin_ns) {
  return static_cast<double>(steady_ns() - begin_ns) * 1e-9;
}

/// Ids of a random prompt; every sequence has its own, so that none is found in the cache.
runtime::IdsPrompt random_prompt(const runtime::Runtime& model, std::size_t tokens,
                                 std::uint64_t seed, std::uint64_t sequence) {
  runtime::IdsPrompt prompt;
  const auto vocabulary = static_cast<double>(model.facts().vocabulary);
  for (std::size_t i = 0; i < tokens; ++i) {
    prompt.ids.push_back(static_cast<TokenId>(random_unit(seed, sequence, i) * vocabulary));
  }
  return prompt;
}

Result<Streams> submit(runtime::Runtime& model, const ThroughputLoad& load, std::uint64_t seed,
                       const std::function<bool()>& cancelled) {
  Streams streams;
  for (std::size_t sequence = 0; sequence < load.sequences; ++sequence) {
    runtime::GenerateRequest request{
        .prompt = random_prompt(model, load.prompt_tokens, seed, sequence),
        .seed = 1,
        .tokens_max = load.generated_tokens,
        .stop_at_end = runtime::StopAtEnd::kNo,
        .reuse = runtime::PrefixReuse::kNo,
        .stop_asked = cancelled};
    CAIRN_ASSIGN(std::unique_ptr<runtime::TextStream> stream, model.generate(request));
    streams.push_back(std::move(stream));
  }
  return streams;
}

/// One more token of every answer that has one; how many there were.
Result<std::size_t> next_of_all(const Streams& streams) {
  std::size_t tokens = 0;
  for (const auto& stream : streams) {
    if (stream->ended()) continue;
    CAIRN_ASSIGN(const std::optional<runtime::TextPiece> piece, stream->next());
    tokens += piece ? 1 : 0;
  }
  return tokens;
}

runtime::StepTimes between(const runtime::StepTimes& before, const runtime::StepTimes& after) {
  return {.steps = after.steps - before.steps,
          .forward_s = after.forward_s - before.forward_s,
          .sampling_s = after.sampling_s - before.sampling_s,
          .scheduler_s = after.scheduler_s - before.scheduler_s};
}

}  // namespace

double ThroughputSample::tokens_per_s() const {
  return rate(prompt_tokens + generated_tokens, total_s);
}
double ThroughputSample::generated_tokens_per_s() const { return rate(generated_tokens, total_s); }
double ThroughputSample::decode_tokens_per_s() const {
  return rate(later_tokens, total_s - first_tokens_s);
}
double ThroughputSample::scheduler_share() const {
  return share(steps.scheduler_s, steps.total_s());
}
double ThroughputSample::sampling_share() const { return share(steps.sampling_s, steps.total_s()); }

Result<ThroughputSample> measure_throughput(runtime::Runtime& model, const ThroughputLoad& load,
                                            std::uint64_t seed,
                                            const std::function<bool()>& cancelled) {
  const runtime::StepTimes before = model.step_times();
  const std::int64_t begin_ns = steady_ns();
  CAIRN_ASSIGN(const Streams streams, submit(model, load, seed, cancelled));
  ThroughputSample sample{.prompt_tokens = load.sequences * load.prompt_tokens};
  CAIRN_TRY(next_of_all(streams).status());
  sample.first_tokens_s = seconds_since(begin_ns);
  for (const auto& stream : streams) {  // what was generated beside the last first token
    sample.later_tokens += load.generated_tokens - 1 - stream->figures().decode_tokens;
  }
  for (;;) {
    CAIRN_ASSIGN(const std::size_t tokens, next_of_all(streams));
    if (tokens == 0) break;
  }
  sample.total_s = seconds_since(begin_ns);
  if (cancelled()) return cairn::cancelled("stopped");
  Sha256 outputs;
  for (const auto& stream : streams) {
    sample.generated_tokens += stream->ids().size();
    outputs.update(std::as_bytes(std::span(stream->ids())));
  }
  sample.outputs_sha256 = outputs.hex();
  sample.steps = between(before, model.step_times());
  return sample;
}

double median_of(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

}  // namespace cairn::cli

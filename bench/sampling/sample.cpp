// One token from 262,144 logits, by chain of stages. The aim is 0.3 ms for the common chain. The
// row, which choose() overwrites, is written anew before each and not timed: as a model's head
// leaves it.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/random.h"
#include "engine/sampling/fake_vocabulary.h"
#include "engine/sampling/sampler.h"

namespace cairn::bench {
namespace {

using engine::AnswerFormat;
using engine::FakeVocabulary;
using engine::Sampler;
using engine::SamplingParams;

constexpr std::size_t kVocabulary = 262'144;
constexpr std::size_t kPrompt = 2'000;

/// Logits as models give them: a few stand out of many that are nearly normal.
std::vector<float> logits() {
  std::vector<float> row(kVocabulary);
  for (std::size_t id = 0; id < row.size(); ++id) {
    double sum = -4;  // of uniform numbers
    for (std::uint64_t i = 0; i < 8; ++i) sum += random_unit(1, i, id);
    const bool likely = random_unit(1, 9, id) < 1e-4;
    row[id] = static_cast<float>(sum * 2 + (likely ? 10 + 6 * random_unit(1, 10, id) : 0));
  }
  return row;
}

std::vector<TokenId> prompt() {
  std::vector<TokenId> ids(kPrompt);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    ids[i] = static_cast<TokenId>(random_bits(2, 0, i) % kVocabulary);
  }
  return ids;
}

/// Times choose() alone.
void choose_all(benchmark::State& state, Sampler& sampler) {
  const std::vector<float> row = logits();
  std::vector<float> work = row;
  std::uint64_t position = 0;
  for ([[maybe_unused]] auto _ : state) {
    state.PauseTiming();
    std::ranges::copy(row, work.begin());
    state.ResumeTiming();
    const auto id = sampler.choose(work, position++);
    if (!id.ok()) state.SkipWithError(id.status().message().c_str());
  }
}

void choose(benchmark::State& state, const SamplingParams& params) {
  Sampler sampler(params, {.vocabulary = kVocabulary});
  sampler.accept_prompt(prompt());
  choose_all(state, sampler);
}

/// The mask of a JSON answer in a string, where most ids are allowed.
void json(benchmark::State& state) {
  std::vector<std::string> pieces;
  for (std::size_t i = 0; pieces.size() < kVocabulary - 257; ++i) {
    pieces.push_back((i % 3 == 0 ? " w" : "w") + std::to_string(i * 7919));
  }
  const FakeVocabulary words(std::move(pieces));
  SamplingParams params = {.temperature = 1, .top_k = 40, .format = AnswerFormat::kJsonObject};
  params.forced_ids = {'{', '"'};
  params.bias = {{'"', -100}};
  Sampler sampler(params, {.vocabulary = kVocabulary, .bytes = &words});
  choose_all(state, sampler);
}

BENCHMARK_CAPTURE(choose, greedy, SamplingParams{})->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(choose, common,
                  SamplingParams{.repetition_penalty = 1.1,
                                 .presence_penalty = 0.1,
                                 .frequency_penalty = 0.1,
                                 .temperature = 0.8,
                                 .top_k = 40,
                                 .top_p = 0.95,
                                 .min_p = 0.05})
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(choose, min_p, SamplingParams{.temperature = 0.8, .min_p = 0.05})
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(choose, top_n_sigma, SamplingParams{.temperature = 0.8, .top_n_sigma = 1})
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(choose, top_p, SamplingParams{.temperature = 0.8, .top_p = 0.95})
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(choose, temperature, SamplingParams{.temperature = 0.8})
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(choose, typical, SamplingParams{.temperature = 0.8, .typical_p = 0.9})
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(choose, mirostat, SamplingParams{.temperature = 0.8, .mirostat = 2})
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(json)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace cairn::bench

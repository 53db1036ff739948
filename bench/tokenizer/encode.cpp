// One and two MB of text to ids and back, with the vocabularies of the fetched models: prose,
// digits and one repeated character. The aim is a megabyte in less than a second, and twice the
// text in twice the time.
#include <benchmark/benchmark.h>

#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "formats/model_file.h"
#include "tokenizer/tokenizer.h"

namespace cairn::bench {
namespace {

using tokenizer::Tokenizer;

constexpr std::size_t kMegabyte = 1'000'000;
constexpr const char* kModels[] = {"SmolLM2-135M-Instruct.Q4_1.gguf", "gemma-3-270m-q4_k_m.gguf",
                                   "llama.cpp/models/ggml-vocab-llama-spm.gguf"};

/// A text to encode and what it is called.
struct Input {
  std::string name = {};
  std::string unit = {};  // repeated until the size is reached
};

std::vector<Input> inputs() {
  std::ifstream prose(CAIRN_SOURCE_DIR "/tests/oracle/text.txt");
  return {
      {"prose", {std::istreambuf_iterator<char>(prose), {}}}, {"digits", "0123456789"}, {"a", "a"}};
}

std::string repeated(const std::string& unit, std::size_t bytes) {
  std::string text;
  while (text.size() < bytes) text += unit;
  text.resize(bytes);
  return text;
}

std::shared_ptr<const Tokenizer> open(benchmark::State& state, const std::string& model) {
  const auto file = formats::open_model(std::string(CAIRN_TEST_DATA_DIR "/") + model);
  if (!file.ok()) {
    state.SkipWithError((file.status().message() + "; run tests/data/fetch").c_str());
    return nullptr;
  }
  auto created = Tokenizer::create(file->metadata());
  if (!created.ok()) state.SkipWithError(created.status().message().c_str());
  return created.ok() ? std::move(created).value() : nullptr;
}

void encode(benchmark::State& state, const std::string& model, const Input& input) {
  const auto tokenizer = open(state, model);
  if (tokenizer == nullptr) return;
  const std::string text =
      repeated(input.unit, static_cast<std::size_t>(state.range(0)) * kMegabyte);
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(tokenizer->encode(text, {}));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}

void decode(benchmark::State& state, const std::string& model, const Input& input) {
  const auto tokenizer = open(state, model);
  if (tokenizer == nullptr) return;
  const auto ids = tokenizer->encode(repeated(input.unit, kMegabyte), {});
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(tokenizer->decode(ids));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(kMegabyte));
}

void register_input(const std::string& model, const Input& input) {
  const std::string name = model + "/" + input.name;
  benchmark::RegisterBenchmark(
      ("encode/" + name).c_str(),
      [model, input](benchmark::State& state) { encode(state, model, input); })
      ->Arg(1)
      ->Arg(2)
      ->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark(("decode/" + name).c_str(), [model, input](benchmark::State& state) {
    decode(state, model, input);
  })->Unit(benchmark::kMillisecond);
}

int register_all() {
  for (const char* model : kModels) {
    for (const Input& input : inputs()) register_input(model, input);
  }
  return 0;
}

[[maybe_unused]] const int kRegistered = register_all();

}  // namespace
}  // namespace cairn::bench

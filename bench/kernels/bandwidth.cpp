// What this machine reads in the same minute: the roof beside which the other figures stand.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <numeric>
#include <vector>

namespace cairn::bench {
namespace {

void read(benchmark::State& state) {
  const auto bytes = static_cast<std::size_t>(state.range(0)) << 20;
  static std::vector<std::uint64_t> words;
  if (state.thread_index() == 0) words.assign(bytes / sizeof(std::uint64_t), 1);
  const auto threads = static_cast<std::size_t>(state.threads());
  const auto thread = static_cast<std::size_t>(state.thread_index());
  for ([[maybe_unused]] auto _ : state) {
    const std::size_t part = words.size() / threads;
    const std::uint64_t* at = words.data() + part * thread;
    benchmark::DoNotOptimize(std::accumulate(at, at + part, std::uint64_t{0}));
  }
  state.counters["bytes"] =
      benchmark::Counter(static_cast<double>(bytes) / static_cast<double>(threads),
                         benchmark::Counter::kIsIterationInvariantRate);
}

BENCHMARK(read)->Arg(8)->Arg(96)->Arg(1024)->Threads(1)->Threads(2)->UseRealTime();

}  // namespace
}  // namespace cairn::bench

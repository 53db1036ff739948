// One token's query heads over the cached positions of one kv head after the other, in chunks:
// every tier, one worker. GB/s are bytes of keys and values read, per second of processor time. The
// shapes are SmolLM2's (three queries of 64 dimensions) and a larger model's (four of 128); the
// layers are one, whose cache stays in the core's, and thirty, whose does not.
#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include <array>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "base/float16.h"
#include "base/random.h"
#include "kernels/cpu/pages.h"
#include "kernels/tiers.h"

namespace cairn::bench {
namespace {

using kernels::AttendTask;
using kernels::Kernels;
using kernels::KvPages;
using kernels::Query;

constexpr std::size_t kSlots = 2048;
constexpr std::size_t kKvHeads = 3;
constexpr std::size_t kQueriesMax = 4;

struct Shape {
  std::size_t queries = 3;
  std::size_t dims = 64;
  std::size_t layers = 1;
  kernels::CacheType cache = kernels::CacheType::kBf16;
};

std::vector<std::byte> random_pool(std::size_t bytes) {
  std::vector<std::byte> pool(bytes);
  for (std::size_t i = 0; i + 1 < bytes; i += 2) {
    const std::uint16_t bits =
        f32_to_bf16(static_cast<float>(i * 2654435761U % 1000) / 1000.0F - 0.5F);
    std::memcpy(pool.data() + i, &bits, sizeof bits);
  }
  return pool;
}

/// One layer's chunks, all kv heads.
void attend_layer(const Kernels& kernels, const KvPages& cache,
                  std::span<const std::uint32_t> pages, std::span<Query> queries) {
  std::vector<double> wide(cache.layout.head_dim);
  for (std::size_t head = 0; head < kKvHeads; ++head) {
    for (std::size_t slot = 0; slot < kSlots; slot += kernels::kChunkSlots) {
      for (Query& query : queries) {
        query.begin = slot;
        query.end = slot + kernels::kChunkSlots;
      }
      kernels.attend({.queries = queries,
                      .cache = &cache,
                      .pages = pages,
                      .kv_head = head,
                      .scale = 0.125F,
                      .wide = wide.data(),
                      .fetch = true});
    }
  }
}

void run_attend(benchmark::State& state, const Kernels& kernels, const Shape& shape) {
  KvPages cache;
  cache.layout = {.kv_heads = kKvHeads, .head_dim = shape.dims, .type = shape.cache};
  std::vector<std::uint32_t> pages(kSlots / kernels::kPagePositions);
  std::iota(pages.begin(), pages.end(), 0U);
  const std::size_t layer_bytes = pages.size() * kernels::cpu_page_bytes(cache.layout);
  std::vector<std::byte> pool = random_pool(shape.layers * layer_bytes);
  std::vector<float> values(2 * kQueriesMax * shape.dims);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>(random_unit(1, 0, i)) - 0.5F;
  }
  std::array<Query, kQueriesMax> queries;
  for (std::size_t i = 0; i < shape.queries; ++i) {
    queries[i].q = values.data() + i * shape.dims;
    queries[i].values = values.data() + (kQueriesMax + i) * shape.dims;
  }
  for ([[maybe_unused]] auto _ : state) {
    for (std::size_t layer = 0; layer < shape.layers; ++layer) {
      cache.pool = pool.data() + layer * layer_bytes;
      attend_layer(kernels, cache, pages, std::span(queries).first(shape.queries));
    }
  }
  state.counters["bytes"] = benchmark::Counter(static_cast<double>(pool.size()),
                                               benchmark::Counter::kIsIterationInvariantRate);
}

int register_all() {
  for (const kernels::Tier& tier : kernels::tiers()) {
    if (!tier.usable()) continue;
    const Kernels* kernels =
        kernels::find_kernels(std::string(tier.name), kernels::Numerics::kExact).value();
    using kernels::CacheType;
    for (const Shape& shape :
         {Shape{3, 64, 1}, Shape{3, 64, 30}, Shape{4, 128, 1}, Shape{4, 128, 30},
          Shape{3, 64, 1, CacheType::kInt8}, Shape{3, 64, 30, CacheType::kInt8},
          Shape{4, 128, 1, CacheType::kInt8}, Shape{4, 128, 30, CacheType::kInt8}}) {
      const std::string name = fmt::format("attend/{}/{}/{}x{}/layers:{}", tier.name,
                                           kernels::cache_type_name(shape.cache), shape.queries,
                                           shape.dims, shape.layers);
      benchmark::RegisterBenchmark(name.c_str(), [kernels, shape](benchmark::State& state) {
        run_attend(state, *kernels, shape);
      })->Unit(benchmark::kMicrosecond);
    }
  }
  return 0;
}

[[maybe_unused]] const int kRegistered = register_all();

}  // namespace
}  // namespace cairn::bench

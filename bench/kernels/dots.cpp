// Rows of a weight times tokens: every tier and format, 4096 x 4096, one worker, 1, 4, 8 and 512
// tokens. GB/s are bytes of the packed weight read, GOP/s two operations per weight and token, both
// per second of processor time.
#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/random.h"
#include "base/team.h"
#include "kernels/cpu/scratch.h"
#include "kernels/tiers.h"

namespace cairn::bench {
namespace {

using kernels::CpuMatrix;
using kernels::Inputs;
using kernels::InputScratch;
using kernels::Kernels;
using kernels::PackedMatrix;

constexpr std::size_t kSide = 1536;
constexpr std::size_t kTile = 256;

/// Random bytes with scales that are finite: every f16 and every scale byte is small.
std::vector<std::byte> random_bytes(std::size_t count) {
  std::vector<std::byte> bytes(count);
  for (std::size_t i = 0; i < count; ++i) {
    bytes[i] = static_cast<std::byte>(static_cast<int>(random_unit(1, 0, i) * 48));
  }
  return bytes;
}

std::unique_ptr<PackedMatrix> matrix_of(ElementType type, Team& team) {
  const std::vector<std::byte> bytes = random_bytes(kSide * bytes_of(type, kSide));
  const std::vector<kernels::WeightSegment> segments = {{type, kSide, kSide, bytes}};
  return CpuMatrix::create(segments, team).value();
}

Inputs inputs_of(const Kernels& kernels, const InputScratch& scratch, std::size_t tokens) {
  Inputs inputs = {scratch.values(tokens, kSide), scratch.a32(kSide), scratch.a256(kSide)};
  const Matrix values = scratch.values(tokens, kSide);
  for (std::size_t t = 0; t < tokens; ++t) {
    for (std::size_t k = 0; k < kSide; ++k) {
      values.row(t)[k] = static_cast<float>(random_unit(2, t, k)) - 0.5F;
    }
    kernels.quantise(values.row(t), inputs.a32, t);
    kernels.quantise(values.row(t), inputs.a256, t);
  }
  return inputs;
}

void run_dot(benchmark::State& state, const Kernels& kernels, ElementType type) {
  const auto tokens = static_cast<std::size_t>(state.range(0));
  Team team(1);
  const auto matrix = matrix_of(type, team);
  const auto& segment = static_cast<const CpuMatrix&>(*matrix).segments()[0];
  const InputScratch scratch = InputScratch::create(tokens, kSide).value();
  const Inputs inputs = inputs_of(kernels, scratch, tokens);
  std::vector<float> y(kTile * kernels::kGroupRows);
  // As the ops do it: tiles of tokens outside, row groups inside.
  const std::size_t tile = std::min<std::size_t>(tokens, 128);
  const std::size_t groups = kTile / tile;
  for ([[maybe_unused]] auto _ : state) {
    for (std::size_t t = 0; t < tokens; t += tile) {
      const kernels::TokenRange range = {t, std::min(t + tile, tokens)};
      for (std::size_t g = 0; g < segment.groups(); g += groups) {
        const std::size_t count = std::min(groups, segment.groups() - g);
        kernels.dot_of(segment)({&segment, g, count, &inputs, range, y.data()});
        benchmark::DoNotOptimize(y.data());
      }
    }
  }
  const auto rate = [](double per_iteration) {
    return benchmark::Counter(per_iteration, benchmark::Counter::kIsIterationInvariantRate);
  };
  state.counters["bytes"] = rate(static_cast<double>(matrix->packed_bytes()));
  state.counters["ops"] = rate(2.0 * kSide * kSide * static_cast<double>(tokens));
}

int register_all() {
  for (const kernels::Tier& tier : kernels::tiers()) {
    if (!tier.usable()) continue;
    const Kernels* kernels =
        kernels::find_kernels(std::string(tier.name), kernels::Numerics::kExact).value();
    for (const ElementTypeInfo& type : element_types()) {
      const bool is_float = type.type == ElementType::kF32 || type.type == ElementType::kF16 ||
                            type.type == ElementType::kBF16;
      if (!is_float && kernels::find_packed_format(type.type) == nullptr) continue;
      const ElementType id = type.type;
      benchmark::RegisterBenchmark(
          fmt::format("dot/{}/{}", tier.name, type.name).c_str(),
          [kernels, id](benchmark::State& state) { run_dot(state, *kernels, id); })
          ->Arg(1)
          ->Arg(4)
          ->Arg(8)
          ->Arg(512)
          ->Unit(benchmark::kMicrosecond);
    }
  }
  return 0;
}

[[maybe_unused]] const int kRegistered = register_all();

}  // namespace
}  // namespace cairn::bench

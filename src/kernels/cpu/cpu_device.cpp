#include "kernels/cpu/cpu_device.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/processors.h"
#include "kernels/cpu/pages.h"
#include "kernels/tiers.h"

namespace cairn::kernels {
namespace {

class CpuBuffer final : public Buffer {
 public:
  explicit CpuBuffer(HostMemory memory) : memory_(std::move(memory)) {}
  std::byte* address() const override { return memory_.data(); }
  std::size_t size() const override { return memory_.size(); }

 private:
  HostMemory memory_;
};

/// The exact class has kernels for narrow types only.
Status check_cache_type(Numerics numerics, CacheType type) {
  if (numerics == Numerics::kReference || type != CacheType::kF32) return {};
  return unsupported("kv-cache-dtype: the exact class keeps bf16 or int8, not f32");
}

}  // namespace

Result<std::unique_ptr<Device>> CpuDevice::create(const CpuOptions& options) {
  if (options.threads > kThreadsMax) {
    return invalid_argument(
        fmt::format("threads: {} is more than the {} accepted", options.threads, kThreadsMax));
  }
  CAIRN_ASSIGN(const Kernels* kernels, find_kernels(options.isa, options.numerics));
  CAIRN_ASSIGN(ThreadChoice choice, choose_threads(options.node));
  // Threads that somebody counts may need more processors than one node has.
  if (options.threads > 0 && !options.node) choice.processors.clear();
  const std::size_t threads = options.threads == 0 ? choice.threads : options.threads;
  const CacheType cache = options.cache_type.value_or(kernels->cache_type);
  CAIRN_TRY(check_cache_type(options.numerics, cache));
  return std::unique_ptr<Device>(std::make_unique<CpuDevice>(
      *kernels, threads, options.tuning,
      CpuDevice::Placed{.cache = cache, .processors = std::move(choice.processors)}));
}

CpuDevice::CpuDevice(const Kernels& kernels, std::size_t threads, const CpuTuning& tuning)
    : CpuDevice(kernels, threads, tuning, Placed{.cache = kernels.cache_type}) {}

CpuDevice::CpuDevice(const Kernels& kernels, std::size_t threads, const CpuTuning& tuning,
                     Placed placed)
    : team_(threads, tuning.waiting, std::move(placed.processors)), cache_type_(placed.cache) {
  shared_.kernels = &kernels;
  shared_.team = &team_;
  shared_.tuning = tuning;
  for (std::size_t worker = 0; worker < threads; ++worker) ops_.emplace_back(shared_, worker);
}

Result<std::unique_ptr<Buffer>> CpuDevice::allocate(std::size_t bytes) {
  CAIRN_ASSIGN(HostMemory memory, HostMemory::create(bytes));
  return std::unique_ptr<Buffer>(std::make_unique<CpuBuffer>(std::move(memory)));
}

void CpuDevice::upload(std::byte* to, std::span<const std::byte> from) {
  std::copy(from.begin(), from.end(), to);
}

void CpuDevice::download(std::span<std::byte> to, const std::byte* from) {
  std::copy_n(from, to.size(), to.data());
}

Result<std::unique_ptr<PackedMatrix>> CpuDevice::pack(std::span<const WeightSegment> segments) {
  return CpuMatrix::create(segments, team_);
}

Result<std::unique_ptr<PackedMatrix>> CpuDevice::adopt(std::span<const WeightSegment> segments,
                                                       const PackedContents& contents) {
  return CpuMatrix::adopt(segments, contents);
}

Result<std::size_t> CpuDevice::packed_bytes_bound(std::span<const WeightSegment> segments) const {
  return CpuMatrix::bytes_bound(segments);
}

std::uint32_t CpuDevice::page_layout() const { return kPageLayout; }

std::size_t CpuDevice::page_bytes(const KvLayout& layout) const { return cpu_page_bytes(layout); }

Status CpuDevice::reserve_scratch(std::size_t rows, std::size_t cols_max) {
  CAIRN_ASSIGN(shared_.inputs, InputScratch::create(rows, cols_max));
  CAIRN_ASSIGN(shared_.partials, HostMemory::create(kSplitBytes));
  CAIRN_ASSIGN(shared_.queries,
               HostMemory::create(kSplitTiles * kSplitChunks * kQueryTile * sizeof(Query)));
  CAIRN_ASSIGN(shared_.best, HostMemory::create(rows * team_.workers() * sizeof(BestTwo)));
  for (CpuOps& ops : ops_) CAIRN_TRY(ops.reserve(rows, cols_max));
  return {};
}

std::size_t CpuDevice::scratch_bytes(std::size_t rows, std::size_t cols_max) const {
  // What attention keeps of split chunks is touched only as far as sequences are long: some hundred
  // kilobytes at 2,048 positions, kSplitBytes at the most.
  // Of the room for an input only one encoding is touched: quantised models never write its floats
  // at full width, models of floats read the input where it stands.
  std::size_t bytes = (InputScratch::bytes(rows, cols_max) - rows * cols_max * sizeof(float)) / 2;
  bytes += rows * team_.workers() * sizeof(BestTwo);
  for (const CpuOps& ops : ops_) bytes += ops.scratch_bytes(rows, cols_max);
  return bytes;
}

void CpuDevice::run(const std::function<void(Ops&)>& forward) {
  team_.run([&](std::size_t worker) { forward(ops_[worker]); });
}

}  // namespace cairn::kernels

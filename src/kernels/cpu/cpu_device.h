// The CPU device: packed weights, pages and a team of workers.
//
// Purpose     kernels::Device on the machine's own cores; one tier's kernels, chosen at creation.
// Invariants  an address it gives out is ordinary memory; results do not depend on the number of
//             workers.
// Threads     as Device says. It owns its team.
// Adding      a tier: cpu/<tier>/ and its row in kernels/tiers.cpp.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "base/team.h"
#include "kernels/cpu/cpu_ops.h"
#include "kernels/device.h"

namespace cairn::kernels {

struct CpuOptions {
  std::size_t threads = 0;                           // workers; 0: as base/processors.h chooses
  std::optional<std::uint64_t> node = std::nullopt;  // memory node whose processors work
  std::optional<std::string> isa =
      std::nullopt;  // a tier by name; nothing: the best that this machine can run
  Numerics numerics = Numerics::kExact;
  std::optional<CacheType> cache_type = std::nullopt;  // nothing: what the class keeps by itself
  CpuTuning tuning = {};
};

inline constexpr std::size_t kThreadsMax = 1024;

class CpuDevice final : public Device {
 public:
  /// Errors: kInvalidArgument for more than kThreadsMax threads or an unknown tier; kUnsupported
  /// for a tier that is not built or that this machine cannot run, for a class that the tier
  /// lacks, and for a cache type that the class does not keep.
  static Result<std::unique_ptr<Device>> create(const CpuOptions& options);

  /// Starts `threads` workers on the kernels of one tier and class.
  CpuDevice(const Kernels& kernels, std::size_t threads, const CpuTuning& tuning);
  /// The same with caches of a type that the class keeps, on some processors where any are named.
  struct Placed {
    CacheType cache = CacheType::kBf16;
    std::vector<std::size_t> processors = {};
  };
  CpuDevice(const Kernels& kernels, std::size_t threads, const CpuTuning& tuning, Placed placed);

  /// Changes what runs from now on; between two runs only. Rows that are replicated: up to what the
  /// device was created with.
  void tune(const CpuTuning& tuning) {
    shared_.tuning = tuning;
    team_.set_waiting(tuning.waiting);
  }
  const CpuTuning& tuning() const { return shared_.tuning; }

  std::string_view name() const override { return "cpu"; }
  std::string_view isa() const override { return shared_.kernels->isa; }
  Numerics numerics() const override { return shared_.kernels->numerics; }
  CacheType default_cache_type() const override { return cache_type_; }

  Result<std::unique_ptr<Buffer>> allocate(std::size_t bytes) override;
  void upload(std::byte* to, std::span<const std::byte> from) override;
  void download(std::span<std::byte> to, const std::byte* from) override;
  Result<std::unique_ptr<PackedMatrix>> pack(std::span<const WeightSegment> segments) override;
  Result<std::size_t> packed_bytes_bound(std::span<const WeightSegment> segments) const override;
  std::uint32_t packed_layout() const override { return kPackedLayout; }
  Result<std::unique_ptr<PackedMatrix>> adopt(std::span<const WeightSegment> segments,
                                              const PackedContents& contents) override;
  std::size_t page_bytes(const KvLayout& layout) const override;
  std::uint32_t page_layout() const override;
  Status reserve_scratch(std::size_t rows, std::size_t cols_max) override;
  std::size_t scratch_bytes(std::size_t rows, std::size_t cols_max) const override;
  void run(const std::function<void(Ops&)>& forward) override;
  void wait() override {}

 private:
  Team team_;
  CacheType cache_type_ = CacheType::kBf16;
  CpuShared shared_;
  std::vector<CpuOps> ops_;
};

}  // namespace cairn::kernels

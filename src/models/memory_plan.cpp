#include "models/memory_plan.h"

#include <fmt/core.h>

#include <optional>
#include <vector>

#include "base/bytes_text.h"
#include "base/checked.h"
#include "models/decoder_spec.h"
#include "models/model_builder.h"

namespace cairn::models {
namespace {

constexpr std::uint64_t kVectorAlignment = 4096;  // what a device aligns a buffer to

/// Segments without their bytes.
class Weighing {
 public:
  Weighing(const formats::ModelFile& file, const kernels::Device& device)
      : file_(file), device_(device) {}

  Status add(const MatrixSpec& matrix) {
    std::vector<kernels::WeightSegment> segments;
    for (const SegmentSpec& segment : matrix.segments) {
      segments.push_back(
          {.type = file_.find(segment.weight)->type, .rows = segment.rows, .cols = matrix.cols});
    }
    CAIRN_ASSIGN(const std::size_t packed, device_.packed_bytes_bound(segments));
    const std::optional<std::uint64_t> sum = checked_add(bytes_, packed);
    if (!sum) return too_large("the packed weights of this model do not fit into 64 bits");
    bytes_ = *sum;
    return {};
  }

  Status add_table(const std::string& tensor, std::size_t rows, std::size_t cols) {
    if (tensor.empty()) return {};
    return add({.segments = {{.weight = tensor, .rows = rows}}, .cols = cols});
  }

  Status add(const AttentionSpec& spec) {
    CAIRN_TRY(add(spec.qkv));
    return add(spec.out);
  }

  Status add(const GatedMlpSpec& spec) {
    CAIRN_TRY(add(spec.gate_up));
    return add(spec.down);
  }

  void add_vectors(const DecoderSpec& spec) {
    for (const TensorUse& use : tensors_of(spec)) {
      if (use.kind != TensorUse::Kind::kVector) continue;
      bytes_ += *checked_align_up(use.cols * sizeof(float), kVectorAlignment);
    }
  }

  std::uint64_t bytes() const { return bytes_; }

 private:
  const formats::ModelFile& file_;
  const kernels::Device& device_;
  std::uint64_t bytes_ = 0;
};

Result<std::uint64_t> packed_bytes_of(const DecoderSpec& spec, const formats::ModelFile& file,
                                      const kernels::Device& device) {
  Weighing weighing(file, device);
  CAIRN_TRY(weighing.add_table(spec.embedding, spec.vocabulary, spec.width));
  CAIRN_TRY(weighing.add_table(spec.head, spec.vocabulary, spec.width));
  const auto add = [&](const auto& block) { return weighing.add(block); };
  for (const LayerSpec& layer : spec.layers) {
    CAIRN_TRY(std::visit(add, layer.mixer));
    CAIRN_TRY(std::visit(add, layer.feed_forward));
  }
  weighing.add_vectors(spec);
  return weighing.bytes();
}

Status check_total(const MemoryPlan& plan) {
  const std::optional<std::uint64_t> sum = checked_add(plan.packed_bytes, plan.cache_bytes);
  if (sum && checked_add(*sum, plan.scratch_bytes)) return {};
  return too_large("the memory this model needs with this context does not fit into 64 bits");
}

}  // namespace

Result<MemoryPlan> plan_memory(const formats::ModelFile& file, const kernels::Device& device,
                               const MemoryNeed& need) {
  CAIRN_ASSIGN(const DecoderSpec spec, read_spec(file));
  MemoryPlan plan;
  plan.context_length = spec.context_length;
  for (const formats::TensorInfo& tensor : file.tensors()) {
    plan.file_weight_bytes += tensor.bytes.size();
  }
  CAIRN_ASSIGN(plan.packed_bytes, packed_bytes_of(spec, file, device));
  for (const CacheSpec& cache : caches_of(spec, device.default_cache_type())) {
    plan.page_bytes += device.page_bytes(cache.layout);
  }
  const std::uint64_t pages = need.positions / kernels::kPagePositions +
                              (need.positions % kernels::kPagePositions == 0 ? 0 : 1);
  const std::optional<std::uint64_t> cache_bytes = checked_mul(pages, plan.page_bytes);
  if (!cache_bytes) {
    return too_large(fmt::format("a cache of {} positions of {} bytes per page of {}",
                                 need.positions, plan.page_bytes, kernels::kPagePositions));
  }
  plan.cache_bytes = *cache_bytes;
  // Logits stand on the device and once more where the sampler reads them.
  const StepLimits& limits = need.limits;
  plan.scratch_bytes = scratch_bytes(scratch_shape_of(spec), limits) +
                       limits.logits_rows_max * spec.vocabulary * sizeof(float);
  CAIRN_TRY(check_total(plan));
  return plan;
}

std::size_t positions_that_fit(const MemoryPlan& plan, std::uint64_t available_bytes) {
  const std::uint64_t fixed = plan.packed_bytes + plan.scratch_bytes;
  if (available_bytes <= fixed || plan.page_bytes == 0) return 0;
  return (available_bytes - fixed) / plan.page_bytes * kernels::kPagePositions;
}

Status check_fits(const MemoryPlan& plan, std::uint64_t available_bytes) {
  if (plan.total() <= available_bytes) return {};
  return too_large(fmt::format(
      "the model needs {} (weights {}, cache {}, scratch {}) and {} are available; a context of "
      "up to {} positions would fit",
      bytes_text(plan.total()), bytes_text(plan.packed_bytes), bytes_text(plan.cache_bytes),
      bytes_text(plan.scratch_bytes), bytes_text(available_bytes),
      positions_that_fit(plan, available_bytes)));
}

}  // namespace cairn::models

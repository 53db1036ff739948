#include "models/memory_plan.h"

#include <fmt/core.h>

#include <optional>
#include <string>
#include <vector>

#include "base/checked.h"
#include "models/decoder_spec.h"
#include "models/model_builder.h"

namespace cairn::models {
namespace {

constexpr std::uint64_t kVectorAlignment = 4096;  // what a device aligns a buffer to

/// Sums up what loading packs, in the order of loading: segments without their bytes.
class Weighing {
 public:
  Weighing(const formats::ModelFile& file, const kernels::Device& device)
      : file_(file), device_(device) {}

  Status add(const MatrixSpec& matrix) {
    std::vector<kernels::WeightSegment> segments;
    std::uint64_t source = 0;  // of tensors in the file, so that the sum fits
    for (const SegmentSpec& segment : matrix.segments) {
      const formats::TensorInfo& tensor = *file_.find(segment.weight);
      segments.push_back({.type = tensor.type, .rows = segment.rows, .cols = matrix.cols});
      source += tensor.reading_bytes();
    }
    CAIRN_ASSIGN(const std::size_t packed, device_.packed_bytes_bound(segments));
    const std::optional<std::uint64_t> sum = checked_add(bytes_, packed);
    if (!sum) return too_large("the packed weights of this model do not fit into 64 bits");
    bytes_ = *sum;
    loading_ = std::max(loading_, checked_add(bytes_, source).value_or(bytes_));
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

  Status add(const MlpSpec& spec) {
    CAIRN_TRY(add(spec.up));
    return add(spec.down);
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
    loading_ = std::max(loading_, bytes_);
  }

  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t loading() const { return loading_; }

 private:
  const formats::ModelFile& file_;
  const kernels::Device& device_;
  std::uint64_t bytes_ = 0;
  std::uint64_t loading_ = 0;
};

Status weigh(const DecoderSpec& spec, Weighing& weighing) {
  CAIRN_TRY(weighing.add_table(spec.embedding, spec.vocabulary, spec.width));
  CAIRN_TRY(weighing.add_table(spec.head, spec.vocabulary, spec.width));
  const auto add = [&](const auto& block) { return weighing.add(block); };
  for (const LayerSpec& layer : spec.layers) {
    CAIRN_TRY(std::visit(add, layer.mixer));
    CAIRN_TRY(std::visit(add, layer.feed_forward));
  }
  weighing.add_vectors(spec);
  return {};
}

Status check_total(const MemoryPlan& plan) {
  std::optional<std::uint64_t> sum = checked_add(plan.packed_bytes, plan.cache_bytes);
  if (sum) sum = checked_add(*sum, plan.scratch_bytes);
  if (sum && checked_add(*sum, plan.logits_bytes)) return {};
  return too_large("the memory this model needs with this context does not fit into 64 bits");
}

}  // namespace

Result<MemoryPlan> plan_memory(const formats::ModelFile& file, const kernels::Device& device,
                               const MemoryNeed& need) {
  CAIRN_ASSIGN(const DecoderSpec spec, read_spec(file));
  MemoryPlan plan{.context_length = spec.context_length, .vocabulary = spec.vocabulary};
  for (const formats::TensorInfo& tensor : file.tensors()) {
    plan.file_weight_bytes += tensor.byte_size();
  }
  Weighing weighing(file, device);
  CAIRN_TRY(weigh(spec, weighing));
  plan.packed_bytes = weighing.bytes();
  plan.loading_bytes = weighing.loading();
  for (const CacheSpec& cache : caches_of(spec, device.default_cache_type())) {
    plan.caches.push_back({.spec = cache, .page_bytes = device.page_bytes(cache.layout)});
    plan.page_bytes += plan.caches.back().page_bytes;
  }
  const std::optional<std::uint64_t> cache_bytes = checked_mul(need.pages, plan.page_bytes);
  if (!cache_bytes) {
    return too_large(fmt::format("a cache of {} pages of {} bytes, of {} positions each",
                                 need.pages, plan.page_bytes, kernels::kPagePositions));
  }
  plan.cache_bytes = *cache_bytes;
  const ScratchShape shape = scratch_shape_of(spec);
  plan.scratch_bytes = scratch_bytes(device, shape, need.limits);
  plan.logits_bytes = 2 * logits_bytes(shape, need.limits);
  CAIRN_TRY(check_total(plan));
  return plan;
}

std::size_t pages_in(const MemoryPlan& plan, std::uint64_t bytes) {
  return plan.page_bytes == 0 ? 0 : bytes / plan.page_bytes;
}

}  // namespace cairn::models

#include "models/model_builder.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "models/blocks/attention.h"
#include "models/blocks/gated_mlp.h"
#include "models/blocks/mlp.h"
#include "models/rope.h"

namespace cairn::models {
namespace {

/// Radians per position. Models in use stay below 2; far above this, angles of far positions would
/// leave what f32 holds.
constexpr float kFrequencyMax = 1e6F;

void widen(ScratchShape& shape, const AttentionSpec& spec) {
  const std::size_t q_cols = spec.heads * spec.head_dim;
  shape.attended = std::max(shape.attended, q_cols);
  shape.qkv = std::max(shape.qkv, q_cols + 2 * spec.kv_heads * spec.head_dim);
}

void widen(ScratchShape& shape, const GatedMlpSpec& spec) {
  shape.hidden = std::max(shape.hidden, spec.hidden);
}

void widen(ScratchShape& shape, const MlpSpec& spec) {
  shape.hidden = std::max(shape.hidden, spec.hidden);
}

void append_cache(std::vector<CacheSpec>& caches, const AttentionSpec& spec,
                  kernels::CacheType type) {
  caches.push_back({.layout = {.kv_heads = spec.kv_heads, .head_dim = spec.head_dim, .type = type},
                    .window = spec.window});
}

}  // namespace

ScratchShape scratch_shape_of(const DecoderSpec& spec) {
  ScratchShape shape{.width = spec.width, .vocabulary = spec.vocabulary};
  for (const LayerSpec& layer : spec.layers) {
    std::visit([&](const auto& block) { widen(shape, block); }, layer.mixer);
    std::visit([&](const auto& block) { widen(shape, block); }, layer.feed_forward);
  }
  return shape;
}

std::vector<CacheSpec> caches_of(const DecoderSpec& spec, kernels::CacheType type) {
  std::vector<CacheSpec> caches;
  for (const LayerSpec& layer : spec.layers) {
    std::visit([&](const auto& block) { append_cache(caches, block, type); }, layer.mixer);
  }
  return caches;
}

Result<kernels::Norm> ModelBuilder::norm(const NormSpec& spec) {
  kernels::Norm norm{.eps = spec.eps, .centred = spec.centred};
  CAIRN_ASSIGN(norm.weight, loader_.vector(spec.tensor));
  CAIRN_ASSIGN(norm.bias, loader_.vector(spec.bias));
  if (!spec.centred || norm.weight != nullptr) return norm;
  CAIRN_ASSIGN(norm.weight, loader_.upload(std::vector<float>(spec.size, 1.0F)));
  return norm;
}

template <class Spec>
Result<ResidualOutput> ModelBuilder::residual(const Spec& spec, const MatrixSpec& matrix,
                                              Joins joins) {
  ResidualOutput output{.scale = spec.residual_scale, .joins = joins};
  CAIRN_ASSIGN(output.weight, loader_.matrix(matrix));
  CAIRN_ASSIGN(output.bias, loader_.bias(matrix));
  CAIRN_ASSIGN(output.post_norm, norm(spec.post_norm));
  return output;
}

Result<const float*> ModelBuilder::frequencies(const RopeSpec& spec) {
  if (spec.dims == 0) return static_cast<const float*>(nullptr);
  for (const auto& [known, address] : frequencies_) {
    if (known == spec) return address;
  }
  std::vector<float> factors;
  if (!spec.factors_tensor.empty()) {
    CAIRN_ASSIGN(factors, loader_.values(spec.factors_tensor));
  }
  const std::vector<float> computed = inverse_frequencies(spec, factors);
  for (const float frequency : computed) {
    if (std::abs(frequency) <= kFrequencyMax) continue;  // false for NaN
    return invalid_file(fmt::format(
        "the rotary base {}, scaling {} and factors{} give a frequency of {}, expected at most {}",
        spec.base, spec.linear_factor,
        spec.factors_tensor.empty() ? "" : fmt::format(" of \"{}\"", spec.factors_tensor),
        frequency, kFrequencyMax));
  }
  CAIRN_ASSIGN(const float* address, loader_.upload(computed));
  frequencies_.emplace_back(spec, address);
  return address;
}

Result<std::unique_ptr<Block>> ModelBuilder::block(const AttentionSpec& spec, Joins joins) {
  Attention::Options options{.heads = spec.heads,
                             .cache_slot = next_slot_,
                             .cache = caches_[next_slot_],
                             .scale = spec.scale,
                             .soft_cap = spec.soft_cap,
                             .head_norms = spec.head_norms};
  ++next_slot_;
  options.rope = {
      .dims = spec.rope.dims, .pairs = spec.rope.pairs, .magnitude = spec.rope.magnitude};
  CAIRN_ASSIGN(options.rope.inverse_frequency, frequencies(spec.rope));
  CAIRN_ASSIGN(options.norm, norm(spec.norm));
  CAIRN_ASSIGN(options.q_norm, norm(spec.q_norm));
  CAIRN_ASSIGN(options.k_norm, norm(spec.k_norm));
  CAIRN_ASSIGN(options.qkv, loader_.matrix(spec.qkv));
  CAIRN_ASSIGN(options.qkv_bias, loader_.bias(spec.qkv));
  CAIRN_ASSIGN(options.out, residual(spec, spec.out, joins));
  return std::unique_ptr<Block>(std::make_unique<Attention>(options));
}

Result<std::unique_ptr<Block>> ModelBuilder::block(const GatedMlpSpec& spec, Joins joins) {
  GatedMlp::Options options{.hidden = spec.hidden, .activation = spec.activation};
  CAIRN_ASSIGN(options.norm, norm(spec.norm));
  CAIRN_ASSIGN(options.gate_up, loader_.matrix(spec.gate_up));
  CAIRN_ASSIGN(options.gate_up_bias, loader_.bias(spec.gate_up));
  CAIRN_ASSIGN(options.down, residual(spec, spec.down, joins));
  return std::unique_ptr<Block>(std::make_unique<GatedMlp>(options));
}

Result<std::unique_ptr<Block>> ModelBuilder::block(const MlpSpec& spec, Joins joins) {
  Mlp::Options options{.hidden = spec.hidden, .activation = spec.activation};
  CAIRN_ASSIGN(options.norm, norm(spec.norm));
  CAIRN_ASSIGN(options.up, loader_.matrix(spec.up));
  CAIRN_ASSIGN(options.up_bias, loader_.bias(spec.up));
  CAIRN_ASSIGN(options.down, residual(spec, spec.down, joins));
  return std::unique_ptr<Block>(std::make_unique<Mlp>(options));
}

Status ModelBuilder::build_ends(Model& model) {
  CAIRN_ASSIGN(const kernels::PackedMatrix* table,
               loader_.table(spec_.embedding, spec_.vocabulary));
  model.embed_.table = table;
  model.embed_.scale = spec_.embedding_scale;
  model.logits_.head = table;
  if (!spec_.head.empty()) {
    CAIRN_ASSIGN(model.logits_.head, loader_.table(spec_.head, spec_.vocabulary));
  }
  CAIRN_ASSIGN(model.logits_.norm, norm(spec_.final_norm));
  model.logits_.scale = spec_.logit_scale;
  model.logits_.soft_cap = spec_.logit_soft_cap;
  return {};
}

void ModelBuilder::describe(Model& model) {
  const formats::TensorInfo& table = *file_.find(spec_.embedding);
  ModelInfo& info = model.info_;
  info.architecture = std::string(*file_.metadata().string("general.architecture"));
  const Result<std::string_view> name = file_.metadata().string("general.name");
  if (name.ok()) info.name = std::string(*name);
  info.layers = spec_.layers.size();
  info.width = spec_.width;
  info.vocabulary = spec_.vocabulary;
  info.embedding_rows = static_cast<std::size_t>(table.rows());
  info.context_length = spec_.context_length;
  for (const formats::TensorInfo& tensor : file_.tensors()) info.weight_bytes += tensor.byte_size();
  for (const auto& matrix : model.matrices_) info.packed_bytes += matrix->packed_bytes();
  for (const auto& vector : model.vectors_) info.packed_bytes += vector->size();
  info.load = loader_.figures();
  info.warnings = kept_.take_warnings();
  info.bytes_per_token = info.weight_bytes;
  if (!spec_.head.empty())
    info.bytes_per_token -= table.byte_size() - table.byte_size() / table.rows();
}

Result<std::unique_ptr<Model>> ModelBuilder::build() {
  std::unique_ptr<Model> model(new Model);
  caches_ = caches_of(spec_, device_.default_cache_type());
  for (const LayerSpec& spec : spec_.layers) {  // first, as a file may be refused here
    const auto compute = [&](const auto& mixer) { return frequencies(mixer.rope).status(); };
    CAIRN_TRY(std::visit(compute, spec.mixer));
  }
  CAIRN_TRY(build_ends(*model));
  for (const LayerSpec& spec : spec_.layers) {
    const Joins first = spec.parallel ? Joins::kKeep : Joins::kAdd;
    const Joins second = spec.parallel ? Joins::kAddBoth : Joins::kAdd;
    CAIRN_ASSIGN(std::unique_ptr<Block> mixer,
                 std::visit([&](const auto& part) { return block(part, first); }, spec.mixer));
    CAIRN_ASSIGN(
        std::unique_ptr<Block> feed_forward,
        std::visit([&](const auto& part) { return block(part, second); }, spec.feed_forward));
    model->blocks_.push_back(std::move(mixer));
    model->blocks_.push_back(std::move(feed_forward));
  }
  model->scratch_shape_ = scratch_shape_of(spec_);
  model->caches_ = caches_;
  model->matrices_ = loader_.take_matrices();
  model->vectors_ = loader_.take_vectors();
  kept_.save(model->matrices_);
  describe(*model);
  return model;
}

}  // namespace cairn::models

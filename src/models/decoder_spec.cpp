#include "models/decoder_spec.h"

#include <set>
#include <string_view>

#include "models/config.h"
#include "models/registry.h"
#include "models/weights.h"

namespace cairn::models {
namespace {

/// Collects uses, each name once: layers may share a tensor.
class Uses {
 public:
  void add(TensorUse use) {
    if (use.name.empty()) return;
    if (names_.insert(use.name).second) uses_.push_back(std::move(use));
  }

  void add(const NormSpec& norm) {
    add_vector(norm.tensor, norm.size);
    add_vector(norm.bias, norm.size);
  }

  void add(const MatrixSpec& matrix) {
    for (const SegmentSpec& segment : matrix.segments) {
      add({.name = segment.weight, .rows = segment.rows, .cols = matrix.cols});
      add_vector(segment.bias, segment.rows);
    }
  }

  void add_vector(const std::string& name, std::size_t size) {
    add({.name = name, .kind = TensorUse::Kind::kVector, .rows = 1, .cols = size});
  }

  void add(const AttentionSpec& spec) {
    add(spec.norm);
    add(spec.qkv);
    add(spec.q_norm);
    add(spec.k_norm);
    add_vector(spec.rope.factors_tensor, spec.rope.dims / 2);
    add(spec.out);
    add(spec.post_norm);
  }

  void add(const GatedMlpSpec& spec) {
    add(spec.norm);
    add(spec.gate_up);
    add(spec.down);
    add(spec.post_norm);
  }

  void add(const MlpSpec& spec) {
    add(spec.norm);
    add(spec.up);
    add(spec.down);
    add(spec.post_norm);
  }

  std::vector<TensorUse> take() { return std::move(uses_); }

 private:
  std::vector<TensorUse> uses_;
  std::set<std::string> names_;
};

}  // namespace

std::vector<TensorUse> tensors_of(const DecoderSpec& spec) {
  Uses uses;
  uses.add({.name = spec.embedding,
            .kind = TensorUse::Kind::kTable,
            .rows = spec.vocabulary,
            .cols = spec.width});
  for (const LayerSpec& layer : spec.layers) {
    std::visit([&](const auto& block) { uses.add(block); }, layer.mixer);
    std::visit([&](const auto& block) { uses.add(block); }, layer.feed_forward);
  }
  uses.add(spec.final_norm);
  uses.add({.name = spec.head,
            .kind = TensorUse::Kind::kTable,
            .rows = spec.vocabulary,
            .cols = spec.width});
  return uses.take();
}

Result<DecoderSpec> read_spec(const formats::ModelFile& file) {
  CAIRN_ASSIGN(const std::string_view architecture, file.metadata().string("general.architecture"));
  CAIRN_ASSIGN(const Family* family, find_family(architecture));
  Config config(file, architecture);
  CAIRN_ASSIGN(DecoderSpec spec, family->build(config));
  CAIRN_TRY(config.refuse_unread());
  CAIRN_TRY(check_tensors(file, tensors_of(spec)));
  return spec;
}

}  // namespace cairn::models

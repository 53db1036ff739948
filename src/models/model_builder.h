// From a spec to blocks on a device.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "base/status.h"
#include "models/blocks/block.h"
#include "models/blocks/residual.h"
#include "models/decoder.h"
#include "models/decoder_spec.h"
#include "models/weights.h"

namespace cairn::models {

/// Most bytes and columns that the forward pass of `spec` writes per row.
ScratchShape scratch_shape_of(const DecoderSpec& spec);

/// The caches of `spec`, slot by slot, kept as `type`.
std::vector<CacheSpec> caches_of(const DecoderSpec& spec, kernels::CacheType type);

/// Loads a spec's weights and composes its blocks. Used once.
class ModelBuilder {
 public:
  ModelBuilder(const DecoderSpec& spec, const formats::ModelFile& file, kernels::Device& device,
               const LoadOptions& options)
      : spec_(spec),
        file_(file),
        device_(device),
        kept_(options.packed_folder, file, device),
        loader_(file, device, kept_, options.progress) {}

  /// Errors: as Model::load, once the spec is read.
  Result<std::unique_ptr<Model>> build();

 private:
  Result<std::unique_ptr<Block>> block(const AttentionSpec& spec, Joins joins);
  Result<std::unique_ptr<Block>> block(const GatedMlpSpec& spec, Joins joins);
  Result<std::unique_ptr<Block>> block(const MlpSpec& spec, Joins joins);
  Result<kernels::Norm> norm(const NormSpec& spec);
  template <class Spec>
  Result<ResidualOutput> residual(const Spec& spec, const MatrixSpec& matrix, Joins joins);
  Result<const float*> frequencies(const RopeSpec& spec);
  Status build_ends(Model& model);
  void describe(Model& model);

  const DecoderSpec& spec_;
  const formats::ModelFile& file_;
  kernels::Device& device_;
  PackedCache kept_;
  WeightLoader loader_;
  std::vector<CacheSpec> caches_;
  std::size_t next_slot_ = 0;
  std::vector<std::pair<RopeSpec, const float*>> frequencies_;  // layers share them
};

}  // namespace cairn::models

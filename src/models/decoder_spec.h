// DecoderSpec: a decoder in names and numbers, before any weight is touched.
//
// Purpose     what a family says of its model; blocks, tensor checks and memory plans read it.
// Invariants  every tensor named here must be in the file, in the shape given here, and no other
//             may be; an empty name means "none". Numbers are checked when the family reads them.
// Threads     values.
// Adding      a kind of block: its spec struct and its alternative in MixerSpec or FeedForwardSpec.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/status.h"
#include "formats/model_file.h"
#include "kernels/ops.h"

namespace cairn::models {

struct NormSpec {
  std::string tensor = {};  // empty: no norm, or weights of 1 when centred
  std::size_t size = 0;
  float eps = 0;
  bool centred = false;   // the mean is taken off (LayerNorm)
  std::string bias = {};  // empty: none
};

/// Rows of a fused matrix that one tensor of the file holds.
struct SegmentSpec {
  std::string weight = {};
  std::string bias = {};  // empty: none
  std::size_t rows = 0;
};

/// Segments from top to bottom; all have `cols` columns.
struct MatrixSpec {
  std::vector<SegmentSpec> segments = {};
  std::size_t cols = 0;
};

/// Frequencies scaled by band of wavelength: kept where short, divided by `factor` where long,
/// blended between. Source: Llama 3.1 (transformers, modeling_rope_utils, rope type "llama3").
struct RopeBands {
  double factor = 1;
  double low_frequency_factor = 1;
  double high_frequency_factor = 4;
  double original_context = 8192;

  bool operator==(const RopeBands&) const = default;
};

/// Frequencies divided by `factor` where they turn less than `slow` times in the original context,
/// kept where more than `fast` times, blended between by dimension. Source: Peng et al. 2023, arXiv
/// 2309.00071, section 3.2, bounds rounded outwards as transformers does (rope type "yarn").
struct RopeYarn {
  double factor = 1;
  double original_context = 0;
  double fast = 32;
  double slow = 1;

  bool operator==(const RopeYarn&) const = default;
};

struct RopeSpec {
  std::size_t dims = 0;  // 0: no positions
  kernels::RopePairs pairs = kernels::RopePairs::kHalves;
  double base = 10000;
  double linear_factor = 1;  // positions are divided by it
  std::optional<RopeBands> bands = {};
  std::optional<RopeYarn> yarn = {};
  float magnitude = 1;              // of what is rotated
  std::string factors_tensor = {};  // [dims / 2] divisors of the frequencies

  bool operator==(const RopeSpec&) const = default;
};

struct AttentionSpec {
  std::size_t heads = 0;
  std::size_t kv_heads = 0;
  std::size_t head_dim = 0;
  std::size_t window = 0;  // 0: all
  float scale = 0;
  float soft_cap = 0;
  RopeSpec rope = {};
  NormSpec norm = {};
  kernels::HeadNorms head_norms = kernels::HeadNorms::kEach;
  NormSpec q_norm = {};
  NormSpec k_norm = {};
  MatrixSpec qkv = {};
  MatrixSpec out = {};
  NormSpec post_norm = {};
  float residual_scale = 1;  // of what is added; must be 1 with a post_norm
};

struct GatedMlpSpec {
  std::size_t hidden = 0;
  kernels::Activation activation = kernels::Activation::kSilu;
  NormSpec norm = {};
  MatrixSpec gate_up = {};
  MatrixSpec down = {};
  NormSpec post_norm = {};
  float residual_scale = 1;  // as above
};

struct MlpSpec {
  std::size_t hidden = 0;
  kernels::Activation activation = kernels::Activation::kGeluTanh;
  NormSpec norm = {};
  MatrixSpec up = {};
  MatrixSpec down = {};
  NormSpec post_norm = {};
  float residual_scale = 1;  // as above
};

using MixerSpec = std::variant<AttentionSpec>;
using FeedForwardSpec = std::variant<GatedMlpSpec, MlpSpec>;

struct LayerSpec {
  MixerSpec mixer = {};
  FeedForwardSpec feed_forward = {};
  bool parallel = false;  // both read the same x; then no post_norm
};

struct DecoderSpec {
  std::size_t width = 0;
  std::size_t vocabulary = 0;
  std::size_t context_length = 0;
  std::string embedding = {};  // [width, at least vocabulary]
  float embedding_scale = 1;
  std::vector<LayerSpec> layers = {};
  NormSpec final_norm = {};
  std::string head = {};  // empty: the embedding, tied
  float logit_scale = 1;
  float logit_soft_cap = 0;
};

/// One tensor that a spec needs.
struct TensorUse {
  enum class Kind : unsigned char {
    kMatrix,
    kVector,
    kTable,  // may have more rows than are used
  };
  std::string name = {};
  Kind kind = Kind::kMatrix;
  std::size_t rows = 1;
  std::size_t cols = 0;
};

/// Every tensor of `spec` once, in the order of loading.
std::vector<TensorUse> tensors_of(const DecoderSpec& spec);

/// The spec of `file`, by the family that its architecture names.
/// Errors: kUnsupported naming an architecture or key that is not understood; kInvalidFile naming
/// the key or tensor that is missing, left over, or wrong, with what was found and expected.
Result<DecoderSpec> read_spec(const formats::ModelFile& file);

}  // namespace cairn::models

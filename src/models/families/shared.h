// What the configurations of most decoders have in common.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "base/status.h"
#include "models/config.h"
#include "models/decoder_spec.h"

namespace cairn::models {

/// The sizes that every decoder states.
struct Shape {
  std::size_t layers = 0;
  std::size_t width = 0;
  std::size_t hidden = 0;
  std::size_t heads = 0;
  std::size_t kv_heads = 0;
  std::size_t head_dim = 0;
  std::size_t context_length = 0;
  float eps = 0;
  bool centred = false;  // norms are LayerNorms
};

enum class NormKind : unsigned char { kRms, kLayer };

/// Reads them. Errors: kInvalidFile naming the key, also where heads are no multiple of kv heads.
Result<Shape> read_shape(Config& config, NormKind norms = NormKind::kRms);

/// Reads rope.freq_base, rope.dimension_count, and a scaling that is none, linear or YaRN.
/// Errors: kUnsupported naming another scaling; kInvalidFile for dimensions that do not fit a head.
Result<RopeSpec> read_rope(Config& config, const Shape& shape, double base);

/// The decoder's ends: embedding, final norm and head ("output.weight", else tied).
Result<DecoderSpec> read_ends(Config& config, const Shape& shape);

/// What most decoders begin with.
struct Basics {
  Shape shape;
  RopeSpec rope;
  DecoderSpec spec;  // its ends; no layer yet
};
/// Errors: those of read_shape, read_rope and read_ends.
Result<Basics> read_basics(Config& config, double rope_base, NormKind norms = NormKind::kRms);

/// Gives the decoder each(layer) for every layer.
template <class Each>
DecoderSpec with_layers(Basics basics, Each each) {
  for (std::size_t layer = 0; layer < basics.shape.layers; ++layer) {
    basics.spec.layers.push_back(each(layer));
  }
  return std::move(basics.spec);
}

/// A norm over the width: "blk.<layer>.<name>.weight" and, of a LayerNorm, ".bias" where there is
/// one.
NormSpec layer_norm(const Config& config, const Shape& shape, std::size_t layer, const char* name);

/// Rows of "blk.<layer>.<name>", with its bias where the file has one.
SegmentSpec segment(const Config& config, std::size_t layer, const char* name, std::size_t rows);

/// Attention over all heads with names "attn_norm", "attn_q", "attn_k", "attn_v", "attn_output".
AttentionSpec attention(const Config& config, const Shape& shape, std::size_t layer);

/// The same, rotated, with norms of each head ("attn_q_norm", "attn_k_norm").
AttentionSpec attention_of_normed_heads(const Config& config, const Basics& basics,
                                        std::size_t layer);

/// The same, rotated.
AttentionSpec rotated_attention(const Config& config, const Basics& basics, std::size_t layer);

/// "ffn_norm", "ffn_up", "ffn_down".
MlpSpec mlp(const Config& config, const Shape& shape, std::size_t layer);

/// "ffn_norm", "ffn_gate", "ffn_up", "ffn_down".
GatedMlpSpec gated_mlp(const Config& config, const Shape& shape, std::size_t layer);

}  // namespace cairn::models

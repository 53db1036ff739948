// Can the oracle see? Each option of a block is altered in turn: wherever a checkpoint has the
// option, its logits must leave the tolerance that oracle_test.cpp holds them to.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tests/golden/model_runner.h"
#include "tests/models/checkpoints.h"

namespace cairn::tests {
namespace {

using kernels::Activation;
using kernels::HeadNorms;
using kernels::RopePairs;
using models::AttentionSpec;
using models::DecoderSpec;
using models::GatedMlpSpec;
using models::MlpSpec;

/// Alters a spec; false where it has nothing to alter.
using Alter = std::function<bool(DecoderSpec&)>;

struct Mutation {
  const char* name;
  Alter alter;
};

/// Alters every layer's attention that has what is altered.
Alter in_attention(std::function<bool(AttentionSpec&)> alter) {
  return [alter = std::move(alter)](DecoderSpec& spec) {
    bool altered = false;
    for (models::LayerSpec& layer : spec.layers) {
      if (alter(std::get<AttentionSpec>(layer.mixer))) altered = true;
    }
    return altered;
  };
}

/// The same of feed-forwards of every kind.
template <class Change>
Alter in_mlp(Change alter) {
  return [alter](DecoderSpec& spec) {
    bool altered = false;
    for (models::LayerSpec& layer : spec.layers) {
      if (std::visit(alter, layer.feed_forward)) altered = true;
    }
    return altered;
  };
}

/// The first projections of a feed-forward.
models::MatrixSpec& first_of(GatedMlpSpec& spec) { return spec.gate_up; }
models::MatrixSpec& first_of(MlpSpec& spec) { return spec.up; }

/// Sets `value` to `other`; false where it was that.
template <class Value>
bool set(Value& value, const Value& other) {
  if (value == other) return false;
  value = other;
  return true;
}

bool forget(models::NormSpec& norm) { return set(norm.tensor, std::string()); }

bool forget_biases(models::MatrixSpec& matrix) {
  bool altered = false;
  for (models::SegmentSpec& segment : matrix.segments) {
    if (set(segment.bias, std::string())) altered = true;
  }
  return altered;
}

/// Moves a norm from before a sublayer to behind it, or back.
template <class Sublayer>
bool move_norm(Sublayer& sublayer) {
  if (sublayer.norm.tensor.empty() == sublayer.post_norm.tensor.empty()) return false;
  std::swap(sublayer.norm, sublayer.post_norm);
  return sublayer.residual_scale == 1;  // which excludes a norm behind
}

bool widen(AttentionSpec& spec, std::size_t window, std::size_t to) {
  return window != 0 && set(spec.window, to);
}

const std::vector<Mutation>& norm_mutations() {
  static const std::vector<Mutation> kNorms = {
      {"attention norm forgotten", in_attention([](auto& a) { return forget(a.norm); })},
      {"norm behind attention forgotten",
       in_attention([](auto& a) { return forget(a.post_norm); })},
      {"attention norm moved", in_attention([](auto& a) { return move_norm(a); })},
      {"feed-forward norm forgotten", in_mlp([](auto& m) { return forget(m.norm); })},
      {"norm behind feed-forward forgotten", in_mlp([](auto& m) { return forget(m.post_norm); })},
      {"feed-forward norm moved", in_mlp([](auto& m) { return move_norm(m); })},
      {"mean not taken off before attention",
       in_attention([](auto& a) { return set(a.norm.centred, false); })},
      {"mean not taken off before the feed-forward",
       in_mlp([](auto& m) { return set(m.norm.centred, false); })},
      {"bias of a norm forgotten",
       in_attention([](auto& a) { return set(a.norm.bias, std::string()); })},
      {"parallel blocks in turn",
       [](DecoderSpec& spec) {
         bool altered = false;
         for (models::LayerSpec& layer : spec.layers) altered |= set(layer.parallel, false);
         return altered;
       }},
      {"query norm forgotten", in_attention([](auto& a) { return forget(a.q_norm); })},
      {"key norm forgotten", in_attention([](auto& a) { return forget(a.k_norm); })},
      {"heads normed after the rotation", in_attention([](auto& a) {
         return !a.q_norm.tensor.empty() && a.head_norms == HeadNorms::kEach &&
                set(a.head_norms, HeadNorms::kEachRotated);
       })},
      {"heads normed before the rotation", in_attention([](auto& a) {
         return a.head_norms == HeadNorms::kEachRotated && set(a.head_norms, HeadNorms::kEach);
       })},
      {"heads normed one by one", in_attention([](auto& a) {
         return a.head_norms == HeadNorms::kAll && set(a.head_norms, HeadNorms::kEach);
       })},
  };
  return kNorms;
}

const std::vector<Mutation>& rotary_mutations() {
  static const std::vector<Mutation> kRotary = {
      {"rotary pairs swapped", in_attention([](auto& a) {
         const bool halves = a.rope.pairs == RopePairs::kHalves;
         return a.rope.dims != 0 &&
                set(a.rope.pairs, halves ? RopePairs::kAdjacent : RopePairs::kHalves);
       })},
      {"half of what is rotated", in_attention([](auto& a) {
         return a.rope.factors_tensor.empty() && set(a.rope.dims, a.rope.dims / 4 * 2);
       })},
      {"all of a head rotated",
       in_attention([](auto& a) { return a.rope.dims != 0 && set(a.rope.dims, a.head_dim); })},
      {"another rotary base",
       in_attention([](auto& a) { return a.rope.dims != 0 && set(a.rope.base, 2 * a.rope.base); })},
      {"all layers rotated as the last",
       [](DecoderSpec& spec) {
         const models::RopeSpec last = std::get<AttentionSpec>(spec.layers.back().mixer).rope;
         return in_attention([&last](auto& a) { return set(a.rope, last); })(spec);
       }},
      {"linear scaling forgotten",
       in_attention([](auto& a) { return set(a.rope.linear_factor, 1.0); })},
      {"frequency divisors forgotten",
       in_attention([](auto& a) { return set(a.rope.factors_tensor, std::string()); })},
      {"YaRN forgotten",
       in_attention([](auto& a) { return set(a.rope.yarn, std::optional<models::RopeYarn>()); })},
      {"magnitude forgotten", in_attention([](auto& a) { return set(a.rope.magnitude, 1.0f); })},
  };
  return kRotary;
}

const std::vector<Mutation>& number_mutations() {
  static const std::vector<Mutation> kNumbers = {
      {"window one wider", in_attention([](auto& a) { return widen(a, a.window, a.window + 1); })},
      {"window one narrower",
       in_attention([](auto& a) { return widen(a, a.window, a.window - 1); })},
      {"window forgotten", in_attention([](auto& a) { return widen(a, a.window, 0); })},
      {"scores scaled otherwise",
       in_attention([](auto& a) { return set(a.scale, 1.1f * a.scale); })},
      {"cap of scores forgotten", in_attention([](auto& a) { return set(a.soft_cap, 0.0f); })},
      {"scale behind attention forgotten",
       in_attention([](auto& a) { return set(a.residual_scale, 1.0f); })},
      {"scale behind feed-forward forgotten",
       in_mlp([](auto& m) { return set(m.residual_scale, 1.0f); })},
      {"another activation", in_mlp([](auto& m) {
         const bool silu = m.activation == Activation::kSilu;
         return set(m.activation, silu ? Activation::kGeluTanh : Activation::kSilu);
       })},
      {"scale of embeddings forgotten", [](auto& s) { return set(s.embedding_scale, 1.0f); }},
      {"scale of logits forgotten", [](auto& s) { return set(s.logit_scale, 1.0f); }},
      {"cap of logits forgotten", [](auto& s) { return set(s.logit_soft_cap, 0.0f); }},
      {"head tied", [](auto& s) { return set(s.head, std::string()); }},
  };
  return kNumbers;
}

const std::vector<Mutation>& bias_mutations() {
  static const std::vector<Mutation> kBiases = {
      {"biases of q, k, v forgotten", in_attention([](auto& a) { return forget_biases(a.qkv); })},
      {"bias behind attention forgotten",
       in_attention([](auto& a) { return forget_biases(a.out); })},
      {"biases of gate and up forgotten",
       in_mlp([](auto& m) { return forget_biases(first_of(m)); })},
      {"bias behind feed-forward forgotten", in_mlp([](auto& m) { return forget_biases(m.down); })},
  };
  return kBiases;
}

/// Largest difference from transformers, relative to the root mean square of the logits; 0 where
/// the checkpoint has nothing to alter.
double moved(const std::string& name, const Alter& alter) {
  bool altered = false;
  const auto runner = ModelRunner::create(
      checkpoint_file(name), {.numerics = kernels::Numerics::kReference,
                              .threads = 1,
                              .positions = kCheckpointPositions,
                              .alter = [&](DecoderSpec& spec) { altered = alter(spec); }});
  EXPECT_TRUE(runner.ok()) << name << ": " << runner.status().message();
  if (!runner.ok() || !altered) return 0;
  const Answers answers = answers_of(name);
  const std::vector<float> logits = (*runner)->feed(
      checkpoint_ids(kCheckpointPositions, (*runner)->info().vocabulary), kCheckpointPositions);
  return largest(difference(logits, answers.logits)) / root_mean_square(answers.logits);
}

class MutationTest : public testing::TestWithParam<const std::vector<Mutation>& (*)()> {};

TEST_P(MutationTest, EveryOptionThatIsAlteredIsSeenByACheckpoint) {
  for (const Mutation& mutation : GetParam()()) {
    std::string seen_by;
    for (const std::string& name : checkpoints()) {
      if (moved(name, mutation.alter) > 10 * kReferenceTolerance) seen_by += " " + name;
    }
    EXPECT_NE(seen_by, "") << mutation.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Options, MutationTest,
                         testing::Values(&norm_mutations, &rotary_mutations, &number_mutations,
                                         &bias_mutations));

}  // namespace
}  // namespace cairn::tests

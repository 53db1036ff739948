#include "tests/models/naive_forward.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace cairn::tests {
namespace {

using Vector = std::vector<double>;
using Rows = std::vector<Vector>;

class Naive {
 public:
  explicit Naive(const TinyModel& model)
      : model_(model),
        s_(model.shape),
        architecture_(std::string(*model.metadata.string("general.architecture"))),
        gemma_(architecture_ == "gemma3") {}

  Vector logits(const std::vector<TokenId>& ids) {
    Rows x;
    for (const TokenId id : ids) x.push_back(embedding(static_cast<std::size_t>(id)));
    for (std::size_t layer = 0; layer < s_.layers; ++layer) run_layer(layer, x);
    const std::string head = has("output.weight") ? "output.weight" : "token_embd.weight";
    const double cap = key("final_logit_softcapping", 0);
    Vector out;
    for (const Vector& row : x) {
      Vector z = multiply(head, norm(row, "output_norm.weight"));
      z.resize(s_.tokens);
      for (const double value : z) out.push_back(cap > 0 ? cap * std::tanh(value / cap) : value);
    }
    return out;
  }

 private:
  bool has(const std::string& name) const {
    return std::ranges::any_of(model_.tensors, [&](const auto& t) { return t.name == name; });
  }

  const std::vector<float>& values(const std::string& name) const {
    return std::ranges::find(model_.tensors, name, &TinyTensor::name)->values;
  }

  double key(const std::string& name, double otherwise) const {
    return *model_.metadata.f64_or(architecture_ + "." + name, otherwise);
  }

  Vector embedding(std::size_t id) const {
    Vector x(s_.width);
    const double scale = gemma_ ? std::sqrt(static_cast<double>(s_.width)) : 1;
    for (std::size_t i = 0; i < s_.width; ++i) {
      x[i] = scale * static_cast<double>(values("token_embd.weight")[id * s_.width + i]);
    }
    return x;
  }

  Vector norm(Vector x, const std::string& name) const {
    double sum = 0;
    for (const double value : x) sum += value * value;
    const double root = std::sqrt(sum / static_cast<double>(x.size()) + 1e-5);
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = x[i] / root * static_cast<double>(values(name)[i]);
    }
    return x;
  }

  Vector multiply(const std::string& name, const Vector& x) const {
    const std::vector<float>& w = values(name);
    Vector y(w.size() / x.size());
    const std::string bias = name.substr(0, name.size() - 6) + "bias";
    for (std::size_t r = 0; r < y.size(); ++r) {
      if (has(bias)) y[r] = static_cast<double>(values(bias)[r]);
      for (std::size_t c = 0; c < x.size(); ++c) {
        y[r] += static_cast<double>(w[r * x.size() + c]) * x[c];
      }
    }
    return y;
  }

  bool is_local(std::size_t layer) const {
    if (key("attention.sliding_window", 0) == 0) return false;
    const auto period = static_cast<std::size_t>(key("attention.sliding_window_pattern", 6));
    return !gemma_ || layer % period != period - 1;
  }

  double angle(std::size_t layer, std::size_t pair, std::size_t position) const {
    const bool local = gemma_ && is_local(layer);
    const double base = local ? 10000 : key("rope.freq_base", gemma_ ? 1000000 : 10000);
    double frequency =
        std::pow(base, -2.0 * static_cast<double>(pair) / static_cast<double>(s_.head_dim));
    if (!local) frequency /= key("rope.scaling.factor", 1);
    if (has("rope_freqs.weight")) {
      frequency /= static_cast<double>(values("rope_freqs.weight")[pair]);
    }
    return frequency * static_cast<double>(position);
  }

  /// Head `head` of `x`, normed where the family does, rotated.
  Vector head_of(const Vector& x, std::size_t head, std::size_t layer, std::size_t position,
                 const std::string& norm_name) const {
    const std::size_t e = s_.head_dim;
    const auto at = x.begin() + static_cast<std::ptrdiff_t>(head * e);
    Vector h(at, at + static_cast<std::ptrdiff_t>(e));
    if (gemma_) h = norm(h, norm_name);
    for (std::size_t pair = 0; pair < e / 2; ++pair) {
      const std::size_t i = gemma_ ? pair : 2 * pair;
      const std::size_t j = gemma_ ? pair + e / 2 : 2 * pair + 1;
      const double a = angle(layer, pair, position);
      const double left = h[i] * std::cos(a) - h[j] * std::sin(a);
      h[j] = h[i] * std::sin(a) + h[j] * std::cos(a);
      h[i] = left;
    }
    return h;
  }

  std::string name(std::size_t layer, const char* part) const {
    return fmt::format("blk.{}.{}.weight", layer, part);
  }

  /// What attention of one layer reads of every position.
  struct Projected {
    Rows q = {};
    Rows k = {};
    Rows v = {};
  };

  Vector attend(std::size_t layer, std::size_t t, std::size_t head, const Projected& in) const {
    const std::size_t e = s_.head_dim;
    const std::size_t kv = head * s_.kv_heads / s_.heads;
    const auto window = static_cast<std::size_t>(key("attention.sliding_window", 0));
    const std::size_t first = is_local(layer) && t + 1 > window ? t + 1 - window : 0;
    const Vector query = head_of(in.q[t], head, layer, t, name(layer, "attn_q_norm"));
    Vector out(e);
    double total = 0;
    for (std::size_t u = first; u <= t; ++u) {
      const Vector at = head_of(in.k[u], kv, layer, u, name(layer, "attn_k_norm"));
      double score = 0;
      for (std::size_t i = 0; i < e; ++i) score += query[i] * at[i];
      const double p = std::exp(score / std::sqrt(static_cast<double>(e)));
      total += p;
      for (std::size_t i = 0; i < e; ++i) out[i] += p * in.v[u][kv * e + i];
    }
    for (double& value : out) value /= total;
    return out;
  }

  void add(Vector& x, Vector y, const std::string& post_norm) const {
    if (gemma_) y = norm(y, post_norm);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += y[i];
  }

  double activate(double x) const {
    if (!gemma_) return x / (1 + std::exp(-x));
    return 0.5 * x * (1 + std::tanh(std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x)));
  }

  void run_layer(std::size_t layer, Rows& x) const {
    Projected in;
    for (const Vector& row : x) {
      const Vector normed = norm(row, name(layer, "attn_norm"));
      in.q.push_back(multiply(name(layer, "attn_q"), normed));
      in.k.push_back(multiply(name(layer, "attn_k"), normed));
      in.v.push_back(multiply(name(layer, "attn_v"), normed));
    }
    for (std::size_t t = 0; t < x.size(); ++t) {
      Vector joined;
      for (std::size_t head = 0; head < s_.heads; ++head) {
        const Vector part = attend(layer, t, head, in);
        joined.insert(joined.end(), part.begin(), part.end());
      }
      add(x[t], multiply(name(layer, "attn_output"), joined), name(layer, "post_attention_norm"));
      run_mlp(layer, x[t]);
    }
  }

  void run_mlp(std::size_t layer, Vector& x) const {
    const Vector normed = norm(x, name(layer, "ffn_norm"));
    Vector gate = multiply(name(layer, "ffn_gate"), normed);
    const Vector up = multiply(name(layer, "ffn_up"), normed);
    for (std::size_t i = 0; i < gate.size(); ++i) gate[i] = activate(gate[i]) * up[i];
    add(x, multiply(name(layer, "ffn_down"), gate), name(layer, "post_ffw_norm"));
  }

  const TinyModel& model_;
  const TinyShape& s_;
  std::string architecture_;
  bool gemma_ = false;
};

}  // namespace

std::vector<double> naive_logits(const TinyModel& model, const std::vector<TokenId>& ids) {
  return Naive(model).logits(ids);
}

}  // namespace cairn::tests

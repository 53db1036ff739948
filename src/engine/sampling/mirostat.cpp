#include "engine/sampling/mirostat.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/math.h"

namespace cairn::engine {
namespace {

constexpr std::size_t kEstimated = 100;
constexpr double kLn2 = 0x1.62e42fefa39efp-1;

/// The exponent s of p(i) ~ i^-s that fits the best ids, logits best first: least squares through
/// the origin of log(p_i / p_i+1) over log((i + 2) / (i + 1)).
double zipf_exponent(std::span<const Candidate> best, double temperature) {
  double both = 0;
  double squares = 0;
  for (std::size_t i = 0; i + 1 < best.size(); ++i) {
    const double t = math::log64(static_cast<double>(i + 2) / static_cast<double>(i + 1));
    const double b =
        (static_cast<double>(best[i].logit) - static_cast<double>(best[i + 1].logit)) / temperature;
    both += t * b;
    squares += t * t;
  }
  return both / squares;
}

/// k = (e 2^mu / (1 - n^-e))^(1/s) with e = s - 1; at e = 0 its limit.
double tokens_kept(double exponent, double mu, double vocabulary) {
  const double e = exponent - 1;
  const double log_n = math::log64(vocabulary);
  const double ratio =
      std::abs(e) < 1e-9 ? 1 / log_n : e / (1 - math::exp64(std::max(-e * log_n, -700.0)));
  const double log_k = (math::log64(ratio) + mu * kLn2) / exponent;
  return math::exp64(std::clamp(log_k, -700.0, 700.0));
}

}  // namespace

Mirostat::Mirostat(const SamplingParams& params, std::size_t vocabulary)
    : version_(params.temperature > 0 ? params.mirostat : 0),
      tau_(params.mirostat_tau),
      eta_(params.mirostat_eta),
      mu_(2 * params.mirostat_tau),
      vocabulary_(static_cast<double>(std::max<std::size_t>(vocabulary, 2))) {}

void Mirostat::cut(Draft& draft) {
  if (version_ == 1) {
    cut_by_estimate(draft);
  } else {
    cut_by_surprise(draft);
  }
}

void Mirostat::cut_by_estimate(Draft& draft) {
  const std::span<const Candidate> all = draft.list();
  if (all.size() < 2) return;
  std::array<Candidate, kEstimated> best;
  const auto end = std::ranges::partial_sort_copy(all, best, comes_before).out;
  const auto count = static_cast<std::size_t>(end - best.begin());
  const double exponent = zipf_exponent(std::span(best).first(count), draft.temperature());
  // Without a slope there is nothing to cut by: all of them are the best.
  if (!(exponent > 0)) return;
  const double kept = tokens_kept(exponent, mu_, vocabulary_);
  if (!(kept < static_cast<double>(all.size()))) return;
  draft.keep_first(std::max<std::size_t>(static_cast<std::size_t>(kept), 1), comes_before);
}

void Mirostat::cut_by_surprise(Draft& draft) {
  double total = 0;
  for (const Candidate& each : draft.list()) total += draft.share(each.logit);
  const double bound = total * math::exp64(std::clamp(-mu_ * kLn2, -700.0, 700.0));
  const TokenId best = draft.best();
  draft.keep_if(
      [&](const Candidate& each) { return each.id == best || draft.share(each.logit) >= bound; });
}

void Mirostat::learn(double probability) {
  const double surprise = -math::log64(probability) / kLn2;
  mu_ -= eta_ * (surprise - tau_);
}

}  // namespace cairn::engine

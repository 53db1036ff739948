#include "engine/sampling/stages.h"

#include <algorithm>
#include <limits>

#include "engine/sampling/weights.h"

namespace cairn::engine {
namespace {

constexpr float kOut = -std::numeric_limits<float>::infinity();

void collect(std::span<const float> logits, std::vector<Candidate>& out) {
  out.clear();
  for (std::size_t id = 0; id < logits.size(); ++id) {
    if (logits[id] != kOut) out.push_back({.logit = logits[id], .id = static_cast<TokenId>(id)});
  }
}

void put_out(const Draft& draft, std::span<const Candidate> candidates) {
  for (const Candidate& candidate : candidates) {
    draft.logits[static_cast<std::size_t>(candidate.id)] = kOut;
  }
}

// logit += bias. Source: OpenAI API reference, chat completions, logit_bias.
bool has_bias(const SamplingParams& params) { return !params.bias.empty(); }
void add_bias(const Draft& draft) {
  for (const LogitBias& entry : draft.params.bias) {
    draft.logits[static_cast<std::size_t>(entry.token)] += entry.bias;
  }
}

// logit / penalty where it is positive, else logit * penalty; once per id, however often it stands.
// Source: Keskar et al. 2019, arXiv 1909.05858, section 4.1, in the form for signed logits.
bool has_repetition(const SamplingParams& params) {
  return params.repetition_penalty != 1 && params.repetition_window != 0;
}
void penalise_repetition(const Draft& draft) {
  const auto penalty = static_cast<float>(draft.params.repetition_penalty);
  const TokenCounts& window = draft.history.window();
  for (const TokenId id : window.ids()) {
    if (window[id] == 0) continue;
    float& logit = draft.logits[static_cast<std::size_t>(id)];
    logit = logit > 0 ? logit / penalty : logit * penalty;
  }
}

// logit -= presence + frequency * count, over the answer alone.
// Source: OpenAI API reference, "Frequency and presence penalties".
bool has_presence_or_frequency(const SamplingParams& params) {
  return params.presence_penalty != 0 || params.frequency_penalty != 0;
}
void penalise_answer(const Draft& draft) {
  const TokenCounts& generated = draft.history.generated();
  for (const TokenId id : generated.ids()) {
    const double taken = draft.params.presence_penalty +
                         draft.params.frequency_penalty * static_cast<double>(generated[id]);
    draft.logits[static_cast<std::size_t>(id)] -= static_cast<float>(taken);
  }
}

// (logit - highest) / temperature: the same distribution as logit / temperature, and a temperature
// near 0 overflows to -infinity only.
bool has_temperature(const SamplingParams& params) { return params.temperature > 0; }
void apply_temperature(const Draft& draft) {
  const double top = static_cast<double>(highest(draft.logits));
  for (float& logit : draft.logits) {
    if (logit == kOut) continue;
    logit = static_cast<float>((static_cast<double>(logit) - top) / draft.params.temperature);
  }
}

// Keeps the k best. Source: Fan et al. 2018, arXiv 1805.04833, section 5.4.
bool has_top_k(const SamplingParams& params) { return has_temperature(params) && params.top_k > 0; }
void keep_top_k(const Draft& draft) {
  collect(draft.logits, draft.scratch);
  const auto count = static_cast<std::uint64_t>(draft.params.top_k);
  if (count >= draft.scratch.size()) return;
  const auto cut = draft.scratch.begin() + draft.params.top_k;
  std::nth_element(draft.scratch.begin(), cut, draft.scratch.end(), comes_before);
  put_out(draft, std::span(draft.scratch).subspan(count));
}

constexpr double kWeightUnits = 0x1p40;

std::uint64_t weigh(std::span<Candidate> candidates, float top) {
  std::uint64_t total = 0;
  for (Candidate& candidate : candidates) {
    candidate.weight = static_cast<std::uint64_t>(weight(candidate.logit, top) * kWeightUnits);
    total +=
        candidate.weight;  // below 2^31 candidates of at most 2^40 each: no overflow below 2^24
  }
  return total;
}

std::uint64_t sum_of(std::span<const Candidate> candidates) {
  std::uint64_t sum = 0;
  for (const Candidate& candidate : candidates) sum += candidate.weight;
  return sum;
}

// Keeps the smallest set of best tokens whose probability is at least top_p of what is left.
// Source: Holtzman et al. 2019, arXiv 1904.09751, section 3.1. Found by halving, like a selection,
// because a sort of the whole vocabulary costs ten times as much.
bool has_top_p(const SamplingParams& params) { return has_temperature(params) && params.top_p < 1; }
void keep_top_p(const Draft& draft) {
  collect(draft.logits, draft.scratch);
  const std::span<Candidate> all(draft.scratch);
  const std::uint64_t total = weigh(all, highest(draft.logits));
  const double wanted = draft.params.top_p * static_cast<double>(total);

  // The best `low` are kept and weigh less than wanted; the best `high` weigh enough.
  std::size_t low = 0;
  std::size_t high = all.size();
  std::uint64_t kept = 0;
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    const std::span<Candidate> range = all.subspan(low, high - low);
    std::nth_element(range.begin(), range.begin() + static_cast<std::ptrdiff_t>(middle - low),
                     range.end(), comes_before);
    const std::uint64_t upper = sum_of(all.subspan(low, middle - low));
    if (static_cast<double>(kept + upper) >= wanted) {
      high = middle;
    } else {
      kept += upper;
      low = middle;
    }
  }
  put_out(draft, all.subspan(high));
}

// Keeps tokens at least min_p times as probable as the likeliest.
// Source: Nguyen et al. 2024, arXiv 2407.01082, section 3.
bool has_min_p(const SamplingParams& params) { return has_temperature(params) && params.min_p > 0; }
void keep_min_p(const Draft& draft) {
  const float top = highest(draft.logits);
  for (float& logit : draft.logits) {
    if (logit != kOut && weight(logit, top) < draft.params.min_p) logit = kOut;
  }
}

constexpr Stage kStages[] = {
    {"logit bias", has_bias, add_bias},
    {"repetition penalty", has_repetition, penalise_repetition},
    {"presence and frequency penalty", has_presence_or_frequency, penalise_answer},
    {"temperature", has_temperature, apply_temperature},
    {"top-k", has_top_k, keep_top_k},
    {"top-p", has_top_p, keep_top_p},
    {"min-p", has_min_p, keep_min_p},
};

}  // namespace

std::span<const Stage> stages() { return kStages; }

void best_candidates(std::span<const float> logits, std::size_t count,
                     std::vector<Candidate>& out) {
  collect(logits, out);
  if (count < out.size()) {
    const auto cut = out.begin() + static_cast<std::ptrdiff_t>(count);
    std::nth_element(out.begin(), cut, out.end(), comes_before);
    out.resize(count);
  }
  std::ranges::sort(out, comes_before);
}

}  // namespace cairn::engine

#include "engine/sampling/draft.h"

#include <functional>

#include "base/math.h"

namespace cairn::engine {
namespace {

/// Adds `logit` to the best two seen.
void rank(std::pair<float, float>& best, float logit) {
  if (logit > best.first) {
    best = {logit, best.first};
  } else if (logit > best.second) {
    best.second = logit;
  }
}

}  // namespace

Draft::Draft(std::span<float> logits, Workspace& space)
    : logits_(logits), space_(space), finite_(block_maxima(logits, space.maxima)) {}

float Draft::top() {
  if (top_) return *top_;
  float best = kOut;
  if (listed_) {
    for (const Candidate& each : space_.candidates) best = std::max(best, each.logit);
  } else {
    best = highest(space_.maxima);
  }
  top_ = best;
  return best;
}

std::pair<float, float> Draft::top_two() {
  std::pair<float, float> best = {kOut, kOut};
  if (listed_) {
    for (const Candidate& each : space_.candidates) rank(best, each.logit);
    return best;
  }
  const std::size_t first = static_cast<std::size_t>(highest_id(space_.maxima));
  for (std::size_t block = 0; block < space_.maxima.size(); ++block) {
    if (block != first) rank(best, space_.maxima[block]);
  }
  const std::size_t at = first * kBlock;
  for (const float logit : logits_.subspan(at, std::min(kBlock, logits_.size() - at))) {
    rank(best, logit);
  }
  return best;
}

TokenId Draft::best() {
  if (listed_) return std::ranges::min(space_.candidates, comes_before).id;
  const std::size_t at = static_cast<std::size_t>(highest_id(space_.maxima)) * kBlock;
  const auto block = logits_.subspan(at, std::min(kBlock, logits_.size() - at));
  return static_cast<TokenId>(at) + highest_id(block);
}

void Draft::set_temperature(double temperature) {
  // So small a temperature leaves the best alone as 0 would, and divides nothing by 0.
  temperature_ = std::max(temperature, 1e-300);
}

double Draft::share(float logit) {
  const double distance = static_cast<double>(logit) - static_cast<double>(top());
  return static_cast<double>(math::exp(static_cast<float>(distance / temperature_)));
}

float* Draft::find(TokenId id) {
  if (!listed_) return &logits_[static_cast<std::size_t>(id)];
  const auto at = std::ranges::lower_bound(space_.candidates, id, {}, &Candidate::id);
  return at == space_.candidates.end() || at->id != id ? nullptr : &at->logit;
}

void Draft::set(TokenId id, float& logit, float value) {
  const float old = logit;
  value = std::min(value, std::numeric_limits<float>::max());  // a division may overflow
  logit = value;
  top_.reset();
  if (listed_) return;
  const std::size_t block = static_cast<std::size_t>(id) / kBlock;
  float& maximum = space_.maxima[block];
  if (value >= maximum) {
    maximum = value;
  } else if (old == maximum) {
    const std::size_t at = block * kBlock;
    maximum = highest(logits_.subspan(at, std::min(kBlock, logits_.size() - at)));
  }
}

void Draft::mask(std::span<const std::uint64_t> words) {
  for (std::size_t at = 0; at < logits_.size(); at += 64) {
    const std::uint64_t word = words[at / 64];
    if (word == ~std::uint64_t{0}) continue;
    const std::size_t end = std::min<std::size_t>(64, logits_.size() - at);
    for (std::size_t i = 0; i < end; ++i) {
      if ((word >> i & 1U) == 0) logits_[at + i] = kOut;
    }
  }
  (void)block_maxima(logits_, space_.maxima);  // -infinity stands where ids are out
  top_.reset();
}

void Draft::ban(TokenId id) {
  change(id, [](float) { return kOut; });
}

std::span<Candidate> Draft::list() {
  if (!listed_) list_from(std::numeric_limits<float>::lowest());
  return space_.candidates;
}

void Draft::list_from(float bound) {
  if (listed_) {
    keep_if([&](const Candidate& each) { return each.logit >= bound; });
    return;
  }
  space_.candidates.clear();
  for (std::size_t block = 0; block < space_.maxima.size(); ++block) {
    if (space_.maxima[block] >= bound) collect_block(block, bound);
  }
  listed_ = true;
}

void Draft::narrow(std::size_t count) {
  if (listed_ || count == 0 || count > space_.maxima.size()) {
    list();
    return;
  }
  // That many blocks have a maximum at or above the bound, so that many logits have.
  space_.blocks.assign(space_.maxima.begin(), space_.maxima.end());
  const auto cut = space_.blocks.begin() + static_cast<std::ptrdiff_t>(count) - 1;
  std::nth_element(space_.blocks.begin(), cut, space_.blocks.end(), std::greater<>());
  list_from(std::max(*cut, std::numeric_limits<float>::lowest()));
}

void Draft::keep_from(float bound, std::size_t least) {
  if (least > 1) {
    const auto stays = [&](const Candidate& each) { return each.logit >= bound; };
    if (static_cast<std::size_t>(std::ranges::count_if(list(), stays)) < least) {
      keep_first(least, comes_before);
      return;
    }
  }
  list_from(bound);
}

void Draft::collect_block(std::size_t block, float bound) {
  const std::size_t end = std::min((block + 1) * kBlock, logits_.size());
  for (std::size_t id = block * kBlock; id < end; ++id) {
    if (logits_[id] < bound) continue;
    space_.candidates.push_back({.logit = logits_[id], .id = static_cast<TokenId>(id)});
  }
}

std::uint64_t Draft::weight_of(float logit) {
  return static_cast<std::uint64_t>(share(logit) * kWeightUnits);
}

std::uint64_t Draft::weigh_row() {
  std::uint64_t total = 0;
  for (const float logit : logits_) total += logit == kOut ? 0 : weight_of(logit);
  return total;
}

std::uint64_t Draft::weigh() {
  std::uint64_t total = 0;  // of at most 2^40 each: no overflow below 2^24 ids
  for (Candidate& each : list()) {
    each.weight = weight_of(each.logit);
    total += each.weight;
  }
  return total;
}

}  // namespace cairn::engine

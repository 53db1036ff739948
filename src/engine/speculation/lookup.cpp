#include "engine/speculation/lookup.h"

#include <fmt/core.h>

#include <algorithm>

namespace cairn::engine {
namespace {

// How likely a guess is held to be right at first, by the length of the run: short runs are often
// chance.
constexpr std::array<double, kLookupRunMax + 1> kFirstRates = {0,   0.2, 0.4, 0.6, 0.7,
                                                               0.8, 0.8, 0.8, 0.8};
constexpr double kNewestGuess = 0.2;     // weight of the newest guess
constexpr std::size_t kPauseFirst = 16;  // a wrong guess in so many steps costs about a percent
constexpr std::size_t kPauseLast = 512;

Status check_range(std::string_view name, std::size_t value, std::size_t low, std::size_t high) {
  if (value >= low && value <= high) return {};
  return invalid_argument(fmt::format("{} is {}, accepted is {} to {}", name, value, low, high));
}

}  // namespace

Status check(const LookupOptions& options) {
  CAIRN_TRY(check_range("lookup tokens", options.tokens_max, 0, kDraftTokensMax));
  CAIRN_TRY(check_range("the longest lookup run", options.run_max, 1, kLookupRunMax));
  return check_range("the shortest lookup run", options.run_min, 1, options.run_max);
}

void DraftFigures::count(std::size_t tokens, std::size_t right) {
  ++drafts;
  drafted += tokens;
  accepted += right;
  for (std::size_t i = 0; i < right; ++i) ++accepted_at[i];
}

void DraftFigures::add(const DraftFigures& other) {
  drafts += other.drafts;
  drafted += other.drafted;
  accepted += other.accepted;
  for (std::size_t i = 0; i < accepted_at.size(); ++i) accepted_at[i] += other.accepted_at[i];
}

Lookup::Lookup(const LookupOptions& options)
    : options_(options), rates_(kFirstRates), pause_(kPauseFirst) {
  draft_.reserve(options.tokens_max);
}

Lookup::Match Lookup::find(std::span<const TokenId> ids) const {
  Match best;
  for (std::size_t end = ids.size() - 1; end > 0 && best.run < options_.run_max; --end) {
    std::size_t run = 0;
    while (run < options_.run_max && run < end && ids[end - 1 - run] == ids[ids.size() - 1 - run]) {
      ++run;
    }
    if (run > best.run) best = {.run = run, .at = end};
  }
  return best.run < options_.run_min ? Match() : best;
}

std::span<const TokenId> Lookup::propose(std::span<const TokenId> ids, const DraftRoom& room,
                                         const RowCosts& costs) {
  draft_.clear();
  if (room.tokens == 0 || ids.empty()) return draft_;
  const Match match = find(ids);
  if (match.run == 0) return draft_;
  run_ = match.run;
  const std::size_t count = worth(room, costs);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t from = match.at + i;
    draft_.push_back(from < ids.size() ? ids[from] : draft_[from - ids.size()]);
  }
  return draft_;
}

/// The number of guesses with the most ids per second to be expected of the step.
std::size_t Lookup::worth(const DraftRoom& room, const RowCosts& costs) {
  double best = static_cast<double>(room.sequences);
  double tokens = best;
  double likely = 1;
  std::size_t count = 0;
  for (std::size_t i = 1; i <= std::min(room.tokens, options_.tokens_max); ++i) {
    likely *= rates_[run_];
    tokens += likely;
    const double speed = tokens / costs.ratio(room.rows, room.rows + i);
    if (speed <= best) continue;
    best = speed;
    count = i;
  }
  trial_ = count == 0 && ++skipped_ >= pause_;
  if (trial_) count = 1;
  if (count > 0) skipped_ = 0;
  return count;
}

void Lookup::verified(std::size_t tokens, std::size_t right) {
  double& rate = rates_[run_];
  for (std::size_t i = 0; i < right; ++i) rate += kNewestGuess * (1 - rate);
  if (right < tokens) rate -= kNewestGuess * rate;
  if (right > 0) pause_ = kPauseFirst;
  if (right == 0 && trial_) pause_ = std::min(2 * pause_, kPauseLast);
}

}  // namespace cairn::engine

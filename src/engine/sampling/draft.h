// Draft: logits on their way to a draw.
//
// Purpose     holds which ids are in, first as the whole row, later as a list; stages change it.
// Invariants  the list has its ids ascending, so nothing depends on how a library sorts; block
//             maxima are right whenever the row is in use; no pass sorts a vocabulary.
// Threads     one sequence's own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "engine/sampling/weights.h"
#include "engine/sampling/workspace.h"

namespace cairn::engine {

/// The logit of an id that is out.
inline constexpr float kOut = -std::numeric_limits<float>::infinity();
/// Candidate::weight of the likeliest id.
inline constexpr double kWeightUnits = 0x1p40;

class Draft {
 public:
  /// On `logits` [vocabulary], finite or kOut where finite() is not asked. `space.maxima` has
  /// blocks_of(vocabulary) values.
  Draft(std::span<float> logits, Workspace& space);

  /// Whether the logits were all finite numbers; else nothing more is to be asked.
  bool finite() const { return finite_; }

  /// The highest logit that is in; kOut when all are out.
  float top();
  /// The best two logits that are in; kOut where there is none.
  std::pair<float, float> top_two();
  /// The best id, the lowest of equal ones. Something is in.
  TokenId best();

  /// Logits are divided by this before they become probabilities.
  double temperature() const { return temperature_; }
  void set_temperature(double temperature);
  /// exp((logit - top) / temperature): the probability over the likeliest one's.
  double share(float logit);

  /// Changes one logit by `change(logit)`; an id that is out stays out.
  template <typename Change>
  void change(TokenId id, Change&& change) {
    float* logit = find(id);
    if (logit != nullptr && *logit != kOut) set(id, *logit, change(*logit));
  }

  /// Takes out what `words` (bit id) does not have. Only before list().
  void mask(std::span<const std::uint64_t> words);
  /// Takes one id out.
  void ban(TokenId id);

  /// Whether the list is in use.
  bool listed() const { return listed_; }
  /// The list, made of all that is in on the first call.
  std::span<Candidate> list();
  /// Makes the list of what is not below `bound`, which keeps at least one.
  void list_from(float bound);
  /// Makes the list, without what surely is not among the `count` best.
  void narrow(std::size_t count);
  /// Keeps what is not below `bound`, and at least the `least` best.
  void keep_from(float bound, std::size_t least);
  /// Goes back from a list that has only left ids out to the row.
  void unlist() { listed_ = false; }
  /// What weigh() would give of the whole row, without making the list.
  std::uint64_t weigh_row();
  /// Sets the weight of every listed id; gives their sum, which is exact.
  std::uint64_t weigh();

  /// Keeps the `count` first by `before`, a strict order. Cost: linear.
  template <typename Before>
  void keep_first(std::size_t count, Before&& before) {
    const std::span<Candidate> all = list();
    if (count >= all.size()) return;
    space_.scratch.assign(all.begin(), all.end());
    const auto cut = space_.scratch.begin() + static_cast<std::ptrdiff_t>(count) - 1;
    std::nth_element(space_.scratch.begin(), cut, space_.scratch.end(), before);
    const Candidate last = *cut;
    keep_if([&](const Candidate& each) { return !before(last, each); });
  }

  /// Keeps the shortest beginning of the order `before` whose weights, set by weigh(), reach
  /// `wanted`, and at least `least` ids. Found by halving, like a selection.
  template <typename Before>
  void keep_mass(double wanted, std::size_t least, Before&& before) {
    keep_first(std::max(std::max<std::size_t>(least, 1), count_for(wanted, before)), before);
  }

  template <typename Keep>
  void keep_if(Keep&& keep) {
    list();
    top();  // what `keep` may ask for, while the list is still whole
    std::erase_if(space_.candidates, [&](const Candidate& each) { return !keep(each); });
    top_.reset();
  }

  /// The row; only what was changed before list() is in it.
  std::span<float> logits() { return logits_; }

 private:
  std::uint64_t weight_of(float logit);
  float* find(TokenId id);
  void set(TokenId id, float& logit, float value);
  void collect_block(std::size_t block, float bound);

  /// How many at the beginning of `before` weigh `wanted` together.
  template <typename Before>
  std::size_t count_for(double wanted, Before&& before) {
    space_.scratch.assign(space_.candidates.begin(), space_.candidates.end());
    const std::span<Candidate> all(space_.scratch);
    std::size_t low = 0;  // the first `low` weigh less than wanted, the first `high` enough
    std::size_t high = all.size();
    std::uint64_t kept = 0;
    while (high - low > 1) {
      const std::size_t middle = low + (high - low) / 2;
      const std::span<Candidate> range = all.subspan(low, high - low);
      std::nth_element(range.begin(), range.begin() + static_cast<std::ptrdiff_t>(middle - low),
                       range.end(), before);
      std::uint64_t upper = 0;
      for (const Candidate& each : all.subspan(low, middle - low)) upper += each.weight;
      if (static_cast<double>(kept + upper) >= wanted) {
        high = middle;
      } else {
        kept += upper;
        low = middle;
      }
    }
    return high;
  }

  std::span<float> logits_;
  Workspace& space_;
  bool finite_ = false;
  bool listed_ = false;
  double temperature_ = 1;
  std::optional<float> top_;
};

}  // namespace cairn::engine

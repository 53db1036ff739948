// Where a row stands: its ratio, AHEAD, TIE or BEHIND, and what keeps it from a stronger word
// (native-performance.md 18.3 to 18.6).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/bench/figures.h"
#include "evidence/receipt/receipt.h"

namespace cairn::evidence {

/// What a row's standing is made of.
struct StandingQuery {
  const BenchRecord& record;
  const BenchRecord* control = nullptr;  // the A/A run; null when there is none
  std::string_view metric;
  Statistic statistic = Statistic::kMedian;
  Legs legs = Legs::kWarm;
  /// Verdicts of the attestations at hand by digest, and the newest known version of each peer by
  /// the arm's name.
  const std::map<std::string, std::string>& verdicts;
  const std::map<std::string, std::string>& newest;
};

struct Standing {
  std::optional<Figure> ours;
  std::optional<Figure> reference;
  std::optional<double> ratio;         // 1 or more is a win
  std::optional<double> band_percent;  // of the A/A run; nothing without one
  std::string_view word;               // AHEAD, TIE, BEHIND; empty without a ratio
  std::vector<Limit> limits;
};

/// The figures, the ratio (M-45), the derived word (M-14) and the limits (M-17..M-21, M-25..M-27,
/// M-30, M-33, M-35, M-36, M-38).
Standing standing_of(const StandingQuery& query);

/// How much a word claims: BINDING 3, INDICATIVE and PROVISIONAL 2, NOT SEPARATED 1, all others 0.
int strength_of(std::string_view word);

/// M-20: token-exact, near-tie, coherent or not run, from the outputs of both arms.
std::string_view token_class(const BenchRecord& record);

/// M-35: one entry of the manifest that differs.
struct ManifestDifference {
  std::string key;
  std::string ours;
  std::string reference;
  bool forbids = false;  // a ratio across it would compare other work
};

/// The differences between two arms, in wire order.
std::vector<ManifestDifference> manifest_differences(const Manifest& ours,
                                                     const Manifest& reference);

/// The A/A band in percent: how far the paired readings of two equal arms are apart at most; over
/// warm readings, and over cold ones where there are any. Nothing when one of both legs is missing
/// (M-22 wants back to back and with reload).
std::optional<double> noise_band(const BenchRecord& control, std::string_view metric,
                                 Statistic statistic);

/// A pair of receipts as a record of its arms "off" and "on", unsealed: pages print both alike.
BenchRecord record_of(const Receipt& baseline, const Receipt& candidate);

}  // namespace cairn::evidence

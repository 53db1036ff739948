#include "evidence/bench/standing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "evidence/wire/encode.h"
#include "evidence/wire/predicates.h"

namespace cairn::evidence {
namespace {

constexpr std::size_t kReferenceRunsMin = 5;

/// Entries of the manifest that state what work is done; the others state how.
constexpr std::array<std::string_view, 6> kWorkEntries = {
    "model_sha256",   "bytes_per_token", "prompt_corpus_sha256",
    "context_tokens", "sampling",        "cache_state"};

struct Pair {
  const BenchArm& ours;
  const BenchArm& reference;
};

/// M-17, M-18
void limit_by_attestations(const StandingQuery& query, std::vector<Limit>& limits) {
  bool all_clean = true;
  bool investigate = false;
  bool invalid = false;
  for (const BenchSample& sample : query.record.samples) {
    if (sample.metric != query.metric) continue;
    const std::string digest = sample.system_baseline_digest.value_or("");
    const auto verdict = query.verdicts.find(digest);
    const std::string word = verdict == query.verdicts.end() ? "" : verdict->second;
    all_clean = all_clean && word == "clean";
    investigate = investigate || word == "investigate";
    invalid = invalid || word == "invalid";
  }
  if (invalid) {
    limits.push_back({.id = "M-18", .word = "VOID", .reason = "an attestation is invalid"});
  } else if (investigate) {
    limits.push_back(
        {.id = "M-18", .word = "INDICATIVE", .reason = "an attestation says investigate"});
  }
  if (!all_clean) {
    limits.push_back({.id = "M-17",
                      .word = "INDICATIVE",
                      .reason = "not every repetition has a clean attestation"});
  }
}

bool is_other_work(const BenchWork& one, const BenchWork& other) {
  return one.prompt_tokens != other.prompt_tokens || one.output_tokens != other.output_tokens ||
         one.requests != other.requests;
}

/// M-27, M-33: what the arms did.
void limit_by_work(const StandingQuery& query, const Pair& arms, std::vector<Limit>& limits) {
  std::map<std::int64_t, const BenchWork*> ours;
  std::size_t references = 0;
  bool other = false;
  for (const BenchWork& work : query.record.work) {
    if (work.arm == arms.ours.name) ours[work.repetition] = &work;
    if (work.arm == arms.reference.name) ++references;
    other = other || work.failed > 0 || work.ended_early > 0;
  }
  for (const BenchWork& work : query.record.work) {
    const auto same = ours.find(work.repetition);
    if (work.arm != arms.reference.name || same == ours.end()) continue;
    other = other || is_other_work(*same->second, work);
  }
  if (other) {
    limits.push_back({.id = "M-27",
                      .word = "NOT APPLICABLE",
                      .reason = "an arm failed, ended early or did other work"});
  }
  if (ours.size() != references && (ours.size() == 1 || references == 1)) {
    limits.push_back({.id = "M-33", .word = "NOT APPLICABLE", .reason = "one run beside a median"});
  }
}

/// M-35, M-36, M-38: what the arms are.
void limit_by_manifest(const StandingQuery& query, const Pair& arms, std::vector<Limit>& limits) {
  for (const ManifestDifference& one :
       manifest_differences(arms.ours.manifest, arms.reference.manifest)) {
    if (!one.forbids) continue;
    limits.push_back(
        {.id = "M-35", .word = "NOT APPLICABLE", .reason = "the arms differ in " + one.key});
  }
  const Manifest& peer = arms.reference.manifest;
  if (peer.compile_mode == "eager" || !peer.missing_isa.empty()) {
    limits.push_back({.id = "M-36", .word = "VOID", .reason = "the reference is weakened"});
  }
  const auto newest = query.newest.find(arms.reference.name);
  if (newest != query.newest.end() && newest->second != peer.version) {
    limits.push_back(
        {.id = "M-38", .word = "PROVISIONAL", .reason = "there is a newer " + arms.reference.name});
  }
}

/// M-21, M-25, M-26
void limit_by_readings(const StandingQuery& query, const Standing& standing, bool higher,
                       std::vector<Limit>& limits) {
  const std::string_view tokens = token_class(query.record);
  if (tokens == "coherent" || tokens == "not run") {
    limits.push_back(
        {.id = "M-21", .word = "INDICATIVE", .reason = "the tokens are " + std::string(tokens)});
  }
  for (const Figure* figure : {&*standing.ours, &*standing.reference}) {
    if (figure->spread_percent <= kSpreadPercentMax) continue;
    limits.push_back(
        {.id = "M-25", .word = "INDICATIVE", .reason = "the repetitions spread over 3 %"});
    break;
  }
  const std::size_t pairs =
      std::min(standing.ours->repetitions.size(), standing.reference->repetitions.size());
  std::size_t wins = 0;
  std::size_t losses = 0;
  for (std::size_t i = 0; i < pairs; ++i) {
    const double ratio =
        ratio_of(standing.ours->repetitions[i], standing.reference->repetitions[i], higher);
    if (ratio > 1) ++wins;
    if (ratio < 1) ++losses;
  }
  if (wins > 0 && losses > 0) {
    limits.push_back(
        {.id = "M-26", .word = "NOT SEPARATED", .reason = "paired readings disagree in sign"});
  }
}

std::string_view derived_word(double ratio, double band_percent) {
  const double band = band_percent / 100;
  if (std::abs(ratio - 1) <= band) return "TIE";
  return ratio > 1 ? "AHEAD" : "BEHIND";
}

bool forbids_ratio(const Limit& limit) { return strength_of(limit.word) == 0; }

/// near-tie by the stated gap, coherent by its metric, else not run.
std::string_view token_class_by_metrics(const BenchRecord& record, std::string_view arm) {
  const auto gap = figure_of(record, {.arm = arm, .metric = "first_difference_gap"});
  const auto limit = figure_of(record, {.arm = arm, .metric = "near_tie_gap"});
  if (gap && limit && gap->high < limit->low) return "near-tie";
  const auto coherent = figure_of(record, {.arm = arm, .metric = "coherent"});
  return coherent && coherent->low >= 1 ? "coherent" : "not run";
}

}  // namespace

int strength_of(std::string_view word) {
  if (word == "BINDING") return 3;
  if (word == "INDICATIVE" || word == "PROVISIONAL") return 2;
  return word == "NOT SEPARATED" ? 1 : 0;
}

std::vector<ManifestDifference> manifest_differences(const Manifest& ours,
                                                     const Manifest& reference) {
  const Value one = encode_value(ours);
  const Value other = encode_value(reference);
  std::vector<ManifestDifference> found;
  for (std::size_t i = 0; i < one.members().size(); ++i) {
    const std::string& key = one.members()[i].key;
    std::string mine = to_text(one.members()[i].value, Layout::kCompact);
    std::string theirs = to_text(other.members()[i].value, Layout::kCompact);
    if (mine == theirs) continue;
    found.push_back({.key = key,
                     .ours = std::move(mine),
                     .reference = std::move(theirs),
                     .forbids = one_of(key, kWorkEntries)});
  }
  return found;
}

std::string_view token_class(const BenchRecord& record) {
  const BenchArm* ours = our_arm(record);
  const BenchArm* reference = reference_arm(record);
  if (ours == nullptr || reference == nullptr) return "not run";
  std::map<std::int64_t, std::string_view> mine;
  std::set<std::string_view> stored;
  std::vector<const BenchWork*> theirs;
  for (const BenchWork& work : record.work) {
    if (!is_sha256_hex(work.outputs_sha256)) return "not run";
    if (work.arm == ours->name) mine[work.repetition] = work.outputs_sha256;
    if (work.arm == reference->name) theirs.push_back(&work);
    if (work.arm == reference->name) stored.insert(work.outputs_sha256);
  }
  const bool exact = std::ranges::all_of(theirs, [&](const BenchWork* work) {
    return mine.contains(work->repetition) && mine[work->repetition] == work->outputs_sha256;
  });
  if (exact && !theirs.empty()) return "token-exact";
  const bool inside =
      std::ranges::all_of(mine, [&](const auto& each) { return stored.contains(each.second); });
  if (inside && theirs.size() >= kReferenceRunsMin) return "near-tie";
  return token_class_by_metrics(record, ours->name);
}

std::optional<double> noise_band(const BenchRecord& control, std::string_view metric,
                                 Statistic statistic) {
  if (control.arms.size() != 2) return std::nullopt;
  double band = 0;
  for (const Legs legs : {Legs::kWarm, Legs::kCold}) {
    const auto one = figure_of(control, {control.arms[0].name, metric, statistic, legs});
    const auto other = figure_of(control, {control.arms[1].name, metric, statistic, legs});
    if (!one || !other) return std::nullopt;
    for (std::size_t i = 0; i < std::min(one->repetitions.size(), other->repetitions.size()); ++i) {
      band = std::max(band, std::abs(one->repetitions[i] / other->repetitions[i] - 1) * 100);
    }
  }
  return band;
}

Standing standing_of(const StandingQuery& query) {
  Standing standing;
  const BenchArm* ours = our_arm(query.record);
  const BenchArm* reference = reference_arm(query.record);
  const auto figure = [&](const BenchArm* arm) -> std::optional<Figure> {
    if (arm == nullptr) return std::nullopt;
    return figure_of(query.record, {arm->name, query.metric, query.statistic, query.legs});
  };
  standing.ours = figure(ours);
  standing.reference = figure(reference);
  standing.limits = void_reasons(query.record);
  limit_by_attestations(query, standing.limits);
  if (query.control != nullptr) {
    standing.band_percent = noise_band(*query.control, query.metric, query.statistic);
  }
  if (!standing.ours || !standing.reference) return standing;
  limit_by_work(query, {*ours, *reference}, standing.limits);
  limit_by_manifest(query, {*ours, *reference}, standing.limits);
  const bool higher = is_higher_better(query.record, query.metric);
  limit_by_readings(query, standing, higher, standing.limits);
  const double ratio = ratio_of(standing.ours->value, standing.reference->value, higher);
  if (!std::isfinite(ratio) || std::ranges::any_of(standing.limits, forbids_ratio)) return standing;
  standing.ratio = ratio;
  standing.word = derived_word(ratio, standing.band_percent.value_or(0));
  return standing;
}

BenchRecord record_of(const Receipt& baseline, const Receipt& candidate) {
  BenchRecord record;
  record.schema = kBenchRecordSchema;
  record.subject = {.key = candidate.changed_lever_id,
                    .kind = "lever",
                    .run_id = candidate.revision,
                    .control = false};
  record.machine = {.scrubbed_id = candidate.machine.scrubbed_id,
                    .platform = candidate.machine.platform,
                    .backend = candidate.machine.backend,
                    .host_state = {}};
  record.units = {{.metric = "decode_rate", .unit = "tokens/s (decode)"}};
  record.direction = {{.metric = "decode_rate", .higher_is_better = true}};
  for (const auto& [receipt, role] :
       {std::pair<const Receipt*, std::string>{&candidate, "on"}, {&baseline, "off"}}) {
    BenchArm arm = {.name = receipt->role, .role = role, .manifest = {}, .tiers = {}};
    arm.manifest.model_sha256 = receipt->artifact_sha256;
    arm.manifest.context_tokens = receipt->controls.context_tokens;
    arm.manifest.sampling = receipt->controls.sampling;
    arm.manifest.cache_state = receipt->controls.cache_state;
    arm.manifest.version = receipt->revision;
    record.arms.push_back(std::move(arm));
    for (std::size_t i = 0; i < receipt->repetitions.size(); ++i) {
      const auto number = static_cast<std::int64_t>(i) + 1;
      record.work.push_back({.arm = receipt->role,
                             .repetition = number,
                             .requests = 1,
                             .prompt_tokens = receipt->controls.prompt_tokens,
                             .output_tokens = receipt->controls.decode_tokens,
                             .outputs_sha256 = ""});
      record.samples.push_back(
          {.arm = receipt->role,
           .repetition = number,
           .metric = "decode_rate",
           .values = {receipt->repetitions[i].tokens_per_second},
           .system_baseline_digest = receipt->repetitions[i].system_baseline_digest});
    }
  }
  return record;
}

}  // namespace cairn::evidence

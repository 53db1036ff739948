// The values that chapter 18's arithmetic fixes: figures, ratios, words and what limits them.
#include "evidence/bench/figures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "evidence/bench/sample.h"
#include "evidence/bench/standing.h"

namespace cairn::evidence {
namespace {

using Verdicts = std::map<std::string, std::string>;

Verdicts clean() {
  Verdicts verdicts;
  for (int i = 0; i < 6; ++i) verdicts[sample_attestation(i).digest] = "clean";
  return verdicts;
}

Standing stand(const BenchRecord& record, const Verdicts& verdicts, const Verdicts& newest = {}) {
  const BenchRecord control = sample_control();
  return standing_of({.record = record,
                      .control = &control,
                      .metric = record.units[0].metric,
                      .verdicts = verdicts,
                      .newest = newest});
}

/// "M-25 INDICATIVE, ..." of the limits.
std::string limits(const Standing& standing) {
  std::string text;
  for (const Limit& limit : standing.limits) {
    text += (text.empty() ? "" : ", ") + std::string(limit.id) + " " + std::string(limit.word);
  }
  return text;
}

TEST(FiguresTest, QuantilesAreLinearBetweenReadings) {  // M-44
  EXPECT_EQ(quantile({4, 1, 3, 2}, 0.5), 2.5);
  EXPECT_EQ(quantile({10}, 0.99), 10);
  EXPECT_DOUBLE_EQ(quantile({0, 10, 20, 30, 40}, 0.95), 38);
  EXPECT_EQ(readings_needed(Statistic::kP95), 60U);
  EXPECT_EQ(readings_needed(Statistic::kP99), 300U);
}

TEST(FiguresTest,
     ACellIsTheMedianOfTheRepetitionsMediansAndColdLegsStayApart) {  // M-23, M-24, M-52
  BenchRecord record = sample_record();
  record.samples[0].values = {100, 300, 200};
  BenchSample cold = record.samples[0];
  cold.cold = true;
  cold.values = {10};
  record.samples.insert(record.samples.begin(), cold);
  const auto warm = figure_of(record, {.arm = "cairn", .metric = "decode_rate"});
  ASSERT_TRUE(warm);
  EXPECT_EQ(warm->value, 201);
  EXPECT_EQ(warm->low, 200);
  EXPECT_EQ(warm->readings, 5U);
  EXPECT_EQ(
      figure_of(record, {.arm = "cairn", .metric = "decode_rate", .legs = Legs::kCold})->value, 10);
  EXPECT_EQ(figure_of(record, {.arm = "cairn", .metric = "decode_rate", .legs = Legs::kAll})->low,
            150);
  EXPECT_FALSE(figure_of(record, {.arm = "cairn", .metric = "draft_acceptance"}));
  EXPECT_FALSE(draft_acceptance(record, "cairn"));  // M-48: absent, not 0
}

TEST(FiguresTest, ARatioOfOneOrMoreIsAWinWhateverTheDirection) {  // M-14, M-45
  const Standing rate = stand(sample_record(), clean());
  ASSERT_TRUE(rate.ratio);
  EXPECT_EQ(*rate.ratio, 2);
  EXPECT_EQ(rate.word, "AHEAD");
  EXPECT_EQ(limits(rate), "");
  const BenchRecord latency = sample_record({.metric = "ttft",
                                             .unit = "ms",
                                             .higher_is_better = false,
                                             .ours = {200, 201, 202},
                                             .reference = {100, 100.5, 101}});
  const Standing late = stand(latency, clean());
  EXPECT_EQ(*late.ratio, 0.5);
  EXPECT_EQ(late.word, "BEHIND");
}

TEST(FiguresTest, InsideTheBandOfTheSameArmTwiceItIsATie) {  // M-14, M-22, M-26
  const Standing near =
      stand(sample_record({.ours = {100.1, 100.1, 100.1}, .reference = {100, 100, 100}}), clean());
  EXPECT_NEAR(*near.band_percent, 0.0998, 0.0005);
  EXPECT_EQ(near.word, "AHEAD");
  const Standing tie = stand(
      sample_record({.ours = {100.05, 100.05, 100.05}, .reference = {100, 100, 100}}), clean());
  EXPECT_EQ(tie.word, "TIE");
  BenchRecord warm_only = sample_control();
  std::erase_if(warm_only.samples, [](const BenchSample& sample) { return sample.cold; });
  EXPECT_FALSE(noise_band(warm_only, "decode_rate", Statistic::kMedian));
}

struct Case {
  std::string limits;
  std::function<void(BenchRecord&, Verdicts&)> plant;
};

TEST(FiguresTest, EachReasonLimitsTheWordThatARowMayHave) {
  const std::vector<Case> cases = {
      {"M-17 INDICATIVE", [](BenchRecord&, Verdicts& v) { v.erase(v.begin()); }},
      {"M-18 INDICATIVE, M-17 INDICATIVE",
       [](BenchRecord&, Verdicts& v) { v.begin()->second = "investigate"; }},
      {"M-18 VOID, M-17 INDICATIVE",
       [](BenchRecord&, Verdicts& v) { v.begin()->second = "invalid"; }},
      {"M-19 VOID, M-27 NOT APPLICABLE", [](BenchRecord& r, Verdicts&) { r.work[0].failed = 1; }},
      {"M-30 VOID", [](BenchRecord& r, Verdicts&) { r.machine.host_state.boot_id_after = "b2"; }},
      {"M-30 VOID", [](BenchRecord& r, Verdicts&) { r.machine.host_state.oom_count = 1; }},
      {"M-21 INDICATIVE",
       [](BenchRecord& r, Verdicts&) { r.work[0].outputs_sha256 = sample_hash('6'); }},
      {"M-25 INDICATIVE", [](BenchRecord& r, Verdicts&) { r.samples[0].values = {190}; }},
      {"M-25 INDICATIVE, M-26 NOT SEPARATED",
       [](BenchRecord& r, Verdicts&) { r.samples[0].values = {90}; }},
      {"M-27 NOT APPLICABLE", [](BenchRecord& r, Verdicts&) { r.work[1].ended_early = 1; }},
      {"M-27 NOT APPLICABLE", [](BenchRecord& r, Verdicts&) { r.work[1].output_tokens = 63; }},
      {"M-35 NOT APPLICABLE",
       [](BenchRecord& r, Verdicts&) { r.arms[1].manifest.context_tokens = 4096; }},
      {"M-36 VOID", [](BenchRecord& r, Verdicts&) { r.arms[1].manifest.compile_mode = "eager"; }},
      {"M-36 VOID", [](BenchRecord& r, Verdicts&) { r.arms[1].manifest.missing_isa = {"avx512"}; }},
  };
  for (const Case& each : cases) {
    BenchRecord record = sample_record();
    Verdicts verdicts = clean();
    each.plant(record, verdicts);
    const Standing standing = stand(record, verdicts);
    EXPECT_EQ(limits(standing), each.limits);
    const bool none = each.limits.find("VOID") != std::string::npos ||
                      each.limits.find("NOT APPLICABLE") != std::string::npos;
    EXPECT_EQ(standing.ratio.has_value(), !none) << each.limits;
  }
  EXPECT_EQ(limits(stand(sample_record(), clean(), {{"peer", "1.1"}})), "M-38 PROVISIONAL");
  BenchRecord one_run = sample_record();
  std::erase_if(one_run.work,
                [](const BenchWork& work) { return work.arm == "peer" && work.repetition > 1; });
  EXPECT_EQ(limits(stand(one_run, clean())), "M-33 NOT APPLICABLE");
}

TEST(FiguresTest, OtherWaysOfDoingTheSameWorkAreDifferencesToPrint) {  // M-35
  Manifest peer = sample_manifest();
  peer.kernel_family = "avx512";
  peer.threads = 4;
  const auto found = manifest_differences(sample_manifest(), peer);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].key, "kernel_family");
  EXPECT_EQ(found[1].reference, "4");
  EXPECT_FALSE(found[0].forbids || found[1].forbids);
}

TEST(FiguresTest, TheTokenClassFollowsFromTheOutputs) {  // M-20
  BenchRecord record = sample_record();
  EXPECT_EQ(token_class(record), "token-exact");
  record.work[0].outputs_sha256 = "";
  EXPECT_EQ(token_class(record), "not run");
  record = sample_record({.ours = {1, 1, 1, 1, 1}, .reference = {1, 1, 1, 1, 1}});
  for (const std::size_t i : {0U, 1U, 3U}) record.work[i].outputs_sha256 = sample_hash('6');
  EXPECT_EQ(token_class(record), "near-tie");
  record = sample_record();
  record.work[0].outputs_sha256 = sample_hash('6');
  EXPECT_EQ(token_class(record), "not run");
  record.samples.push_back({.arm = "cairn",
                            .repetition = 1,
                            .metric = "coherent",
                            .values = {1},
                            .system_baseline_digest = {}});
  EXPECT_EQ(token_class(record), "coherent");
  record.samples.push_back({.arm = "cairn",
                            .repetition = 1,
                            .metric = "first_difference_gap",
                            .values = {0.01},
                            .system_baseline_digest = {}});
  record.samples.push_back({.arm = "cairn",
                            .repetition = 1,
                            .metric = "near_tie_gap",
                            .values = {0.02},
                            .system_baseline_digest = {}});
  EXPECT_EQ(token_class(record), "near-tie");
}

TEST(FiguresTest, PartsAndResidualSumToTheStep) {  // M-57, M-58
  BenchRecord record = sample_record({.metric = "step",
                                      .unit = "ms",
                                      .higher_is_better = false,
                                      .ours = {10, 10, 10},
                                      .reference = {11, 11, 11}});
  EXPECT_FALSE(attribution_of(sample_record(), "cairn"));
  for (std::int64_t i = 1; i <= 3; ++i) {
    record.samples.push_back({.arm = "cairn",
                              .repetition = i,
                              .metric = "part.project",
                              .values = {9.7},
                              .system_baseline_digest = {}});
  }
  record.units.push_back({.metric = "part.project", .unit = "ms"});
  auto found = attribution_of(record, "cairn");
  ASSERT_TRUE(found);
  ASSERT_EQ(found->parts.size(), 2U);
  EXPECT_EQ(found->parts[1].name, "residual");
  EXPECT_DOUBLE_EQ(found->parts[0].value + found->parts[1].value, found->step);
  for (BenchSample& sample : record.samples) {
    if (sample.metric == "part.project") sample.values = {9.4};
  }
  EXPECT_EQ(attribution_of(record, "cairn")->parts[1].name, "unattributed");
}

TEST(FiguresTest, AReceiptPairPrintsAsARecord) {  // M-71
  const BenchRecord record = record_of(sample_baseline(), sample_candidate());
  const Standing standing = stand(record, {});
  EXPECT_EQ(our_arm(record)->name, "candidate");
  EXPECT_NEAR(*standing.ratio, 4.1 / 3.1, 1e-12);
}

}  // namespace
}  // namespace cairn::evidence

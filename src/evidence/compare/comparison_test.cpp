#include "evidence/compare/comparison.h"

#include <gtest/gtest.h>

#include <functional>

#include "evidence/receipt/sample.h"
#include "evidence/wire/encode.h"

namespace cairn::evidence {
namespace {

using Change = std::function<void(Receipt&, Receipt&)>;

std::string first_id(const Change& change, Rules rules = {}) {
  Receipt baseline = sample_baseline();
  Receipt candidate = sample_candidate();
  change(baseline, candidate);
  const Findings findings = compare_receipts(pinned_graph(), baseline, candidate, rules).findings;
  return findings.empty() ? "" : findings[0].ids[0];
}

TEST(ComparisonTest, TheWorkedVectorComesOutToTheLastBit) {
  const Decoded<Comparison> result =
      compare_receipts(pinned_graph(), sample_baseline(), sample_candidate());
  ASSERT_TRUE(result.ok()) << to_lines(result.findings, "comparison");
  EXPECT_EQ(canonical_text(result.value),
            R"({"schema":"fak-native-performance-comparison/v1",)"
            R"("envelope_id":"qwen38-27b-q4km-m3pro-p32-t64",)"
            R"("changed_lever_id":"metal.paged-kv","baseline_revision":"aaaa",)"
            R"("candidate_revision":"bbbb","baseline_mean_tokens_per_second":3.1,)"
            R"("candidate_mean_tokens_per_second":4.1000000000000005,)"
            R"("delta_tokens_per_second":1.0000000000000004,)"
            R"("delta_percent":32.258064516129046})");
}

TEST(ComparisonTest, EveryRuleRefusesItsDefectAndIsSilentWhenOff) {
  const std::vector<std::pair<std::string, Change>> plants = {
      {"C-01", [](Receipt& b, Receipt&) { b.revision = ""; }},
      {"C-02", [](Receipt&, Receipt& c) { c.revision = ""; }},
      {"C-03", [](Receipt& b, Receipt& c) { std::swap(b, c); }},  // T-46
      {"C-04",
       [](Receipt&, Receipt& c) {
         c = sample_candidate({4, 4, 4}, "metal.prefix-reuse");
       }},
      {"C-04",  // T-47
       [](Receipt&, Receipt& c) {
         c = sample_candidate({4, 4, 4}, "cuda.dp4a-q4k-mmvq");
       }},
      {"C-05", [](Receipt&, Receipt& c) { c.controls.batch = 2; }},  // T-47
      {"C-05", [](Receipt&, Receipt& c) { c.machine.scrubbed_id = "m3pro-2"; }},
      {"C-05",
       [](Receipt& b, Receipt& c) {
         b = sample_baseline({3, 3, 3}, "cuda.dp4a-q4k-mmvq");
         c = sample_candidate({4, 4, 4}, "cuda.dp4a-q4k-mmvq");
         c.artifact_sha256[0] = 'f';
       }},
      {"C-07",
       [](Receipt& b, Receipt&) {
         b = sample_baseline({1e308, 1e308, 1e308});
       }},
  };
  EXPECT_EQ(first_id([](Receipt&, Receipt&) {}), "");
  for (const auto& [id, change] : plants) {
    EXPECT_EQ(first_id(change), id);
    EXPECT_NE(first_id(change, {.off = id}), id);
  }
}

TEST(ComparisonTest, AttestationsAreNeitherRequiredNorCompared) {  // C-06
  EXPECT_EQ(first_id([](Receipt& b, Receipt&) { attest(b, 0); }), "");
}

}  // namespace
}  // namespace cairn::evidence

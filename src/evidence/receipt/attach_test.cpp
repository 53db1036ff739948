#include "evidence/receipt/attach.h"

#include <gtest/gtest.h>

#include "evidence/receipt/sample.h"

namespace cairn::evidence {
namespace {

/// The ids of the first finding, outermost first; empty when the attachment went well.
std::vector<std::string> attached(Receipt& receipt, const attestation::Attestation& one,
                                  Rules rules = {}) {
  const Findings findings = attach_attestation(pinned_graph(), receipt, one, rules);
  return findings.empty() ? std::vector<std::string>() : findings[0].ids;
}

using Ids = std::vector<std::string>;

TEST(AttachTest, AV1ReceiptIsUpgradedByTheFirstAndFilledInOrder) {  // T-41, X-07
  Receipt receipt = sample_baseline();
  receipt.schema = kReceiptSchemaV1;
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(attached(receipt, sample_attestation(i)), Ids());
    EXPECT_EQ(receipt.schema, kReceiptSchemaV2);
    EXPECT_EQ(receipt.system_baselines.size(), static_cast<std::size_t>(i) + 1);
    EXPECT_EQ(receipt.repetitions[static_cast<std::size_t>(i)].system_baseline_digest,
              sample_attestation(i).digest);
  }
  Receipt full = receipt;
  EXPECT_EQ(attached(full, sample_attestation(3)), (Ids{"X-06"}));
  EXPECT_NE(attached(receipt, sample_attestation(3), {.off = "X-06"}), (Ids{"X-06"}));
}

TEST(AttachTest, LegacyRecordsAreRefused) {
  Receipt receipt = sample_baseline();
  receipt.ambient_evidence.assign(3, sample_ambient());
  Receipt again = receipt;
  EXPECT_EQ(attached(receipt, sample_attestation(0)), (Ids{"X-01"}));
  EXPECT_EQ(attached(again, sample_attestation(0), {.off = "X-01"}), (Ids{"X-08", "R-25"}));
}

TEST(AttachTest, AV1ReceiptWithADigestIsJudgedAsV1) {  // T-38
  Receipt receipt = sample_baseline();
  receipt.schema = kReceiptSchemaV1;
  receipt.repetitions[0].system_baseline_digest = sample_attestation(0).digest;
  Receipt again = receipt;
  EXPECT_EQ(attached(receipt, sample_attestation(0)), (Ids{"X-02", "R-02"}));
  EXPECT_EQ(attached(again, sample_attestation(0), {.off = "X-02"})[0], "X-03");
}

TEST(AttachTest, ATemplateCannotBeAttachedTo) {  // T-45
  const Graph graph = pinned_graph();
  Receipt receipt = *baseline_template(graph, graph.levers[3]);
  EXPECT_EQ(attached(receipt, sample_attestation(0))[0], "X-03");
  Receipt again = *baseline_template(graph, graph.levers[3]);
  EXPECT_EQ(attached(again, sample_attestation(0), {.off = "X-03"})[0], "X-08");
}

TEST(AttachTest, AnEditedAttestationIsRefused) {
  Receipt receipt = sample_baseline();
  attestation::Attestation edited = sample_attestation(0);
  edited.timed_out = true;
  EXPECT_EQ(attached(receipt, edited), (Ids{"X-04", "A-04"}));
  EXPECT_EQ(attached(receipt, edited, {.off = "X-04"}), (Ids{"X-08", "R-27", "A-04"}));
}

TEST(AttachTest, ConsumersAreRefused) {  // T-44
  Receipt receipt = sample_baseline();
  attestation::Attestation local = sample_attestation(0);
  local.policy.include_top_consumers = true;
  local.top_non_sut_consumers = {{{.image = "x", .pid = 4}}};
  attestation::seal(local);
  EXPECT_EQ(attached(receipt, local), (Ids{"X-05"}));
  EXPECT_EQ(attached(receipt, local, {.off = "X-05"}), (Ids{"X-08", "R-28"}));
}

TEST(AttachTest, TheSameAttestationTwiceIsRefused) {  // T-42
  Receipt receipt = sample_baseline();
  EXPECT_EQ(attached(receipt, sample_attestation(0)), Ids());
  Receipt again = receipt;
  EXPECT_EQ(attached(receipt, sample_attestation(0)), (Ids{"X-08", "R-29"}));
  EXPECT_EQ(attached(again, sample_attestation(0), {.off = "X-08"}), Ids());
}

TEST(AttachTest, AnInvestigateAttestationMayBeAttached) {  // T-43
  Receipt receipt = sample_baseline();
  const attestation::Attestation busy = attestation::vector_samples(2'000'000'000).report();
  ASSERT_EQ(busy.verdict, "investigate");
  EXPECT_EQ(attached(receipt, busy), Ids());
}

}  // namespace
}  // namespace cairn::evidence

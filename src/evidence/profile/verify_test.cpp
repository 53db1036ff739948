#include "evidence/profile/verify.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "base/sha256.h"
#include "evidence/data/pinned_graph.h"
#include "evidence/receipt/sample.h"
#include "evidence/wire/encode.h"

namespace cairn::evidence {
namespace {

Profile bundle() {
  const Result<std::string> text = read_file(
      CAIRN_SOURCE_DIR "/tests/evidence/profiles/synthetic-metal-launch-bound.json", 1 << 20);
  EXPECT_TRUE(text.ok());
  return decode_profile(text.ok() ? *text : "").value;
}

/// The texts of what is wrong when the receipt records the hash of `bytes`.
std::string faults(const std::string& bytes, std::string_view recorded, Rules rules = {}) {
  Receipt receipt = sample_baseline();
  receipt.profiler_artifacts[0].sha256 = recorded;
  return to_lines(check_artifact(pinned_graph(), receipt, {.index = 0, .bytes = bytes}, rules),
                  "r");
}

TEST(VerifyTest, ABundleIsOfTheReceiptsEnvelopeExecutionAndHash) {  // P-26
  Profile profile = bundle();
  const std::string good = document_text(profile);
  EXPECT_EQ(faults(good, sha256_hex(good)), "");
  EXPECT_NE(faults(good, sha256_hex(good + " ")).find("[P-26] profiler_artifacts[0].sha256"),
            std::string::npos);
  EXPECT_EQ(faults(good, sha256_hex(good + " "), {.off = "P-26"}), "");
  profile.execution.fallback_count = 1;
  std::string other = document_text(profile);
  EXPECT_NE(faults(other, sha256_hex(other)).find("[P-26] execution"), std::string::npos);
  profile = bundle();
  profile.envelope_id = "qwen38-27b-q4k-a100-p1-decode";
  other = document_text(profile);
  EXPECT_NE(faults(other, sha256_hex(other)).find("[P-26] envelope_id"), std::string::npos);
}

TEST(VerifyTest, AFileThatIsNoBundleIsOnlyHashed) {
  EXPECT_EQ(faults("raw log", sha256_hex(std::string_view("raw log"))), "");
  EXPECT_NE(faults("raw log", sha256_hex(std::string_view("other"))), "");
}

}  // namespace
}  // namespace cairn::evidence

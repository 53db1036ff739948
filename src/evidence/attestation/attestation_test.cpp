// Digest vectors and the form of a report.
#include "evidence/attestation/attestation.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <limits>

#include "evidence/attestation/check.h"
#include "evidence/attestation/vectors.h"
#include "evidence/wire/encode.h"

namespace cairn::evidence::attestation {
namespace {

std::string committed(const std::string& name) {
  std::ifstream in(CAIRN_SOURCE_DIR "/tests/evidence/attestation/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(DigestVectorTest, AIsCleanAndItsTextIsTheOneThatIsHashed) {  // T-76, A-20, A-21, A-22
  Attestation report = vector_a().report();
  EXPECT_EQ(report.verdict, "clean");
  EXPECT_EQ(report.digest,
            "sha256:da430564afbe7e1f19284e6fd0e83bfb476e636282fbd3149bada268fbc49dd5");
  report.digest.clear();
  EXPECT_EQ(canonical_text(report), committed("vector_a.json"));
}

TEST(DigestVectorTest, BIsToBeInvestigatedForWhatAnotherProcessUsed) {  // T-76
  const Attestation report = vector_samples(2 * kSecondNs).report();
  EXPECT_EQ(report.verdict, "investigate");
  EXPECT_EQ(report.findings->at(0).detail, "non-SUT CPU 50.00% exceeds 20.00%");
  EXPECT_EQ(report.digest,
            "sha256:1ba2d02ce0f146bb38e41178eea9bf7ad28d411086d8e39ae7df5a715d23af9e");
}

TEST(DigestVectorTest, CHasNoCommandSamplesAndAnEmptyCommandSide) {  // T-76
  const VectorSamples vector = vector_a();
  Samples samples = vector.samples();
  samples.command = {};
  const Attestation report = build(samples, {});
  EXPECT_EQ(report.verdict, "invalid");
  EXPECT_EQ(report.findings->at(0).code, "NO_SAMPLES");
  EXPECT_EQ(report.digest,
            "sha256:cea6e2ee942209267d7c8c76d27f2e95e964193de03956e0a30d7b68f976d97b");
  EXPECT_TRUE(check(report).empty());
}

TEST(DigestVectorTest, DListsTheConsumerWithItsNameEscaped) {  // T-76, T-65
  VectorSamples vector = vector_a();
  for (host::Snapshot& sample : vector.command) sample.processes[1].image = "R&D<1>.exe";
  const Attestation report = vector.report({.include_top_consumers = true});
  ASSERT_EQ(report.top_non_sut_consumers->size(), 1U);
  EXPECT_EQ(canonical_text(report.top_non_sut_consumers->at(0)),
            R"({"image":"R\u0026D\u003c1\u003e.exe","pid":20,"cpu_seconds":0.1,"rss_bytes":120,)"
            R"("cpu_available":true,"rss_available":true})");
  EXPECT_EQ(report.digest,
            "sha256:beb872c47525bb06938119141e5ec94154e6fa08d92dd920d5af1f028c3aa2d7");
}

TEST(DigestVectorTest, EFailedAndLeavesZeroOut) {  // T-76, T-71
  VectorSamples vector = vector_samples(0);
  vector.exit_code = 7;
  const Attestation report = vector.report();
  EXPECT_EQ(report.verdict, "invalid");
  EXPECT_EQ(canonical_text(report.attribution.non_sut_cpu_percent_of_host),
            R"({"available":true,"unit":"percent","source":"host busy minus sut tree"})");
  EXPECT_EQ(report.digest,
            "sha256:f42736f9cb8bad789d41c5f8e3877dbcf928691ffc187a1981bd9145e0a043d6");
}

TEST(DigestTest, NullAndAnEmptyListOfConsumersAreTwoDigests) {  // T-70
  Attestation report = vector_a().report();
  const std::string with_list = digest_of(report);
  report.top_non_sut_consumers.reset();
  const std::string with_null = digest_of(report);
  EXPECT_NE(with_list, with_null);
  report.digest = with_null;
  const Decoded<Attestation> again = read(document_text(report));
  ASSERT_TRUE(again.ok());
  EXPECT_TRUE(check(again.value).empty()) << "the null is kept";
}

TEST(DigestTest, OrderAndWhiteSpaceOfTheFileDoNotMatter) {  // T-50, A-21
  const Attestation report = vector_a().report();
  std::string text = canonical_text(report);
  // The last key first: the digest key moves to the front.
  const std::string last = ",\"digest\":\"" + report.digest + "\"";
  ASSERT_NE(text.find(last), std::string::npos);
  text.erase(text.find(last), last.size());
  text.insert(1, " \n \"digest\" : \"" + report.digest + "\" , ");
  const Decoded<Attestation> again = read(text);
  ASSERT_TRUE(again.ok()) << to_lines(again.findings, "text");
  EXPECT_TRUE(check(again.value).empty());
}

TEST(DigestTest, SealingIsTheLastStepAndAnyLaterChangeBreaksIt) {  // T-49, A-23
  const Attestation report = vector_a().report();
  const auto broken = [&](auto change) {
    Attestation changed = report;
    change(changed);
    const Findings findings = check(changed);
    return !findings.empty() && findings[0].ids == std::vector<std::string>{"A-04"};
  };
  EXPECT_TRUE(broken([](Attestation& each) { each.command_exit_code = 0x10; }));
  EXPECT_TRUE(broken([](Attestation& each) { each.timed_out = true; }));
  EXPECT_TRUE(broken([](Attestation& each) { each.baseline_window.started_at_utc += " "; }));
  EXPECT_TRUE(broken([](Attestation& each) { each.host_totals.cpu_percent.value += 1e-9; }));
  EXPECT_TRUE(broken([](Attestation& each) { each.coverage.process_enumeration_note = "x"; }));
  EXPECT_TRUE(broken([](Attestation& each) { each.policy.minimum_samples = 3; }));
  EXPECT_TRUE(broken([](Attestation& each) { each.findings->push_back({.code = "A"}); }));
  EXPECT_TRUE(broken([](Attestation& each) { each.attribution.sut_rss_bytes.reason = "r"; }));
}

TEST(PolicyTest, ALimitThatMakesNoSenseBecomesItsDefault) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double wrong : {0.0, -1.0, 100.1, nan, std::numeric_limits<double>::infinity()}) {
    const Policy policy =
        normalised({.maximum_non_sut_cpu_percent = wrong, .maximum_sampler_duty_percent = wrong});
    EXPECT_EQ(policy.maximum_non_sut_cpu_percent, 20) << wrong;
    EXPECT_EQ(policy.maximum_sampler_duty_percent, 10) << wrong;
  }
  const Policy policy = normalised({.minimum_baseline_samples = 0,
                                    .minimum_samples = -3,
                                    .maximum_non_sut_cpu_percent = 100,
                                    .maximum_sampler_duty_percent = 0.5,
                                    .require_host_cpu = false});
  EXPECT_EQ(policy.minimum_baseline_samples, 2);
  EXPECT_EQ(policy.minimum_samples, 2);
  EXPECT_EQ(policy.maximum_non_sut_cpu_percent, 100);
  EXPECT_EQ(policy.maximum_sampler_duty_percent, 0.5);
  EXPECT_FALSE(policy.require_host_cpu);
}

TEST(BaseNameTest, ANameIsItsLastPartWhateverTheSlashes) {  // T-65
  EXPECT_EQ(base_name("a b (c)"), "a b (c)");
  EXPECT_EQ(base_name("C:\\tools\\x.exe"), "x.exe");
  EXPECT_EQ(base_name("/usr/bin/x"), "x");
  EXPECT_EQ(base_name("dir/x//"), "x");
  for (const std::string_view nothing : {"", "/", "\\", "//\\"}) {
    EXPECT_EQ(base_name(nothing), "unknown") << nothing;
  }
}

}  // namespace
}  // namespace cairn::evidence::attestation

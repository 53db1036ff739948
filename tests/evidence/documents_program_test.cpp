// cairn native-performance with documents: attach, compare, gate and profiles as a user would.
#include <gtest/gtest.h>

#include "base/file.h"
#include "evidence/gate/sample.h"
#include "evidence/wire/encode.h"
#include "tests/cli/program.h"
#include "tests/evidence/profiles/rejected.h"

namespace cairn::cli_test {
namespace {

using evidence::document_text;

const std::string kCommand = "native-performance ";
const std::string kProfiles = CAIRN_SOURCE_DIR "/tests/evidence/profiles/";

std::string text_of(const std::string& path) {
  const Result<std::string> text = read_file(path, 1 << 24);
  EXPECT_TRUE(text.ok()) << path;
  return text.ok() ? *text : "";
}

evidence::GateRequest request(double rate) {
  evidence::Receipt accepted = evidence::sample_baseline({100, 101, 100});
  evidence::Receipt candidate = evidence::sample_candidate({rate, rate, rate});
  evidence::attest(accepted, 0);
  evidence::attest(candidate, 10);
  evidence::GateRequest asked = evidence::strict_request(accepted, candidate);
  asked.policy.minimum_throughput_tokens_per_second = 90;
  return asked;
}

TEST(DocumentsProgramTest, ReceiptsAreAttachedToOneByOneIntoTheSameFile) {  // T-41
  Program program;
  evidence::Receipt receipt = evidence::sample_baseline();
  receipt.schema = evidence::kReceiptSchemaV1;
  const std::string path = program.file("receipt.json", document_text(receipt));
  for (int i = 0; i < 3; ++i) {
    const std::string one =
        program.file("rep.json", document_text(evidence::sample_attestation(i)));
    const Said said = program.run(kCommand + "--attach-receipt " + path + " --system-baseline " +
                                  one + " --out " + path);
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_EQ(said.out, "");
  }
  evidence::Receipt whole = evidence::sample_baseline();
  evidence::attest(whole, 0);
  EXPECT_EQ(text_of(path), document_text(whole));
  const std::string again =
      program.file("rep.json", document_text(evidence::sample_attestation(9)));
  const Said fourth = program.run(kCommand + "--attach-receipt " + path + " --system-baseline " +
                                  again + " --out " + path);
  EXPECT_EQ(fourth.code, 1);
  EXPECT_NE(fourth.err.find("[X-06]"), std::string::npos) << fourth.err;
  EXPECT_EQ(text_of(path), document_text(whole));
}

TEST(DocumentsProgramTest, WhatCannotBeWrittenIsAnErrorAndAnAttestationFileHasItsLimit) {
  Program program;
  const std::string receipt =
      program.file("receipt.json", document_text(evidence::sample_baseline()));
  const std::string one = program.file("rep.json", document_text(evidence::sample_attestation(0)));
  const std::string line = kCommand + "--attach-receipt " + receipt + " --system-baseline ";
  EXPECT_EQ(program.run(line + one + " --out /nowhere/next.json").code, 1);
  EXPECT_EQ(program.run(line + one, "", "", "/dev/full").code, 1);
  const std::string big = program.file(
      "big.json", document_text(evidence::sample_attestation(0)) + std::string(1 << 20, ' '));
  const Said said = program.run(line + big);
  EXPECT_EQ(said.code, 1);
  EXPECT_NE(said.err.find("[A-01]"), std::string::npos) << said.err;
}

TEST(DocumentsProgramTest, ComparingPrintsTheDifferenceOrTheFirstRefusal) {  // T-46, T-37
  Program program;
  const std::string baseline = program.file("b.json", document_text(evidence::sample_baseline()));
  const std::string candidate = program.file("c.json", document_text(evidence::sample_candidate()));
  const Said said = program.run(kCommand + "-compare=" + baseline + " -candidate " + candidate);
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_NE(said.out.find("\"delta_percent\": 32.258064516129046\n"), std::string::npos);
  const Said swapped =
      program.run(kCommand + "--compare " + candidate + " --candidate " + baseline);
  EXPECT_EQ(swapped.code, 1);
  EXPECT_EQ(swapped.out, "");
  EXPECT_NE(swapped.err.find("[C-03]"), std::string::npos) << swapped.err;
  const std::string twice =
      program.file("twice.json", document_text(evidence::sample_baseline()) + "{}");
  const Said trailing = program.run(kCommand + "--compare " + twice + " --candidate " + candidate);
  EXPECT_EQ(trailing.code, 1);
  EXPECT_TRUE(trailing.err.starts_with("cairn native-performance: " + twice + ": [J-02]"))
      << trailing.err;
}

TEST(DocumentsProgramTest, AStageFieldThatIsMissingWarnsAndUnderStrictRefuses) {
  Program program;
  evidence::Receipt receipt = evidence::sample_baseline();
  receipt.repetitions[0].ttft_milliseconds = 0;
  const std::string baseline = program.file("b.json", document_text(receipt));
  const std::string candidate = program.file("c.json", document_text(evidence::sample_candidate()));
  const std::string line = kCommand + "--compare " + baseline + " --candidate " + candidate;
  const Said warned = program.run(line);
  EXPECT_EQ(warned.code, 0);
  EXPECT_NE(warned.err.find("warning: " + baseline + ": [R-34]"), std::string::npos) << warned.err;
  EXPECT_EQ(program.run(line + " --strict").code, 1);
}

TEST(DocumentsProgramTest, TheGateAnswersWithItsExitCode) {  // T-91
  Program program;
  const std::tuple<double, std::string, int> cases[] = {
      {100, "pass", 0}, {97, "investigate", 0}, {90, "regression", 3}};
  for (const auto& [rate, word, code] : cases) {
    const std::string path = program.file("gate.json", document_text(request(rate)));
    const Said said = program.run(kCommand + "--gate " + path);
    EXPECT_EQ(said.code, code) << said.err;
    EXPECT_NE(said.out.find("\"classification\": \"" + word + "\""), std::string::npos);
    EXPECT_EQ(said.out.find("\"bisect\"") != std::string::npos, word != "pass");
  }
  evidence::GateRequest wrong = request(100);
  wrong.policy.accepted_revision = "cccc";
  const Said said =
      program.run(kCommand + "--gate " + program.file("gate.json", document_text(wrong)));
  EXPECT_EQ(said.code, 1);
  EXPECT_EQ(said.out, "");
  EXPECT_NE(said.err.find("[B-10] last_accepted.revision"), std::string::npos) << said.err;
}

TEST(DocumentsProgramTest, ALaxAttestationPassesWithAWarningAndIsInvestigatedUnderStrict) {
  Program program;  // T-103
  evidence::GateRequest asked = request(100);
  evidence::attestation::Attestation& one = asked.candidate.system_baselines[0];
  one.policy.maximum_non_sut_cpu_percent = 100;
  evidence::attestation::seal(one);
  asked.candidate.repetitions[0].system_baseline_digest = one.digest;
  const std::string path = program.file("gate.json", document_text(asked));
  const Said plain = program.run(kCommand + "--gate " + path);
  EXPECT_EQ(plain.code, 0);
  EXPECT_NE(plain.out.find("\"classification\": \"pass\""), std::string::npos);
  EXPECT_NE(plain.err.find("[B-30]"), std::string::npos) << plain.err;
  const Said strict = program.run(kCommand + "--strict --gate " + path);
  EXPECT_EQ(strict.code, 0);
  EXPECT_NE(strict.out.find("\"classification\": \"investigate\""), std::string::npos);
}

TEST(DocumentsProgramTest, TheFixturesRunThroughTheProgram) {  // T-77
  Program program;
  const Said launch =
      program.run(kCommand + "--profile " + kProfiles + "synthetic-metal-launch-bound.json");
  EXPECT_EQ(launch.code, 0) << launch.err;
  EXPECT_NE(launch.out.find("\"class\": \"launch-bound\""), std::string::npos);
  for (const std::string name :
       {"synthetic-metal-launch-bound", "synthetic-cuda-bandwidth-bound",
        "synthetic-metal-bandwidth-override", "synthetic-metal-attribution-unavailable"}) {
    EXPECT_EQ(program.run(kCommand + "--profile-next " + kProfiles + name + ".json").code, 0)
        << name;
  }
  for (const auto& [name, id] : evidence::kRejectedProfiles) {
    const std::string path = kProfiles + "reject-" + std::string(name) + ".json";
    const Said said = program.run(kCommand + "--profile " + path);
    EXPECT_EQ(said.code, 1) << name;
    EXPECT_EQ(said.out, "") << name;
    EXPECT_NE(said.err.find(path + ": [" + std::string(id) + "]"), std::string::npos) << said.err;
  }
  const std::string bare = kProfiles + "reject-profile-next-contradiction-without-override.json";
  EXPECT_EQ(program.run(kCommand + "--profile " + bare).code, 0);
  const Said refused = program.run(kCommand + "--profile-next " + bare);
  EXPECT_EQ(refused.code, 1);
  EXPECT_NE(refused.err.find("[N-04]"), std::string::npos) << refused.err;
}

TEST(DocumentsProgramTest, TrackerAndLockCommandAreSettings) {  // Z-11
  Program program;
  const Said graph = program.run(kCommand + "--json", "CAIRN_TRACKER_URL=https://tracker.example/");
  EXPECT_NE(graph.out.find("https://tracker.example/8324"), std::string::npos);
  EXPECT_EQ(graph.out.find("github.com"), std::string::npos);
  const std::string path = program.file("gate.json", document_text(request(90)));
  const Said verdict =
      program.run(kCommand + "--gate " + path, "CAIRN_LOCK_COMMAND='flock lane --paths'");
  EXPECT_EQ(verdict.code, 3) << verdict.err;
  EXPECT_NE(verdict.out.find("\"flock lane --paths internal/nativeperf\""), std::string::npos)
      << verdict.out;
}

TEST(DocumentsProgramTest, HalfAPairIsWrongUsage) {  // E-03, E-04, E-06
  Program program;
  const std::pair<std::string, std::string> lines[] = {
      {"--compare a", "[E-03]"},
      {"--candidate a", "[E-03]"},
      {"--attach-receipt a", "[E-04]"},
      {"--system-baseline a", "[E-04]"},
      {"--attach-receipt a --system-baseline ''", "[E-04]"},
      {"--compare '' --candidate a", "[E-06]"},
      {"--gate ''", "[E-06]"},
      {"--profile ''", "[E-06]"},
      {"--profile-next ''", "[E-06]"},
      {"--gate a --profile b", "[E-02]"},
      {"--json --profile b", "[E-02]"},
      {"--gate a --out b", "[E-05]"}};
  for (const auto& [arguments, id] : lines) {
    const Said said = program.run(kCommand + arguments);
    EXPECT_EQ(said.code, 2) << arguments;
    EXPECT_EQ(said.out, "") << arguments;
    EXPECT_NE(said.err.find(id), std::string::npos) << said.err;
  }
}

}  // namespace
}  // namespace cairn::cli_test

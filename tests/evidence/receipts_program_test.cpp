// cairn receipts, and what every mode may ask of the system.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "base/sha256.h"
#include "evidence/arm/sample.h"
#include "evidence/wire/encode.h"
#include "tests/cli/program.h"

namespace cairn::cli_test {
namespace {

const std::string kProfiles = CAIRN_SOURCE_DIR "/tests/evidence/profiles/";

/// A receipt whose profile bundle stands beside it.
std::string receipt_with_bundle(Program& program, evidence::Receipt receipt,
                                const std::string& name) {
  const Result<std::string> bundle =
      read_file(kProfiles + "synthetic-metal-launch-bound.json", 1 << 20);
  EXPECT_TRUE(bundle.ok());
  program.file("profiles/a.json", *bundle);
  receipt.profiler_artifacts[0].sha256 = sha256_hex(std::string_view(*bundle));
  return program.file(name, evidence::document_text(receipt));
}

TEST(ReceiptsProgramTest, AReceiptIsVerifiedWithItsFiles) {  // P-26
  Program program;
  const std::string path =
      receipt_with_bundle(program, evidence::sample_baseline(), "baseline.json");
  const Said good = program.run("receipts verify " + path);
  EXPECT_EQ(good.code, 0) << good.err;
  EXPECT_TRUE(good.out.starts_with("VALID baseline receipt of qwen38-27b-q4km-m3pro-p32-t64"));
  program.file("profiles/a.json", "{}");
  const Said edited = program.run("receipts verify " + path);
  EXPECT_EQ(edited.code, 1);
  EXPECT_EQ(edited.out, "");
  EXPECT_NE(edited.err.find("[P-26] profiler_artifacts[0].sha256"), std::string::npos)
      << edited.err;
  evidence::Receipt wrong = evidence::sample_baseline();
  wrong.execution.fallback_count = 1;
  const Said refused =
      program.run("receipts verify " + receipt_with_bundle(program, wrong, "wrong.json"));
  EXPECT_EQ(refused.code, 1);
  EXPECT_NE(refused.err.find("[R-12]"), std::string::npos) << refused.err;
}

TEST(ReceiptsProgramTest, TheArmRecordIsVerifiedWithItsReceipt) {  // M-03
  Program program;
  evidence::Receipt receipt = evidence::sample_candidate();
  evidence::ArmRecord arm = evidence::sample_arm(receipt);
  const auto verify = [&] {
    const std::string text = evidence::document_text(arm);
    program.file("profiles/a.json", text);
    receipt.profiler_artifacts[0].sha256 = sha256_hex(std::string_view(text));
    return program.run("receipts verify " +
                       program.file("candidate.json", evidence::document_text(receipt)));
  };
  const Said good = verify();
  EXPECT_EQ(good.code, 0) << good.err;
  arm.lever_states[3].enabled = false;
  const Said off = verify();
  EXPECT_EQ(off.code, 1);
  EXPECT_EQ(off.out, "");
  EXPECT_NE(off.err.find("[M-03] profiler_artifacts[0].lever_states"), std::string::npos)
      << off.err;
}

TEST(ReceiptsProgramTest, TwoReceiptsAreComparedInWords) {
  Program program;
  const std::string one =
      program.file("b.json", evidence::document_text(evidence::sample_baseline()));
  const std::string other =
      program.file("c.json", evidence::document_text(evidence::sample_candidate()));
  const Said said = program.run("receipts diff " + one + " " + other);
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_NE(said.out.find("role: \"baseline\" -> \"candidate\"\n"), std::string::npos) << said.out;
  EXPECT_EQ(program.run("receipts diff " + one + " " + one).out, "no difference\n");
  EXPECT_NE(program.run("receipts show " + one).out.find("tokens per second: 3, 3.1, 3.2\n"),
            std::string::npos);
  for (const std::string line : {"", "tell x", "show", "diff x", "show x --graph y"}) {
    const Said wrong = program.run("receipts " + line);
    EXPECT_EQ(wrong.code, 2) << line;
    EXPECT_EQ(wrong.out, "") << line;
  }
}

TEST(ReceiptsProgramTest, CompletionKnowsThePlainCommands) {
  Program program;
  const std::string bash = program.run("completion bash").out;
  EXPECT_NE(bash.find("native-performance receipts report bench"), std::string::npos) << bash;
  EXPECT_NE(bash.find("receipts) words=\"show verify diff --graph "), std::string::npos) << bash;
  EXPECT_NE(bash.find("bench) words=\"system-baseline"), std::string::npos) << bash;
  const std::string fish = program.run("completion fish").out;
  EXPECT_NE(fish.find("__fish_seen_subcommand_from report' -l check"), std::string::npos) << fish;
}

TEST(ReceiptsProgramTest, NoModeStartsAProcessOrOpensASocket) {  // E-09, T-106
  if (std::system("strace -V >/dev/null 2>&1") != 0) GTEST_SKIP() << "there is no strace";
  Program program;
  const std::string one =
      program.file("b.json", evidence::document_text(evidence::sample_baseline()));
  const std::string other =
      program.file("c.json", evidence::document_text(evidence::sample_candidate()));
  const std::string bundle = kProfiles + "synthetic-metal-launch-bound.json";
  const std::string trace = program.folder() + "/trace";
  for (const std::string& mode :
       {std::string(), std::string("--json"), std::string("--next"), std::string("--dot"),
        std::string("--baseline metal.paged-kv"),
        std::string("--compare ").append(one).append(" --candidate ").append(other),
        "--profile " + bundle, "--profile-next " + bundle, "--gate " + one}) {
    program.run(
        "native-performance " + mode,
        fmt::format("strace -f -qq -e trace=execve,fork,vfork,clone,clone3,socket -o {}", trace));
    const Result<std::string> calls = read_file(trace, 1 << 20);
    ASSERT_TRUE(calls.ok()) << calls.status().message();
    EXPECT_EQ(std::ranges::count(*calls, '\n'), 1) << mode << "\n" << *calls;  // its own execve
  }
}

}  // namespace
}  // namespace cairn::cli_test

// The commands `cairn bench …` as a user runs them: what they write holds under the rules of
// chapter 18, and what they refuse is said. No test looks at how long anything took.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "base/file.h"
#include "base/json.h"
#include "evidence/arm/arm_run.h"
#include "evidence/bench/sample.h"
#include "evidence/wire/encode.h"
#include "tests/cli/program.h"
#include "tests/evidence/fake_server.h"

namespace cairn::cli_test {
namespace {

using evidence::BenchRecord;
using testing::HasSubstr;
using testing::Not;

/// Tests may run beside each other, benchmarks may not: they wait for each other's lock.
constexpr std::string_view kWait = " --lock-wait 1800 ";

std::string text_of(const std::string& path) {
  const Result<std::string> text = read_file(path, 1 << 26);
  EXPECT_TRUE(text.ok()) << text.status().message();
  return text.ok() ? *text : "";
}

/// A record that was written, found to be valid.
BenchRecord record_at(const std::string& path) {
  const auto read = evidence::decode_bench_record(text_of(path));
  EXPECT_TRUE(read.ok()) << to_lines(read.findings, path);
  const evidence::Findings findings = evidence::validate_bench_record(read.value);
  EXPECT_TRUE(findings.empty()) << to_lines(findings, path);
  return read.value;
}

bool has_cold(const BenchRecord& record) {
  return std::ranges::any_of(record.samples, &evidence::BenchSample::cold);
}

std::string manifest_file(const Program& program) {
  return program.file("manifest.json", evidence::document_text(evidence::sample_manifest()));
}

TEST(BenchProgramTest, EachCommandHasHelpWithExamples) {
  Program program;
  for (const std::string command :
       {"latency", "serve", "startup", "memory", "compare", "lever", "arm", "experiment"}) {
    const Said said = program.run("bench " + command + " --help");
    EXPECT_EQ(said.code, 0) << command;
    EXPECT_THAT(said.out, HasSubstr("Usage: cairn bench " + command + " "));
    EXPECT_THAT(said.out, HasSubstr("Examples:\n  cairn "));
  }
}

TEST(BenchProgramTest, WrongUsageIsCodeTwoAndSaysWhatIsExpected) {
  Program program;
  const std::string manifest = manifest_file(program);
  const std::string one = " --manifest " + manifest;
  const std::pair<std::string, std::string> lines[] = {
      {"latency", "MODEL"},
      {"latency x --repetitions 2", "--repetitions"},
      {"latency x --generate 1", "--generate"},
      {"lever x --setting prefetch --off 0 --on 0", "two values"},
      {"lever x --setting prefetch --off 0 --on 1 --repetitions 5", "at least 15 pairs"},
      {"arm x --series 1", "does not hold"},
      {"compare --command a --manifest m", "expected two of each"},
      {"compare --url a" + one, "expected two"},
      {"serve --url http://127.0.0.1:9" + one + one, "expected one or two of each"},
      {"serve --url http://127.0.0.1:9" + one + " --requests 8", "more than the 32 clients"},
      {"serve --url http://127.0.0.1:9" + one + " --names a,a", "two that differ"},
      {"experiment x y --setting a --off 1 --on 1 --revision r --machine m --out o", "two values"},
  };
  for (const auto& [line, expected] : lines) {
    const Said said = program.run("bench " + line);
    EXPECT_EQ(said.code, 2) << line << "\n" << said.err;
    EXPECT_EQ(said.out, "") << line;
    EXPECT_THAT(said.err, HasSubstr(expected)) << line;
  }
}

// B02: a warm-up of one token, and costs of the first run in a figure of all.
TEST(BenchProgramTest, LatencyKeepsColdReadingsApartAndShowsItsSpread) {  // M-22, M-24, M-25
  Program program;
  const std::string out = program.folder() + "/latency.json";
  const Said said = program.run(
      "bench latency " + smollm2() + " --depths 8,16 --generate 4 --repetitions 3 --key k" +
      std::string(kWait) + "--out " + out + " --plot " + program.folder() + "/latency.svg");
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(said.out, HasSubstr("itl.d16 [ms]"));
  const BenchRecord record = record_at(out);
  EXPECT_FALSE(has_cold(record));
  EXPECT_EQ(record.subject.key, "k");
  EXPECT_EQ(record.work.size(), 3U);
  const BenchRecord control = record_at(program.folder() + "/latency.control.json");
  EXPECT_TRUE(has_cold(control));
  EXPECT_TRUE(control.subject.control);
  EXPECT_EQ(control.work[0].outputs_sha256, record.work[0].outputs_sha256);
  EXPECT_THAT(text_of(program.folder() + "/latency.svg"), HasSubstr("depth, tokens"));
}

TEST(BenchProgramTest, ThroughputBecomesARecordWithACurveOverTheBatch) {
  Program program;
  const std::string out = program.folder() + "/throughput.json";
  const Said said =
      program.run("bench throughput " + smollm2() +
                  " --parallel 1,3 --prompt-tokens 4 --generate 4 --rounds 3" + std::string(kWait) +
                  "--out " + out + " --plot " + program.folder() + "/throughput.svg");
  ASSERT_EQ(said.code, 0) << said.err;
  const BenchRecord record = record_at(out);
  EXPECT_EQ(record.work[0].output_tokens, 16);
  EXPECT_TRUE(has_cold(record_at(program.folder() + "/throughput.control.json")));
  EXPECT_THAT(text_of(program.folder() + "/throughput.svg"), HasSubstr("answers at once"));
  EXPECT_EQ(program.run("bench throughput x --rounds 2 --out y").code, 2);
}

// B03: nobody could tell why the benchmark and the server differ.
TEST(BenchProgramTest, ARecordTellsDepthThreadsAndEverySetting) {
  Program program;
  const std::string out = program.folder() + "/run.json";
  const Said said =
      program.run("bench arm " + smollm2() + " --prompt-tokens 8 --generate 4 --threads 1 --json" +
                  std::string(kWait) + "--out " + out);
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(said.out, text_of(out));
  const auto read = evidence::decode_arm_run(said.out);
  ASSERT_TRUE(read.ok()) << to_lines(read.findings, "run");
  EXPECT_TRUE(evidence::check_arm_run(read.value).empty());
  EXPECT_EQ(read.value.prompt_tokens, 8);
  EXPECT_EQ(read.value.threads, 1);
  std::set<std::string> names;
  for (const evidence::ArmSetting& setting : read.value.settings) {
    names.insert(setting.name);
    if (setting.name == "threads") {
      EXPECT_EQ(setting.value + setting.origin, "1flag");
    }
  }
  for (const char* name : {"isa", "numerics", "ctx", "step-rows", "prefetch", "kv-cache-dtype"}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
}

TEST(BenchProgramTest, ALeverIsFifteenPairsOfTheSameWork) {
  Program program;
  const std::string out = program.folder() + "/lever.json";
  const Said said = program.run("bench lever " + smollm2() +
                                " --setting prefetch --off 0 --on 4096 --prompt-tokens 4 "
                                "--generate 3" +
                                std::string(kWait) + "--out " + out);
  ASSERT_EQ(said.code, 0) << said.err;
  const BenchRecord record = record_at(out);
  EXPECT_EQ(record.work.size(), 30U);
  EXPECT_EQ(record.arms[0].role, "off");
  EXPECT_EQ(record.arms[1].role, "on");
  EXPECT_THAT(said.out, HasSubstr("outputs: token-exact"));
  const Said unknown = program.run("bench lever " + smollm2() + " --setting nope --off 0 --on 1" +
                                   std::string(kWait));
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("found 'nope'"));
}

TEST(BenchProgramTest, StartupAndMemoryAreOfWholeProcesses) {  // M-54, M-56
  Program program;
  for (const std::string kind : {"startup", "memory"}) {
    const std::string out = fmt::format("{}/{}.json", program.folder(), kind);
    const Said said = program.run(
        fmt::format("bench {} {} --prompt-tokens 2 --generate 2 --repetitions 3{}--out {}", kind,
                    smollm2(), kWait, out));
    ASSERT_EQ(said.code, 0) << said.err;
    const BenchRecord record = record_at(out);
    EXPECT_EQ(record.subject.kind, kind);
    EXPECT_TRUE(has_cold(record_at(fmt::format("{}/{}.control.json", program.folder(), kind))));
  }
}

TEST(BenchProgramTest, CommandsThatPrintTheSameAreCompared) {  // M-26, M-35
  Program program;
  const std::string manifest = manifest_file(program);
  const std::string out = program.folder() + "/compare.json";
  const std::string both = " --manifest " + manifest + " --manifest " + manifest +
                           " --names new,old" + std::string(kWait) + "--repetitions 3 ";
  const Said same = program.run("bench compare --command 'echo a' --command 'printf a\\\\n'" +
                                both + "--out " + out);
  ASSERT_EQ(same.code, 0) << same.err;
  EXPECT_THAT(same.out, HasSubstr("outputs: token-exact"));
  EXPECT_EQ(record_at(out).arms[1].name, "old");
}

TEST(BenchProgramTest, AManifestThatHoldsNothingIsSaidBeforeAnythingRuns) {  // M-34, M-37
  Program program;
  evidence::Manifest empty = evidence::sample_manifest();
  empty.kv_type.clear();
  empty.version = "latest";
  const std::string bad = program.file("bad.json", evidence::document_text(empty));
  const Said said = program.run("bench compare --command 'touch " + program.folder() +
                                "/ran' --command true --manifest " + bad + " --manifest " + bad +
                                std::string(kWait));
  EXPECT_EQ(said.code, 2) << said.err;
  EXPECT_THAT(said.err, HasSubstr("[M-34]"));
  EXPECT_THAT(said.err, HasSubstr("[M-37]"));
  EXPECT_FALSE(std::filesystem::exists(program.folder() + "/ran"));
  const Said broken =
      program.run("bench compare --command true --command true --manifest " + bad + " --manifest " +
                  program.file("x.json", "{}") + std::string(kWait));
  EXPECT_EQ(broken.code, 1);
  EXPECT_THAT(broken.err, HasSubstr("model_sha256"));
}

TEST(BenchProgramTest, ACommandThatFailsHasNoRatioAndStaysInTheRecord) {  // M-19
  Program program;
  const std::string manifest = manifest_file(program);
  const std::string out = program.folder() + "/compare.json";
  const Said said =
      program.run("bench compare --command false --command 'echo b' --manifest " + manifest +
                  " --manifest " + manifest + std::string(kWait) + "--out " + out);
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(said.out, HasSubstr("no ratio: [M-19] a request of first failed"));
  EXPECT_THAT(said.out, Not(HasSubstr("ahead")));
  EXPECT_EQ(record_at(out).work.size(), 2U) << "the series ended with the round";
}

TEST(BenchProgramTest, AServerIsAskedInClosedAndOpenLoops) {  // M-49, M-51, M-52
  Program program;
  const FakeServer server("plain");
  const std::string out = program.folder() + "/serve.json";
  const Said said =
      program.run("bench serve --url " + server.url() + " --manifest " + manifest_file(program) +
                  " --clients 1,3 --rates 500 --requests 8 --generate 3 "
                  "--repetitions 3" +
                  std::string(kWait) + "--out " + out);
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(said.out, HasSubstr("ttft.c3 [ms]"));
  EXPECT_THAT(said.out, HasSubstr("output.r500 [tokens/s (output)]"));
  EXPECT_THAT(said.out, HasSubstr("ttft.c1 [ms], cold"));
  EXPECT_THAT(said.out, HasSubstr("realised lengths in tokens: 8+: "));
  const BenchRecord record = record_at(out);
  EXPECT_EQ(record.work[0].requests, 24);
  EXPECT_EQ(record.work[0].output_tokens, 72) << "of usage";
  EXPECT_EQ(record.work[0].prompt_tokens, 24 * 9);
  EXPECT_TRUE(has_cold(record));
}

TEST(BenchProgramTest, WithoutUsageThereIsNoRate) {  // M-40
  Program program;
  const FakeServer server("no-usage");
  const Said said =
      program.run("bench serve --url " + server.url() + " --manifest " + manifest_file(program) +
                  " --clients 1 --requests 4 --generate 3 --repetitions 3" + std::string(kWait));
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(said.out, HasSubstr("ttft.c1 [ms]"));
  EXPECT_THAT(said.out, Not(HasSubstr("tokens/s")));
}

TEST(BenchProgramTest, AServerThatRefusesIsSaid) {
  Program program;
  const FakeServer server("refuse");
  const Said said =
      program.run("bench serve --url " + server.url() + " --manifest " + manifest_file(program) +
                  " --clients 1 --requests 4" + std::string(kWait));
  EXPECT_EQ(said.code, 1);
  EXPECT_THAT(said.err, HasSubstr("the server answered 503"));
  EXPECT_THAT(said.err, HasSubstr("too busy"));
}

TEST(BenchProgramTest, AnswersThatEndEarlyForbidARatio) {  // M-27
  Program program;
  const FakeServer whole("plain");
  const FakeServer early("early");
  const std::string manifest = manifest_file(program);
  const Said said = program.run("bench compare --url " + early.url() + " --url " + whole.url() +
                                " --manifest " + manifest + " --manifest " + manifest +
                                " --clients 1 --rates 900 --requests 4 --generate 3 "
                                "--repetitions 3 --out " +
                                program.folder() + "/early.json" + std::string(kWait));
  // One token an answer has no time between tokens, so there is no such reading to record.
  EXPECT_EQ(said.code, 1);
  EXPECT_THAT(said.err, HasSubstr("not one reading"));
  EXPECT_FALSE(std::filesystem::exists(program.folder() + "/early.json"));
}

/// M-75: each command of the page runs, against a model and a server that are at hand here.
TEST(BenchProgramTest, EveryReproduceRowRunsAgainstAFakeTarget) {
  Program program;
  const FakeServer server("plain");
  const Json plan = parse_json(text_of(CAIRN_SOURCE_DIR "/docs/evidence/pages.json")).value();
  ASSERT_FALSE(plan["reproduce"].empty());
  const std::string variables =
      "MODEL=" + smollm2() + " URL=" + server.url() + " MANIFEST=" + manifest_file(program) +
      " TREE=" CAIRN_SOURCE_DIR " PATH=" +
      std::filesystem::path(CAIRN_BINARY).parent_path().string() + ":$PATH ";
  for (const Json& row : plan["reproduce"]) {
    const std::string command = row["command"];
    std::string fewer;  // nobody looks at these figures
    if (command.starts_with("cairn bench")) fewer = std::string(kWait) + "--repetitions 3";
    if (command.starts_with("cairn bench serve")) fewer += " --requests 33";
    const std::string line = fmt::format("cd {} && export {} && {}{} >out 2>err", program.folder(),
                                         variables, command, fewer);
    EXPECT_EQ(std::system(line.c_str()), 0) << command << "\n"
                                            << text_of(program.folder() + "/err");
  }
  EXPECT_FALSE(record_at(program.folder() + "/serve.json").samples.empty());
}

TEST(BenchProgramTest, AnExperimentWritesReceiptsThatVerify) {
  Program program;
  const std::string out = program.folder() + "/run";
  const std::string graph = CAIRN_SOURCE_DIR "/docs/evidence/graph.json";
  const Said said = program.run(
      "bench experiment cpu.smollm2.weight-prefetch " + smollm2() +
      " --setting prefetch --off 0 --on 4096 --revision aaaa --machine test-machine --quiet 0.05"
      " --graph " +
      graph + " --out " + out + std::string(kWait));
  // Whatever the verdict is on this machine, the receipts are written and hold.
  ASSERT_TRUE(said.code == 0 || said.code == 3) << said.err;
  EXPECT_THAT(said.out, HasSubstr("cpu.smollm2.weight-prefetch: "));
  for (const std::string role : {"baseline", "candidate"}) {
    const Said verified =
        program.run(fmt::format("receipts verify {}/{}.json --graph {}", out, role, graph));
    EXPECT_EQ(verified.code, 0) << verified.err;
  }
  const Said gate = program.run("native-performance --strict --graph " + graph + " --gate " + out +
                                "/candidate.gate.json");
  EXPECT_EQ(gate.code, said.code) << gate.err;
}

}  // namespace
}  // namespace cairn::cli_test

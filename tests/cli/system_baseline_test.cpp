// cairn bench system-baseline as a script of a user would run it (native-performance.md 12.2).
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <thread>

#include "base/process.h"
#include "cli/environment.h"
#include "evidence/attestation/check.h"
#include "evidence/wire/encode.h"
#include "tests/cli/program.h"

namespace cairn::cli_test {
namespace {

namespace fs = std::filesystem;
using evidence::attestation::Attestation;
using std::chrono::milliseconds;

constexpr std::string_view kQuick =
    "bench system-baseline --baseline-duration 20ms --interval 10ms ";

std::string text_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A sealed report, or a failed test.
Attestation valid_report(const std::string& text) {
  const auto read = evidence::attestation::read(text);
  EXPECT_TRUE(read.ok()) << evidence::to_lines(read.findings, "report") << text;
  const evidence::Findings findings = evidence::attestation::check(read.value);
  EXPECT_TRUE(findings.empty()) << evidence::to_lines(findings, "report");
  return read.value;
}

bool has_finding(const Attestation& report, std::string_view code) {
  for (const auto& remark : *report.findings) {
    if (remark.code == code) return true;
  }
  return false;
}

class SystemBaseline : public testing::Test {
 protected:
  Said run(std::string_view rest, std::string_view out = "") {
    return program_.run(std::string(kQuick) + std::string(rest), "", "typed\n", out);
  }
  std::string path(std::string_view name) const {
    return program_.folder() + "/" + std::string(name);
  }
  /// Names in the folder that are not the harness's own.
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& each : fs::directory_iterator(program_.folder())) {
      const std::string name = each.path().filename();
      if (name != "stdin" && name != "stdout" && name != "stderr") names.push_back(name);
    }
    return names;
  }
  void expect_usage(std::string_view arguments, std::string_view id) {
    const Said said = program_.run("bench system-baseline " + std::string(arguments));
    EXPECT_EQ(said.code, 2) << arguments;
    EXPECT_EQ(said.out, "") << arguments;
    EXPECT_NE(said.err.find("Usage: cairn bench system-baseline"), std::string::npos) << said.err;
    EXPECT_NE(said.err.find(id), std::string::npos) << said.err;
    EXPECT_TRUE(files().empty()) << arguments << " left " << files().front();
  }

  Program program_;
};

TEST_F(SystemBaseline, TheReportNamesNeitherTheCommandLineNorTheProgram) {  // E-26
  for (const std::string ending : {"true", "exit 7"}) {
    const Said said = run("--top-consumers --out " + path("rep.json") +
                          " -- /bin/sh -c 'sleep 0.05; : secret-argument; " + ending + "'");
    valid_report(said.out);
    for (const std::string word : {"secret-argument", "/bin/sh"}) {
      EXPECT_EQ(said.out.find(word), std::string::npos) << word;
      EXPECT_EQ(text_of(path("rep.json")).find(word), std::string::npos) << word;
    }
  }
}

TEST_F(SystemBaseline, ACommandThatWorksIsCodeZeroAndASealedReport) {  // E-25, T-64
  const Said said = run("-- true");
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(said.err, "");
  const Attestation report = valid_report(said.out);
  EXPECT_EQ(report.command_exit_code, 0);
  EXPECT_GE(report.baseline_window.samples, 2);
  EXPECT_GE(report.baseline_window.duration_ns, 20'000'000);
  EXPECT_EQ(report.command_window.sample_interval_ns, 10'000'000);
  EXPECT_GT(report.coverage.sut_root_pid, 0);
  EXPECT_TRUE(report.baseline_sampler.duty_percent.available);
  EXPECT_TRUE(report.command_sampler.duty_percent.available);
}

TEST_F(SystemBaseline, ACodeASignalAndATimeLimitComeThrough) {  // T-63, E-25
  const Said failed = run("-- sh -c 'exit 7'");
  EXPECT_EQ(failed.code, 7);
  EXPECT_EQ(valid_report(failed.out).verdict, "invalid");
  EXPECT_TRUE(has_finding(valid_report(failed.out), "COMMAND_FAILED"));
  EXPECT_EQ(run("false").code, 1);
  const Said killed = run("-- sh -c 'kill -15 $$'");
  EXPECT_EQ(killed.code, 143);
  EXPECT_EQ(valid_report(killed.out).command_exit_code, 143);
  const Said late = run("--timeout 200ms -- sleep 60");
  EXPECT_EQ(late.code, 124);
  const Attestation report = valid_report(late.out);
  EXPECT_EQ(report.command_exit_code, 124);
  EXPECT_TRUE(report.timed_out);
  EXPECT_EQ(report.verdict, "invalid");
  EXPECT_TRUE(has_finding(report, "COMMAND_TIMEOUT"));
}

TEST_F(SystemBaseline, ATimeLimitEndsTheWholeGroup) {
  const Said said =
      run("--timeout 300ms -- sh -c 'sleep 60 & echo $! > " + path("pid") + "; wait'");
  EXPECT_EQ(said.code, 124);
  const int pid = std::stoi(text_of(path("pid")));
  for (int i = 0; i < 100 && ::kill(pid, 0) == 0; ++i)
    std::this_thread::sleep_for(milliseconds(20));
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string word;
  for (int i = 0; i < 3; ++i) stat >> word;
  EXPECT_TRUE(!stat || word == "Z") << "the grandchild still runs";
}

TEST_F(SystemBaseline, ACommandThatCannotStartLeavesNoReport) {  // T-63, E-23
  const Said said = run("--out " + path("r.json") + " -- /no/such/program");
  EXPECT_EQ(said.code, 1);
  EXPECT_EQ(said.out, "");
  EXPECT_TRUE(is_one_line_with(said.err, "cairn bench system-baseline: |E-23|/no/such/program"))
      << said.err;
  EXPECT_TRUE(files().empty());
}

TEST_F(SystemBaseline, TheChildReadsNothingAndItsOutputGoesToStandardError) {
  const Said said = run("-- sh -c 'cat; echo said; echo cried >&2'");
  EXPECT_EQ(said.code, 0);
  EXPECT_EQ(said.err, "said\ncried\n");
  valid_report(said.out);
}

TEST_F(SystemBaseline, TheReportHoldsNeitherTheCommandLineNorItsPath) {  // E-26
  const Said said = run("--top-consumers -- /bin/sh -c 'sleep 0.05; exit 0' very-secret-word");
  EXPECT_EQ(said.out.find("very-secret-word"), std::string::npos);
  EXPECT_EQ(said.out.find("/bin"), std::string::npos);
  EXPECT_TRUE(valid_report(said.out).policy.include_top_consumers);
}

TEST_F(SystemBaseline, TheFileAndStandardOutputHoldTheSameBytes) {  // E-24
  const std::string out = program_.file("r.json", "old and longer than nothing");
  const Said said = run("--out " + out + " -- true");
  EXPECT_EQ(said.code, 0);
  EXPECT_EQ(text_of(out), said.out);
  EXPECT_TRUE(said.out.ends_with("}\n"));
  EXPECT_EQ(fs::status(out).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(files().size(), 1U);
}

TEST_F(SystemBaseline, AFileThatCannotBeWrittenStartsNothing) {
  for (const std::string& wrong : {std::string("/proc/report.json"), path("none/r.json"),
                                   program_.folder(), std::string("/dev/null")}) {
    const Said said = run("--out " + wrong + " -- touch " + path("ran"));
    EXPECT_EQ(said.code, 1) << wrong;
    EXPECT_EQ(said.out, "");
    EXPECT_NE(said.err.find(wrong), std::string::npos) << said.err;
    EXPECT_FALSE(fs::exists(path("ran"))) << wrong;
  }
}

TEST_F(SystemBaseline, AStandardOutputThatFailsIsCodeOneAndTheFileIsStillWhole) {  // T-75, E-24
  const std::string out = path("r.json");
  for (const std::string_view target : {"/dev/full", "&-"}) {
    const Said said = run("--out " + out + " -- true", target);
    EXPECT_EQ(said.code, 1) << target;
    EXPECT_NE(said.err.find("E-24"), std::string::npos) << said.err;
    valid_report(text_of(out));
    fs::remove(out);
  }
}

TEST_F(SystemBaseline, AClosedStandardErrorNeverMixesWithTheReport) {
  const std::string out = path("r.json");
  const Said said = program_.run("bench",
                                 "sh -c 'exec \"$0\" \"$@\" system-baseline --interval 10ms "
                                 "--baseline-duration 20ms --out " +
                                     out + " -- sh -c \"echo noise\" 2>&-'");
  EXPECT_EQ(text_of(out), said.out);
  valid_report(text_of(out));
}

TEST_F(SystemBaseline, ValuesOutOfRangeStartNothing) {  // T-72, E-22
  const std::string touch = " -- touch " + path("ran");
  for (const std::string_view flags :
       {"--interval 9ms", "--interval 11s", "--interval 10", "--baseline-duration 61s",
        "--baseline-duration 9ms", "--timeout 25h", "--timeout -1s", "--max-non-sut-cpu-percent 0",
        "--max-non-sut-cpu-percent 101", "--max-sampler-duty-percent nan",
        "--max-sampler-duty-percent 1x", "--out ''"}) {
    expect_usage(std::string(flags) + touch, "E-22");
  }
}

TEST_F(SystemBaseline, WrongUsageIsCodeTwo) {  // E-20, E-21, T-74
  expect_usage("", "E-20");
  expect_usage("--interval 10ms", "E-20");
  expect_usage("--verify f -- cmd", "E-21");
  expect_usage("--verify f cmd", "E-21");
  expect_usage("--verify f --out g", "--out");
  expect_usage("--strict -- true", "--strict");
  expect_usage("--no-such-flag -- true", "--no-such-flag");
  expect_usage("--help", "Examples");
}

TEST_F(SystemBaseline, HelpWithoutDashesIsAnAnswer) {
  const Said said = program_.run("help bench system-baseline");
  EXPECT_EQ(said.code, 0);
  EXPECT_EQ(said.err, "");
  EXPECT_NE(said.out.find("Usage: cairn bench system-baseline"), std::string::npos);
}

TEST_F(SystemBaseline, ItSpeaksUnderTheNameItWasStartedAs) {
  fs::create_symlink(CAIRN_BINARY, path("fak"));
  const Said said = program_.run("; " + path("fak") + " bench system-baseline --nope", ":");
  EXPECT_NE(said.err.find("fak bench system-baseline: "), std::string::npos) << said.err;
  EXPECT_NE(said.err.find("Usage: fak "), std::string::npos);
}

TEST_F(SystemBaseline, VerifyJudgesTheSealAndNotTheVerdict) {  // T-73, E-27
  const Said invalid = run("-- false");
  const std::string file = program_.file("r.json", invalid.out);
  const Said said = program_.run("bench system-baseline --verify " + file);
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(said.out, "VALID " + valid_report(invalid.out).digest + "\n");
  std::string changed = invalid.out;
  changed.replace(changed.find("\"command_exit_code\": 1"), 22, "\"command_exit_code\": 0");
  const Said refused =
      program_.run("bench system-baseline --verify " + program_.file("c", changed));
  EXPECT_EQ(refused.code, 1);
  EXPECT_EQ(refused.out, "");
  EXPECT_TRUE(is_one_line_with(refused.err, "[A-04]|digest")) << refused.err;
}

TEST_F(SystemBaseline, VerifyRefusesWhatIsMissingEmptyCutOrTooLarge) {  // T-69
  const std::string whole = run("-- true").out;
  const auto refuse = [&](const std::string& file, std::string_view part) {
    const Said said = program_.run("bench system-baseline --verify " + file);
    EXPECT_EQ(said.code, 1) << part;
    EXPECT_EQ(said.out, "");
    EXPECT_TRUE(is_one_line_with(said.err, part)) << said.err;
  };
  refuse(path("none.json"), "none.json");
  refuse(program_.folder(), program_.folder());
  refuse(program_.file("empty", ""), "[A-01]");
  refuse(program_.file("cut", whole.substr(0, 300)), "[A-01]");
  refuse(program_.file("large", whole + std::string((1U << 20U) + 1 - whole.size(), ' ')),
         "[A-01]|1048576");
  const std::string fits =
      program_.file("fits", whole + std::string((1U << 20U) - whole.size(), ' '));
  EXPECT_EQ(program_.run("bench system-baseline --verify " + fits).code, 0);
}

TEST_F(SystemBaseline, StrictMakesTheOptInRuleAnError) {
  Attestation report = valid_report(run("-- true").out);
  report.attribution.sut_cpu_percent_of_host = {.unit = "percent"};
  report.attribution.non_sut_cpu_percent_of_host = {.unit = "percent", .reason = "too short"};
  report.verdict = "investigate";
  evidence::attestation::seal(report);
  const std::string file = program_.file("r.json", evidence::document_text(report));
  const Said lax = program_.run("bench system-baseline --verify " + file);
  EXPECT_EQ(lax.code, 0);
  EXPECT_EQ(lax.out, "VALID " + report.digest + "\n");
  EXPECT_TRUE(is_one_line_with(lax.err, "warning|[A-10]|sut_cpu_percent_of_host")) << lax.err;
  const Said strict = program_.run("bench system-baseline --strict --verify " + file);
  EXPECT_EQ(strict.code, 1);
  EXPECT_EQ(strict.out, "");
  EXPECT_TRUE(is_one_line_with(strict.err, "[A-10]")) << strict.err;
}

/// The binary and its flags, run by a shell that becomes it and silences it.
std::vector<std::string> silent(const std::vector<std::string>& arguments) {
  std::vector<std::string> command = {"sh",         "-c",    "exec \"$0\" \"$@\" >/dev/null 2>&1",
                                      CAIRN_BINARY, "bench", "system-baseline",
                                      "--interval", "10ms"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

/// The binary started beside the test, which may then signal it.
class Started {
 public:
  explicit Started(const std::vector<std::string>& arguments) {
    const std::vector<std::string> command = silent(arguments);
    auto child = ChildProcess::start(command, cli::process_environment());
    EXPECT_TRUE(child.ok()) << child.status().message();
    pid_ = child.ok() ? child->pid() : -1;
  }
  void signal(int signal) const { ::kill(pid_, signal); }
  /// Its exit code, 128 + N after a signal.
  int wait() const {
    int status = 0;
    if (::waitpid(pid_, &status, 0) != pid_) return -1;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }

 private:
  pid_t pid_ = -1;
};

bool appears(const std::string& path) {
  for (int i = 0; i < 1000 && !fs::exists(path); ++i) std::this_thread::sleep_for(milliseconds(10));
  return fs::exists(path);
}

TEST_F(SystemBaseline, SignalsArePassedOnAndTheReportIsStillWritten) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const std::string out = path("r.json");
    const std::string ready = path("ready");
    const Started started(
        {"--out", out, "--", "sh", "-c",
         "trap 'exit 5' INT TERM HUP; touch " + ready + "; while :; do sleep 0.02; done"});
    ASSERT_TRUE(appears(ready));
    started.signal(signal);
    EXPECT_EQ(started.wait(), 5) << signal;
    EXPECT_EQ(valid_report(text_of(out)).command_exit_code, 5);
    fs::remove(out);
    fs::remove(ready);
  }
}

TEST_F(SystemBaseline, AChildThatASignalEndedGivesItsNumber) {
  const std::string ready = path("ready");
  const Started started({"--baseline-duration", "20ms", "--out", path("r.json"), "--", "sh", "-c",
                         "touch " + ready + "; exec sleep 60"});
  ASSERT_TRUE(appears(ready));
  started.signal(SIGTERM);
  EXPECT_EQ(started.wait(), 143);
  EXPECT_EQ(valid_report(text_of(path("r.json"))).command_exit_code, 143);
}

TEST_F(SystemBaseline, ASignalInTheQuietWindowStartsNothingAndLeavesNothing) {
  const Started started(
      {"--baseline-duration", "60s", "--out", path("r.json"), "--", "touch", path("ran")});
  for (int i = 0; i < 500 && files().empty(); ++i) std::this_thread::sleep_for(milliseconds(10));
  std::this_thread::sleep_for(milliseconds(200));
  started.signal(SIGINT);
  EXPECT_EQ(started.wait(), 130);
  EXPECT_TRUE(files().empty()) << files().front();
}

TEST_F(SystemBaseline, AKillAtAnyMomentLeavesTheOldFileOrTheWholeNewOne) {
  std::mt19937 random(1);  // NOLINT(cert-msc51-cpp): the same moments every time
  int replaced = 0;
  for (int round = 0; round < 40; ++round) {
    const std::string out = program_.file("r.json", "old");
    const Started started({"--baseline-duration", "20ms", "--out", out, "--", "true"});
    std::this_thread::sleep_for(milliseconds(random() % 120));
    started.signal(SIGKILL);
    started.wait();
    const std::string text = text_of(out);
    if (text == "old") continue;
    ++replaced;
    valid_report(text);
  }
  RecordProperty("replaced", replaced);
}

}  // namespace
}  // namespace cairn::cli_test

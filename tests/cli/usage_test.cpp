// What a new user meets: help, misspelt words, wrong values, and the lines beside an answer.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/json.h"
#include "tests/cli/program.h"

namespace cairn::cli_test {
namespace {

namespace fs = std::filesystem;

class UsageTest : public testing::Test {
 protected:
  /// `arguments` are wrong usage: one line that holds `parts`, code 2, nothing else.
  void expect_usage(std::string_view arguments, std::string_view parts,
                    std::string_view before = "") {
    const Said said = program_.run(arguments, before);
    EXPECT_EQ(said.code, 2) << arguments << "\n" << said.err;
    EXPECT_TRUE(is_one_line_with(said.err, parts)) << arguments << "\n" << said.err;
    EXPECT_EQ(said.out, "") << arguments;
  }
  /// Standard error of a run of the model that works.
  std::string run_err(const std::string& arguments, std::string_view before = "") {
    const Said said = program_.run("run " + smollm2() + " " + arguments, before);
    EXPECT_EQ(said.code, 0) << arguments << said.err;
    return said.err;
  }
  /// Puts SmolLM2 into the store as "mymodel".
  void fill_store() const {
    fs::create_directories(program_.folder() + "/home/models");
    fs::create_symlink(smollm2(), program_.folder() + "/home/models/mymodel.gguf");
  }

  Program program_;
};

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST_F(UsageTest, ErrorsOfTheCommandLineSpeakAsTheOthersDo) {
  expect_usage("run m.gguf -p hi -n 0",
               "cairn: --max-tokens: found \"0\", expected a whole number, 1 to 1073741824 (cairn "
               "run --help shows its flags)\n");
  expect_usage("run m.gguf -p hi --seed ''", "cairn: --seed: found \"\"");
  expect_usage("run m.gguf -p hi --seed 1 --seed 2", "cairn: --seed: found 2 values, expected one");
  expect_usage("run m.gguf --prompt", "cairn: --prompt: found nothing behind it, expected a value");
  expect_usage("run m.gguf -p hi --ids 1", "--ids|--prompt|expected one of them");
  expect_usage("run", "cairn: found no MODEL, expected one (cairn run --help");
  expect_usage("run m.gguf -p hi more", "found 'more', expected no further argument");
  expect_usage("run m.gguf -p hi --temperture 1", "'--temperture'|did you mean '--temperature'?");
  expect_usage("rn", "found 'rn', expected a command; did you mean 'run'?");
  expect_usage("", "found no command, expected one of run, chat");
  expect_usage("completion powershell", "SHELL: found \"powershell\", expected one of bash, zsh");
  expect_usage("run m.gguf -p hi --threads 0", "cairn: --threads: found \"0\", expected a whole");
  expect_usage("run m.gguf -p hi", "cairn: CAIRN_NUMERICS: found \"x\"", "CAIRN_NUMERICS=x");
  program_.file("home/config", "thread = 1\n");
  expect_usage("run m.gguf -p hi", "home/config: no setting is called|did you mean 'threads'?");
}

TEST_F(UsageTest, UsageIsCheckedBeforeTheModelIsLookedFor) {
  expect_usage("run none.gguf --ids 1,,2", "--ids|1,,2");
  expect_usage("run none.gguf --ids a", "--ids|'a'");
  expect_usage("run none.gguf --ids ''", "--ids|found no id");
  expect_usage("run none.gguf -p hi -l 5", "--logit-bias|'5'");
  expect_usage("run none.gguf -p hi --stop ''", "--stop|empty");
  expect_usage("run " + smollm2() + " --raw -p ''", "empty text|start token");
}

TEST_F(UsageTest, WhatIsWrongWithThePromptIsCodeTwo) {
  const std::string run = "run " + smollm2();
  EXPECT_EQ(program_.run(run + " --ctx 4 --ids 1,2,3,4,5,6").code, 2);
  EXPECT_EQ(program_.run(run + " --raw -p ''").code, 2);
  const Said ids = program_.run(run + " --ids 1,999999");
  EXPECT_EQ(ids.code, 2);
  EXPECT_TRUE(has(ids.err, "id number 2 of 2 is 999999, the vocabulary has")) << ids.err;
  EXPECT_TRUE(has(program_.run("--help").out, "Exit codes: 0 done; 2 the command line"));
}

TEST_F(UsageTest, APromptForAChatTemplateIsUtf8AndARawOneAnyBytes) {
  const std::string run = "run " + smollm2() + " -n 1 ";
  const Said chat = program_.run(run + "-p $(printf 'caf\\351')");
  EXPECT_EQ(chat.code, 2);
  EXPECT_TRUE(has(chat.err, "cairn: the prompt is not UTF-8: byte 4 is E9\n")) << chat.err;
  EXPECT_EQ(program_.run(run + "--raw -p $(printf 'caf\\351')").code, 0);
  EXPECT_EQ(program_.run("tokenize " + smollm2() + " -p $(printf 'caf\\351')").code, 0);
}

TEST_F(UsageTest, HelpNamesTheWholeCommandAndGoesToStandardOutput) {
  const Said run = program_.run("run --help");
  EXPECT_TRUE(has(run.out, "Usage: cairn run [OPTIONS] MODEL\n")) << run.out;
  EXPECT_FALSE(has(run.out, "\n\n\n")) << run.out;
  EXPECT_EQ(program_.run("help run").out, run.out);
  EXPECT_EQ(program_.run("help").out, program_.run("--help").out);
  for (const std::string command :
       {"receipts --help", "receipts show --help", "receipts verify --help", "receipts diff --help",
        "help receipts"}) {
    const Said said = program_.run(command);
    EXPECT_EQ(said.code, 0) << command;
    EXPECT_TRUE(has(said.out, "usage: cairn receipts show FILE")) << command;
    EXPECT_EQ(said.err, "") << command;
  }
}

TEST_F(UsageTest, AWordInFrontOfCommandsListsThem) {
  for (const std::string command : {"bench --help", "bench -h", "help bench"}) {
    const Said said = program_.run(command);
    EXPECT_EQ(said.code, 0) << command;
    EXPECT_TRUE(has(said.out, "usage: cairn bench COMMAND\n  system-baseline ")) << said.out;
    EXPECT_EQ(said.err, "");
  }
  for (const std::string command : {"bench", "bench nope"}) {
    const Said said = program_.run(command);
    EXPECT_EQ(said.code, 2) << command;
    EXPECT_TRUE(has(said.err, "expected one of: system-baseline")) << said.err;
    EXPECT_EQ(said.out, "");
  }
}

TEST_F(UsageTest, AVariableThatNothingReadsIsNamed) {
  const Said said = program_.run("features", "CAIRN_TEMPERTURE=1 CAIRN_SEED=5");
  EXPECT_EQ(said.code, 0);
  EXPECT_TRUE(is_one_line_with(said.err, "warning: CAIRN_TEMPERTURE|'CAIRN_TEMPERATURE'?"))
      << said.err;
}

TEST_F(UsageTest, EveryCommandTakesANameOfTheStoreAndFindsTheOneThatWasMeant) {
  fill_store();
  EXPECT_EQ(program_.run("list --names").out, "mymodel\n");
  EXPECT_EQ(program_.run("inspect mymodel").code, 0);
  EXPECT_EQ(program_.run("tokenize mymodel -p hi").code, 0);
  for (const std::string command : {"inspect ", "tokenize -p hi ", "run -p hi ", "chat "}) {
    for (const std::string model : {"mymodel.gguf", "mymodle"}) {
      const Said said = program_.run(command + model);
      EXPECT_EQ(said.code, 1) << command << said.err;
      EXPECT_TRUE(is_one_line_with(said.err, "\"" + model + "\": no such file, and no model of " +
                                                 "this name is in |did you mean 'mymodel'?"))
          << said.err;
    }
  }
}

TEST_F(UsageTest, TheSamplingLineSaysWhatHasAnEffectAndWhatHasNone) {
  const std::string once = "--raw -p Once -n 1 ";
  EXPECT_TRUE(has(run_err(once), "cairn: sampling: greedy\n"));
  const std::string drawn = run_err(once + "--temperature 1.2 --top-k 5 --seed 7");
  EXPECT_TRUE(has(drawn, "cairn: sampling: temperature 1.2, top-k 5, seed 7\n")) << drawn;
  EXPECT_FALSE(has(drawn, "no effect")) << drawn;
  const std::string idle = run_err(once + "--seed 7 --top-p 0.5", "CAIRN_TOP_K=5");
  for (const std::string_view name : {"--seed", "--top-p", "CAIRN_TOP_K"}) {
    EXPECT_TRUE(has(idle, "cairn: " + std::string(name) + " has no effect at temperature 0\n"))
        << idle;
  }
  const std::string penalty = run_err(once + "--repetition-penalty 1.1 --repetition-window 8");
  EXPECT_TRUE(has(penalty, "greedy, repetition-penalty 1.1, repetition-window 8\n")) << penalty;
}

TEST_F(UsageTest, FiguresOfOneTokenLeaveOutWhatWasNotDone) {
  const std::string one = run_err("--ids 504 -n 1 --threads 1");
  EXPECT_TRUE(has(one, "| prompt 1 token, ")) << one;
  EXPECT_FALSE(has(one, "decode")) << one;
  EXPECT_TRUE(has(one, "| output hash ")) << one;
  EXPECT_TRUE(has(one, ", numerics exact, cache bf16, 1 thread)")) << one;
  EXPECT_TRUE(has(one, "(isa ")) << one;
  EXPECT_TRUE(has(run_err("--ids 504 -n 1 --ctx 64"), ", 1.47 MB of cache\n")) << "K18";
  EXPECT_TRUE(has(run_err("--ids 504 -n 2 --ignore-eos"), "| decode 1 token, "));
}

TEST_F(UsageTest, BytesWithoutATokenAreToldOfWhereTheyMatter) {
  EXPECT_FALSE(has(run_err("--raw -p Once -n 1"), "no token"));
  EXPECT_TRUE(has(run_err("--raw -p $(printf 'a\\004b') -n 1"),
                  "warning: no token stands for the byte 04 of the prompt"));
  const Said tokenized = program_.run("tokenize " + smollm2() + " -p $(printf 'a\\004\\006')");
  EXPECT_TRUE(is_one_line_with(tokenized.err, "the bytes 04 06 of the prompt")) << tokenized.err;
  EXPECT_EQ(program_.run("tokenize " + smollm2() + " -p a").err, "");
  EXPECT_TRUE(has(program_.run("inspect " + smollm2()).out, "no token stands for the bytes 04 06"));
  const Result<Json> object = parse_json(program_.run("inspect --json " + smollm2()).out);
  ASSERT_TRUE(object.ok());
  EXPECT_EQ((*object)["tokenizer"]["missing_bytes"][0], 4);
}

TEST_F(UsageTest, AClosedInputIsAReadErrorAndADeviceIsCalledOne) {
  const Said closed =
      program_.run("tokenize " + smollm2() + " -p - <&- 2>" + program_.folder() + "/stderr #");
  EXPECT_EQ(closed.code, 1);
  EXPECT_TRUE(is_one_line_with(closed.err, "standard input: ")) << closed.err;
  const Said device = program_.run("inspect /dev/null");
  EXPECT_EQ(device.code, 1);
  EXPECT_TRUE(is_one_line_with(device.err, "/dev/null: found a device, expected a regular file"));
}

TEST_F(UsageTest, TheChosenTokenHasALogprobAlsoOutsideTheLikeliest) {
  const Said said = program_.run("run " + smollm2() +
                                 " --raw -p Once -n 12 --temperature 1.8 --seed 1 --json "
                                 "--logprobs 1");
  const Result<Json> object = parse_json(said.out);
  ASSERT_TRUE(object.ok()) << said.err;
  ASSERT_EQ((*object)["logprobs"].size(), (*object)["ids"].size());
  bool outside = false;
  for (std::size_t i = 0; i < (*object)["ids"].size(); ++i) {
    const Json& likeliest = (*object)["top"][i][0];
    const bool same = likeliest["id"] == (*object)["ids"][i];
    const double chosen = (*object)["logprobs"][i].get<double>();
    EXPECT_EQ(chosen == likeliest["logprob"].get<double>(), same);
    EXPECT_LE(chosen, likeliest["logprob"].get<double>());
    outside = outside || !same;
  }
  EXPECT_TRUE(outside);
}

TEST_F(UsageTest, APullSaysAtOnceWhomItAsksAndWhatToDoWithoutANetwork) {
  const Said said = program_.run("pull org/model", "HF_ENDPOINT=http://u:p@127.0.0.1:1 timeout 20");
  EXPECT_EQ(said.code, 1);
  EXPECT_TRUE(said.err.starts_with("cairn: asking 127.0.0.1:1 ...\ncairn: ")) << said.err;
  EXPECT_TRUE(has(said.err, "(tried 2 times); is there a network? HF_ENDPOINT names another hub"))
      << said.err;
  expect_usage("pull nonsense", "nonsense");
}

}  // namespace
}  // namespace cairn::cli_test

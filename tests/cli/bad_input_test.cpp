// What goes wrong is one clear line on standard error and a non-zero exit.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <thread>

#include "base/file_descriptor.h"
#include "tests/cli/program.h"

namespace cairn::cli_test {
namespace {

class BadInput : public testing::Test {
 protected:
  /// `arguments` fail with `code` and one line that holds `parts`, and print nothing else.
  void expect_refused(std::string_view arguments, int code, std::string_view parts,
                      std::string_view before = "") {
    const Said said = program_.run(arguments, before);
    EXPECT_EQ(said.code, code) << arguments << "\n" << said.err;
    EXPECT_TRUE(is_one_line_with(said.err, parts)) << arguments << "\n" << said.err;
    EXPECT_EQ(said.out, "") << arguments;
  }

  std::string with_model(std::string_view arguments) const {
    return "run " + smollm2() + " -p hello -n 8 " + std::string(arguments);
  }

  Program program_;
};

TEST_F(BadInput, AFileThatIsMissingEmptyCutOrNoModelIsNamed) {
  const std::string folder = program_.folder();
  expect_refused("run " + folder + "/none.gguf -p hi", 1, "none.gguf");
  expect_refused("run " + program_.file("empty.gguf", "") + " -p hi", 1, "empty.gguf");
  expect_refused("run " + program_.file("text.gguf", "no model, just text\n") + " -p hi", 1,
                 "text.gguf");
  for (const std::size_t size : {4, 20, 1000, 1000000, 50000000}) {
    expect_refused("run " + program_.file("cut.gguf", head_of(smollm2(), size)) + " -p hi", 1,
                   "cut.gguf");
  }
  expect_refused("run " + folder + " -p hi", 1, folder);
  expect_refused("inspect " + program_.file("cut.gguf", head_of(smollm2(), 1000)), 1, "cut.gguf");
  expect_refused("tokenize " + program_.file("cut.gguf", head_of(smollm2(), 1000)) + " -p hi", 1,
                 "cut.gguf");
}

TEST_F(BadInput, AnUnknownFlagCommandOrValueIsNamed) {
  expect_refused("run m.gguf --no-such-flag", 2, "--no-such-flag");
  expect_refused("no-such-command", 2, "no-such-command");
  expect_refused("", 2, "command");
  expect_refused("run m.gguf -p hi -n 0", 2, "0");
  expect_refused("run m.gguf -p hi -n many", 2, "many");
  expect_refused("run m.gguf -p hi --threads 0", 2, "threads|0|1 to 1024");
  expect_refused("run m.gguf -p hi --temperature -1", 2, "temperature|-1");
  expect_refused("run m.gguf -p hi --top-p 1.5", 2, "top-p|1.5");
  expect_refused("run m.gguf -p hi --numerics precise", 2, "numerics|precise|exact");
  expect_refused("run m.gguf -p hi --seed 18446744073709551616", 2, "seed|18446744073709551616");
  expect_refused("run m.gguf", 2, "-p|--ids");
  expect_refused("completion powershell", 2, "powershell");
}

TEST_F(BadInput, DraftModelsAndAdaptersAreRefusedByName) {  // D01, D03, G02, G30
  expect_refused("run m.gguf -p hi --draft-model d.gguf", 2, "--draft-model");
  expect_refused("run m.gguf -p hi --lora a.gguf", 2, "--lora");
}

TEST_F(BadInput, AVariableOrConfigLineIsNamedWithItsSource) {
  expect_refused(with_model(""), 2, "CAIRN_TEMPERATURE|warm", "CAIRN_TEMPERATURE=warm");
  program_.file("home/config", "top-k = 3\nno-such-setting = 1\n");
  expect_refused(with_model(""), 2, "config|no-such-setting");
}

TEST_F(BadInput, ADeviceTierOrClassThatIsNotHereIsRefusedNotReplaced) {
  expect_refused(with_model("--device cuda"), 1, "cuda");
  expect_refused(with_model("--device vulkan"), 1, "vulkan");
  expect_refused(with_model("--isa neon"), 1, "neon");
  expect_refused(with_model("--numerics fast"), 1, "fast");
}

TEST_F(BadInput, IdsAndBiasesOutsideTheVocabularyAreRefused) {  // P01, P02
  const std::string run = "run " + smollm2() + " -n 1 ";
  const auto refuse = [&](const std::string& arguments, std::string_view part) {
    const Said said = program_.run(run + arguments);
    EXPECT_EQ(said.code, 2) << arguments << said.err;
    EXPECT_NE(said.err.find(part), std::string::npos) << arguments << said.err;
  };
  refuse("--ids 1,99999999", "99999999");
  refuse("--ids 1,,2", "1,,2");
  refuse("--ids 1,-2", "-2");
  refuse("-p hi -l 99999999=5", "99999999");
  refuse("-p hi -l 42", "42");
  refuse("-p hi -l abc=1", "abc=1");
  refuse("-p hi -l 42=1e9", "42");
}

TEST_F(BadInput, APromptLongerThanTheContextSaysBothNumbers) {
  const Said said = program_.run("run " + smollm2() + " --ctx 4 --ids 1,2,3,4,5,6,7,8,9");
  EXPECT_EQ(said.code, 2);
  EXPECT_NE(said.err.find('9'), std::string::npos) << said.err;
  EXPECT_NE(said.err.find('4'), std::string::npos) << said.err;
  EXPECT_EQ(said.out, "");
}

TEST_F(BadInput, AModelTooBigForMemoryIsRefusedBeforeItIsTaken) {
  const Said said = program_.run(with_model("--ctx 900000000"));
  EXPECT_EQ(said.code, 1);
  EXPECT_TRUE(is_one_line_with(said.err, "needs|available|these settings fit")) << said.err;
}

TEST_F(BadInput, AFullDiskOrAClosedPipeIsAnErrorThatSaysSo) {
  const Said full = program_.run(with_model(""), "", "", "/dev/full");
  EXPECT_EQ(full.code, 1);
  EXPECT_NE(full.err.find("standard output: No space left"), std::string::npos) << full.err;

  const std::string pipe = program_.folder() + "/pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::jthread reader([&] { std::ifstream(pipe).get(); });  // opens, takes a byte or none, leaves
  const Said closed = program_.run(with_model("--ignore-eos"), "", "", pipe);
  EXPECT_EQ(closed.code, 1);
  EXPECT_NE(closed.err.find("standard output: Broken pipe"), std::string::npos) << closed.err;
}

TEST_F(BadInput, CtrlCEndsARunWithItsOwnExitCode) {
  const Said said = program_.run("run " + smollm2() + " -p hello --ignore-eos",
                                 "timeout --preserve-status -s INT 3");
  EXPECT_EQ(said.code, 130) << said.err;
}

TEST_F(BadInput, APipeInPlaceOfAModelIsNotWaitedFor) {
  const std::string pipe = program_.folder() + "/pipe.gguf";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string command : {"run ", "inspect ", "tokenize ", "chat "}) {
    const bool prompt = command == "run " || command == "tokenize ";
    expect_refused(command + pipe + (prompt ? " -p hi" : ""), 1, "pipe.gguf|regular file",
                   "timeout 20");
  }
}

TEST_F(BadInput, NamesWithLineBreaksOrTerminalCodesStayOneHarmlessLine) {
  expect_refused("run '" + program_.folder() + "/a\n\x1b[31mb.gguf' -p hi", 1, "a\\x0A\\x1B[31mb");
  expect_refused("'\x1b[31m'", 2, "\\x1B[31m");
}

TEST_F(BadInput, CtrlCEndsALongPromptBetweenItsSteps) {
  std::string ids = "1";
  for (int i = 0; i < 8000; ++i) ids += ",2000";
  const Said said =
      program_.run("run " + smollm2() + " --numerics reference --step-rows 8 --ids " + ids,
                   "timeout --preserve-status -k 30 -s INT 5");
  EXPECT_EQ(said.code, 130) << said.err;
  EXPECT_EQ(said.err.find("tokens/s"), std::string::npos) << "it went on to the end: " << said.err;
}

TEST_F(BadInput, CtrlCEndsACommandThatDoesNotWatchForIt) {
  const std::string pipe = program_.folder() + "/input";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const FileDescriptor held(::open(pipe.c_str(), O_RDWR | O_CLOEXEC));  // nothing ever comes
  ASSERT_TRUE(held.valid());
  const Said said = program_.run("tokenize " + smollm2() + " -p - <" + pipe + " #",
                                 "timeout --preserve-status -k 20 -s INT 2");
  EXPECT_EQ(said.code, 130) << said.err;
}

TEST_F(BadInput, AnOfflinePullSaysSo) {
  expect_refused("pull org/model", 1, "offline", "HF_HUB_OFFLINE=1");
  expect_refused("pull ../escape", 2, "../escape", "HF_HUB_OFFLINE=1");
}

}  // namespace
}  // namespace cairn::cli_test

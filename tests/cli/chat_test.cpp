// cairn chat in a terminal: what can be typed at the prompt, and Ctrl-C there.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/cli/program.h"
#include "tests/cli/pty.h"

namespace cairn::cli_test {
namespace {

constexpr std::string_view kCtrlC = "\x03";

class ChatTest : public testing::Test {
 protected:
  /// What a conversation of `lines` says on standard error.
  Said talk(std::string_view lines, std::string_view flags = "") {
    return program_.run("chat " + smollm2() + " " + std::string(flags), "", lines);
  }

  Program program_;
};

TEST_F(ChatTest, CtrlCAtThePromptIsNeverLostAndKeepsTheTalk) {
  Pty chat({"chat", smollm2(), "-n", "4"}, program_.folder());
  ASSERT_TRUE(chat.shows("drops the line that is being typed")) << chat.rest();
  for (int i = 0; i < 50; ++i) {
    ASSERT_TRUE(chat.shows("> ")) << i << chat.rest();
    chat.type(kCtrlC);  // at once: nothing may be between the prompt and the wait
  }
  ASSERT_TRUE(chat.shows("> "));
  chat.type("/nonsens");
  ASSERT_TRUE(chat.shows("/nonsens"));
  chat.type(kCtrlC);
  ASSERT_TRUE(chat.shows("> "));
  chat.type("/exit\n");
  EXPECT_EQ(chat.wait(), 0) << chat.rest();
  EXPECT_EQ(chat.rest().find("unknown command"), std::string::npos) << "the line was dropped";
}

TEST_F(ChatTest, CtrlCStopsTheAnswerAndNotTheTalk) {
  Pty chat({"chat", smollm2(), "--ignore-eos"}, program_.folder());
  ASSERT_TRUE(chat.shows("> ")) << chat.rest();
  chat.type("Count to one hundred.\n");
  ASSERT_TRUE(chat.shows("\r\n"));              // the echo
  ASSERT_TRUE(chat.shows(" ")) << chat.rest();  // the answer goes on
  chat.type(kCtrlC);
  ASSERT_TRUE(chat.shows("> ")) << chat.rest();
  chat.type("\x04");  // Ctrl-D
  EXPECT_EQ(chat.wait(), 0);
}

TEST_F(ChatTest, WhatIsNoCommandIsRefusedAndBlankLinesAreNotSent) {
  const Said said =
      talk("/hlp\n/clear now\n\n   \n/help\n/clear\n /tmp is a folder\n/exit\n", "-n 2");
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_NE(said.err.find("unknown command '/hlp'; /clear, /help, /exit\n"), std::string::npos);
  EXPECT_NE(said.err.find("unknown command '/clear now'"), std::string::npos);
  EXPECT_NE(said.err.find("start the conversation over"), std::string::npos) << said.err;
  EXPECT_EQ(std::count(said.out.begin(), said.out.end(), '\n'), 1) << "one line was sent";
}

TEST_F(ChatTest, WhatCutAnAnswerIsNamedWithWhatHelps) {
  const std::string line = "Tell me a long story.\n";
  EXPECT_NE(talk(line, "-n 2 --ignore-eos").err.find("-n 2 ended this answer"), std::string::npos);
  const std::string full = talk(line + line, "--ctx 48 --ignore-eos").err;
  EXPECT_NE(full.find("the context of 48 tokens is full; /clear"), std::string::npos) << full;
  EXPECT_NE(full.find("the context holds 48; /clear starts over"), std::string::npos) << full;
}

TEST_F(ChatTest, ALineThatIsNotUtf8IsNotSentAndSaysWhere) {
  const Said said = talk("caf\xE9\n/exit\n");
  EXPECT_EQ(said.code, 0);
  EXPECT_NE(said.err.find("cairn: the line is not UTF-8: byte 4 is E9\n"), std::string::npos)
      << said.err;
  EXPECT_EQ(said.out, "");
}

TEST_F(ChatTest, ALineOfMoreThan64MiBIsRefusedByItsSize) {
  const Said said = talk(std::string((std::size_t{64} << 20) + 1, 'a'));
  EXPECT_EQ(said.code, 1);
  EXPECT_NE(said.err.find("found a line of more than 67108864 bytes"), std::string::npos)
      << said.err.substr(0, 1000);
}

}  // namespace
}  // namespace cairn::cli_test

// cairn batch on a real model: every request once, also when the program is killed.
#include <fcntl.h>
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/file_descriptor.h"
#include "base/json.h"
#include "base/random.h"
#include "server/batch/batch_file.h"
#include "tests/cli/program.h"

namespace cairn::cli_test {
namespace {

using testing::HasSubstr;

std::string chat_line(const std::string& id, const std::string& text, const Json& more = {}) {
  Json body = {{"model", "smol"},
               {"messages", Json::array({{{"role", "user"}, {"content", text}}})},
               {"temperature", 0},
               {"max_tokens", 8}};
  if (more.is_object()) body.update(more);
  return Json{
             {"custom_id", id}, {"method", "POST"}, {"url", "/v1/chat/completions"}, {"body", body}}
             .dump() +
         "\n";
}

std::string completion_line(const std::string& id, const Json& prompt) {
  return Json{{"custom_id", id},
              {"method", "POST"},
              {"url", "/v1/completions"},
              {"body", {{"prompt", prompt}, {"temperature", 0}, {"max_tokens", 8}}}}
             .dump() +
         "\n";
}

class BatchTest : public testing::Test {
 protected:
  /// Runs `cairn batch` over `lines`, results in out.jsonl.
  Said batch(const std::string& lines, const std::string& more = "",
             const std::string& before = "") {
    const std::string path = program_.file("in.jsonl", lines);
    return program_.run(fmt::format("batch {} --model {} --served-model-name smol -o {} --ctx 256 "
                                    "--max-num-seqs 3 {}",
                                    path, smollm2(), out(), more),
                        before);
  }
  std::string out() const { return program_.folder() + "/out.jsonl"; }

  /// The results by custom_id; every line is one, and none stands twice.
  std::map<std::string, Json> results() const {
    std::map<std::string, Json> by_id;
    const std::string text = read_file(out(), 1 << 24).value();
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at);
      EXPECT_NE(end, std::string::npos) << "an unfinished line";
      if (end == std::string::npos) break;
      const Result<Json> line = parse_json(text.substr(at, end - at));
      EXPECT_TRUE(line.ok()) << text.substr(at, end - at);
      if (line.ok()) {
        const std::string id = (*line)["custom_id"].get<std::string>();
        EXPECT_TRUE(by_id.emplace(id, (*line)["response"]).second) << id << " stands twice";
      }
      at = end + 1;
    }
    return by_id;
  }

  Program program_;
};

TEST_F(BatchTest, EveryRequestHasOneResultOfItsOwnKind) {
  const Said said = batch(
      chat_line("a", "What is 2 + 2?") + completion_line("b", "The capital of France is") + "\n" +
          chat_line("c", "Hi", {{"max_tokens", -1}}) + chat_line("d", "Hi", {{"stream", true}}) +
          chat_line("e", "Hi", {{"model", "other"}}) + chat_line("f", "Say hi", {{"n", 2}}),
      "--json");
  ASSERT_EQ(said.code, 0) << said.err;
  const Json summary = parse_json(said.out).value();
  EXPECT_EQ(summary["requests"], 6);
  EXPECT_EQ(summary["completed"], 3);
  EXPECT_EQ(summary["failed"], 3);
  EXPECT_GT(summary["completion_tokens"].get<int>(), 20);
  const auto by_id = results();
  ASSERT_EQ(by_id.size(), 6U);
  EXPECT_EQ(by_id.at("a")["status_code"], 200);
  EXPECT_EQ(by_id.at("a")["body"]["object"], "chat.completion");
  EXPECT_EQ(by_id.at("b")["body"]["object"], "text_completion");
  EXPECT_THAT(by_id.at("b")["body"]["choices"][0]["text"].get<std::string>(), HasSubstr("Paris"));
  EXPECT_EQ(by_id.at("c")["status_code"], 400);
  EXPECT_EQ(by_id.at("c")["body"]["error"]["param"], "max_tokens");
  EXPECT_EQ(by_id.at("d")["status_code"], 400);
  EXPECT_EQ(by_id.at("d")["body"]["error"]["param"], "stream");
  EXPECT_EQ(by_id.at("e")["status_code"], 404);
  EXPECT_EQ(by_id.at("f")["body"]["choices"].size(), 2U);
}

TEST_F(BatchTest, TheModelOfTheFirstRequestIsTakenWhereNoneIsGiven) {
  const std::string lines = chat_line("a", "Hi", {{"model", smollm2()}});
  const std::string path = program_.file("in.jsonl", lines);
  const Said said = program_.run("batch " + path + " --ctx 64");
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(read_file(path + ".results.jsonl", 1 << 20).value(), HasSubstr("chat.completion"));
  const std::string bare = program_.file("bare.jsonl", completion_line("a", "x"));
  const Said none = program_.run("batch " + bare);
  EXPECT_EQ(none.code, 2);
  EXPECT_TRUE(is_one_line_with(none.err, "line 1|no model|--model")) << none.err;
}

TEST_F(BatchTest, BadLinesAreNamedByNumberBeforeAnythingRuns) {
  const Said said = batch(chat_line("a", "Hi") + "not json\n" + "{\"custom_id\":\"x\"}\n" + "[]\n" +
                          chat_line("a", "again") + chat_line("b", "fine"));
  EXPECT_EQ(said.code, 2);
  EXPECT_TRUE(is_one_line_with(said.err,
                               "4 lines are no requests|line 2: |line 3: \"method\" is "
                               "missing|line 4: |line 5: custom_id \"a\" stands in line "
                               "1 too"))
      << said.err;
  EXPECT_FALSE(std::filesystem::exists(out()));
  const Said url = batch("{\"custom_id\":\"x\",\"method\":\"POST\",\"url\":\"/v2\",\"body\":{}}\n");
  EXPECT_TRUE(is_one_line_with(url.err, "1 line is|line 1: url is \"/v2\"")) << url.err;
  EXPECT_TRUE(is_one_line_with(batch("\n \n").err, "found no request")) << "empty";
}

TEST_F(BatchTest, AFileThatHoldsSomethingElseIsLeftAlone) {
  for (const std::string text : {"my notes\n", "my notes", "{\"id\":1}\n"}) {
    program_.file("out.jsonl", text);
    const Said said = batch(chat_line("a", "Hi"));
    EXPECT_EQ(said.code, 1) << text;
    EXPECT_TRUE(is_one_line_with(said.err, "out.jsonl: line 1 is no result")) << said.err;
    EXPECT_EQ(read_file(out(), 100).value(), text);
  }
}

TEST_F(BatchTest, ResultsOfOtherRequestsAreNotTakenForThese) {
  ASSERT_EQ(batch(chat_line("a", "Hi")).code, 0);
  const Said said = batch(chat_line("a", "Something else"));
  EXPECT_EQ(said.code, 2);
  EXPECT_TRUE(is_one_line_with(said.err, "line 1|\"a\"|another request")) << said.err;
}

TEST_F(BatchTest, TwoProgramsDoNotWriteOneFile) {
  program_.file("out.jsonl", "");
  const FileDescriptor held(::open(out().c_str(), O_RDWR | O_CLOEXEC));
  ASSERT_EQ(::flock(held.get(), LOCK_EX), 0);
  const Said said = batch(chat_line("a", "Hi"));
  EXPECT_EQ(said.code, 1);
  EXPECT_TRUE(is_one_line_with(said.err, "another process")) << said.err;
}

TEST_F(BatchTest, KilledAtAnyMomentItGoesOnWithNothingLostOrRepeated) {
  std::string lines;
  for (int i = 0; i < 30; ++i) {
    const std::string text = fmt::format("Write {} words about the number {}.", 3 + i, i);
    lines += i % 3 == 0 ? completion_line(fmt::format("r{}", i), text)
                        : chat_line(fmt::format("r{}", i), text);
  }
  ASSERT_EQ(batch(lines).code, 0);
  const auto expected = results();
  ASSERT_EQ(expected.size(), 30U);

  std::filesystem::remove(out());
  std::size_t kills = 0;
  Said last;
  for (std::uint64_t round = 0; round < 200; ++round) {
    const double seconds = 0.25 + 0.5 * random_unit(7, 0, round);
    last = batch(lines, "--json", fmt::format("timeout -s KILL {:.3f}", seconds));
    if (last.code == 0) break;
    ++kills;
    // What a kill inside a write would leave: the beginning of a line.
    if (round % 3 == 0 && std::filesystem::exists(out())) {
      const std::string text = read_file(out(), 1 << 24).value();
      if (text.ends_with('\n')) program_.file("out.jsonl", text + R"({"id":"batch_req_0123)");
    }
  }
  EXPECT_EQ(last.code, 0) << last.err;
  EXPECT_GT(kills, 0U);
  const auto got = results();
  ASSERT_EQ(got.size(), expected.size());
  for (const auto& [id, response] : expected) {
    ASSERT_TRUE(got.contains(id)) << id << " was lost";
    EXPECT_EQ(got.at(id)["body"]["choices"], response["body"]["choices"]) << id;
  }
}

TEST_F(BatchTest, ASecondRunHasNothingToDo) {
  const std::string lines = chat_line("a", "Hi") + chat_line("b", "Ho");
  ASSERT_EQ(batch(lines).code, 0);
  const std::string before = read_file(out(), 1 << 20).value();
  const Said said = batch(lines, "--json");
  EXPECT_EQ(parse_json(said.out).value()["done_before"], 2);
  EXPECT_EQ(read_file(out(), 1 << 20).value(), before);
}

TEST(BatchLineTest, SaysWhatIsMissing) {
  const auto message = [](const char* text) {
    return server::parse_batch_line(text).status().message();
  };
  EXPECT_THAT(message("{}"), HasSubstr("\"custom_id\" is missing"));
  EXPECT_THAT(message(R"({"custom_id":1})"), HasSubstr("\"custom_id\" is no text"));
  EXPECT_THAT(message(R"({"custom_id":"","method":"POST"})"), HasSubstr("has 0 bytes"));
  EXPECT_THAT(message(R"({"custom_id":"a","method":"GET","url":"/v1/completions","body":{}})"),
              HasSubstr("expected POST"));
  EXPECT_THAT(message(R"({"custom_id":"a","method":"POST","url":"/v1/completions","body":[]})"),
              HasSubstr("\"body\" is no object"));
}

}  // namespace
}  // namespace cairn::cli_test

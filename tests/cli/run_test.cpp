// cairn run on a real model: what its JSON says, and that the answer does not depend on threads.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>

#include "base/json.h"
#include "kernels/tiers.h"
#include "tests/cli/program.h"

namespace cairn::cli_test {
namespace {

class RunTest : public testing::Test {
 protected:
  Json run_json(const std::string& arguments, std::string_view input = "") {
    const Said said = program_.run("run " + smollm2() + " --json " + arguments, "", input);
    EXPECT_EQ(said.code, 0) << said.err;
    const Result<Json> object = parse_json(said.out);
    EXPECT_TRUE(object.ok()) << said.out;
    return object.ok() ? *object : Json();
  }

  Program program_;
};

TEST_F(RunTest, JsonHasTheIdsTheTextAndTheFigures) {
  const Json object = run_json("-p 'What is 2 + 2?' -n 12 --logprobs 3");
  ASSERT_TRUE(object.is_object());
  EXPECT_GT(object["prompt_ids"].size(), 5U);
  EXPECT_LE(object["ids"].size(), 12U);
  EXPECT_NE(object["text"].get<std::string>().find('4'), std::string::npos) << object["text"];
  EXPECT_EQ(object["top"].size(), object["ids"].size());
  for (std::size_t i = 0; i < object["ids"].size(); ++i) {  // greedy: the likeliest is the one
    EXPECT_EQ(object["top"][i].size(), 3U);
    EXPECT_EQ(object["top"][i][0]["id"], object["ids"][i]);
    EXPECT_LE(object["top"][i][0]["logprob"].get<double>(), 0.0);
  }
  const Json& figures = object["figures"];
  EXPECT_EQ(figures["prompt_tokens"], object["prompt_ids"].size());
  EXPECT_EQ(figures["decode_tokens"], object["ids"].size() - 1);
  for (const char* name : {"load_s", "prompt_s", "decode_s", "peak_rss_bytes", "bytes_per_token"}) {
    EXPECT_GT(figures[name].get<double>(), 0.0) << name;
  }
  EXPECT_EQ(figures["output_hash"].get<std::string>().size(), 64U);
  const Json& load = figures["load"];
  EXPECT_EQ(load["mapped_bytes"], std::filesystem::file_size(smollm2()));
  // Rows of all its weights are multiples of 16, so packing adds nothing. Norms are copied as they
  // are, and 32 frequencies are computed.
  EXPECT_EQ(load["packed_bytes"], 96'436'224);
  EXPECT_EQ(load["copied_bytes"], 140'544 + 4 * 32);
  // All of the weights but the pages that two tensors share.
  EXPECT_GT(load["released_bytes"].get<double>(), 0.95 * 96'436'224);
  EXPECT_EQ(figures["numerics"], "exact");
}

// X10: weights that were rearranged for fast kernels kept the mapped originals in memory too.
TEST_F(RunTest, X10RearrangedWeightsDoNotKeepTheOriginalsAndTheLogSaysWhatTheyCost) {
  const double file = static_cast<double>(std::filesystem::file_size(smollm2()));
  const Json figures = run_json("--raw -p 'The sky' -n 2 --ctx 64")["figures"];
  EXPECT_LT(figures["peak_rss_bytes"].get<double>(), 1.1 * file + 24.0 * (1 << 20));
  const Said said = program_.run("run " + smollm2() + " --raw -p 'The sky' -n 1 --ctx 64");
  EXPECT_NE(said.err.find("(mapped 98.4 MB, packed 96.4 MB, copied 141 kB, released 9"),
            std::string::npos)
      << said.err;
}

TEST_F(RunTest, PackedWeightsThatAreKeptAreMappedVerifiedAndIgnoredWhenDamaged) {
  const std::string prompt = "--raw -p 'The sky' -n 4 --ctx 64";
  const Json plain = run_json(prompt);
  const Json first = run_json(prompt + " --packed-cache on");
  const Json second = run_json(prompt + " --packed-cache on");
  EXPECT_EQ(first["figures"]["load"], plain["figures"]["load"]);
  EXPECT_EQ(second["figures"]["load"]["packed_bytes"], 0);
  EXPECT_GT(second["figures"]["load"]["mapped_bytes"], first["figures"]["load"]["mapped_bytes"]);
  EXPECT_EQ(first["ids"], plain["ids"]);
  EXPECT_EQ(second["ids"], plain["ids"]);

  const Said verified = program_.run("inspect --verify --json " + smollm2());
  ASSERT_EQ(verified.code, 0) << verified.err;
  const std::string path = parse_json(verified.out).value()["path"];
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 1);
  EXPECT_NE(program_.run("inspect --verify " + smollm2()).code, 0);
  const Said ignored = program_.run("run " + smollm2() + " --packed-cache on " + prompt);
  EXPECT_NE(ignored.err.find("warning: packed weights are not used: " + path), std::string::npos)
      << ignored.err;
}

TEST_F(RunTest, PagesOfTheCacheAreFoundByTheNextProgram) {
  std::string text = "--raw -n 8 --ctx 256 -p '";
  for (int i = 1; i < 60; ++i) text += std::to_string(i) + ", ";
  text += "'";
  const std::string folder = program_.folder() + "/pages";
  const Json plain = run_json(text);
  const Json first = run_json(text + " --prefix-cache-dir " + folder);
  EXPECT_EQ(first["figures"]["cached_tokens"], 0);
  const Json second = run_json(text + " --prefix-cache-dir " + folder);
  const auto prompt = second["figures"]["prompt_tokens"].get<std::size_t>();
  EXPECT_EQ(second["figures"]["cached_tokens"], (prompt - 1) / 32 * 32);
  EXPECT_EQ(first["ids"], plain["ids"]);
  EXPECT_EQ(second["ids"], plain["ids"]);
  const Json other = run_json(text + " --kv-cache-dtype int8 --prefix-cache-dir " + folder);
  EXPECT_EQ(other["figures"]["cached_tokens"], 0) << "pages of another type";

  for (const auto& page : std::filesystem::directory_iterator(folder)) {
    std::filesystem::resize_file(page.path(), 1000);
  }
  const Said damaged =
      program_.run("run " + smollm2() + " " + text + " --prefix-cache-dir " + folder);
  EXPECT_EQ(damaged.code, 0);
  EXPECT_NE(damaged.err.find("warning: a page of the cache is not used: " + folder),
            std::string::npos)
      << damaged.err;
}

TEST_F(RunTest, StoringAllLogitsChangesNoId) {
  const std::string prompt = "-p 'Name three colours.' -n 24";
  EXPECT_EQ(run_json(prompt + " --store-logits always")["ids"],
            run_json(prompt + " --store-logits needed")["ids"]);
}

TEST_F(RunTest, EveryTierThatRunsHereGivesTheSameIdsAndItsName) {
  const Json best = run_json("--raw -p 'The city' -n 8");
  for (const kernels::Tier& tier : kernels::tiers()) {
    if (!tier.usable()) continue;
    const std::string name(tier.name);
    const Json forced = run_json("--raw -p 'The city' -n 8 --isa " + name);
    EXPECT_EQ(forced["figures"]["isa"], name);
    EXPECT_EQ(forced["ids"], best["ids"]) << name;
  }
}

TEST_F(RunTest, TheAnswerIsTheSameForAnyThreadsAndStepsAndFromStandardInput) {
  const std::string prompt = "-p 'Name three colours.' -n 16";
  const Json once = run_json(prompt + " --threads 1");
  EXPECT_EQ(run_json(prompt + " --threads 2")["ids"], once["ids"]);
  EXPECT_EQ(run_json(prompt + " --step-rows 7")["ids"], once["ids"]);
  EXPECT_EQ(run_json("-p - -n 16", "Name three colours.")["ids"], once["ids"]);
}

TEST_F(RunTest, GuessingByLookupGivesTheSameAnswerAndItsFiguresAndNoneWhenOff) {
  for (const std::string& how : {std::string(""), std::string(" --temperature 1 --seed 4")}) {
    const std::string prompt = "--raw -p 'one two three one two three one two three one two' -n 40";
    const Json plain = run_json(prompt + how);
    const Json guessed = run_json(prompt + how + " --speculate lookup --lookup-tokens 6");
    EXPECT_EQ(guessed["ids"], plain["ids"]) << how;
    EXPECT_FALSE(plain["figures"].contains("speculation"));
    const Json& figures = guessed["figures"]["speculation"];
    if (how.empty()) {
      EXPECT_GT(figures["drafts"].get<int>(), 0) << "greedy, it goes on counting";
    }
    EXPECT_GE(figures["drafted_tokens"].get<int>(), figures["accepted_tokens"].get<int>());
    int accepted = 0;
    for (const Json& at : figures["accepted_per_position"]) accepted += at.get<int>();
    EXPECT_EQ(accepted, figures["accepted_tokens"].get<int>());
    EXPECT_EQ(guessed["figures"]["near_ties"], plain["figures"]["near_ties"]);
  }
}

TEST_F(RunTest, GuessesThatWereRightReadNoWeightsOfTheirOwn) {
  const Said said = program_.run("run " + smollm2() +
                                 " --raw -p 'one two three one two three one two three one two' "
                                 "-n 40 --speculate lookup --lookup-tokens 6");
  double speed = 0;
  double read = 0;
  int drafted = 0;
  int right = 0;
  const std::size_t decode = said.err.find("| decode 39 tokens");
  ASSERT_NE(decode, std::string::npos) << said.err;
  ASSERT_EQ(std::sscanf(said.err.c_str() + decode,
                        "| decode 39 tokens, %lf tokens/s, %lf GB/s | guessed %d tokens, right %d",
                        &speed, &read, &drafted, &right),
            4)
      << said.err;
  EXPECT_GT(right, 0);
  EXPECT_NEAR(read, speed * (39 - right) / 39 * 0.096577, 0.02 * read) << "a token reads 96.577 MB";
}

TEST_F(RunTest, ASelfCheckSaysThatTheAnswerAloneIsTheSame) {
  const Said said = program_.run("run " + smollm2() + " --raw -p 'The city' -n 8 --self-check 1");
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_NE(said.err.find("self-check: 1 answer computed again alone, 0 different"),
            std::string::npos)
      << said.err;
}

TEST_F(RunTest, SeedsRepeatAndDiffer) {  // P06
  const std::string prompt = "--raw -p 'Once' -n 12 --temperature 1.5 --seed ";
  const Json first = run_json(prompt + "42");
  EXPECT_EQ(run_json(prompt + "42")["ids"], first["ids"]);
  EXPECT_NE(run_json(prompt + "43")["ids"], first["ids"]);
}

TEST_F(RunTest, ABannedTokenNeverAppears) {  // P02
  const Json free = run_json("--raw -p 'The sky is' -n 1");
  const std::string id = std::to_string(free["ids"][0].get<int>());
  EXPECT_NE(run_json("--raw -p 'The sky is' -n 1 -l " + id + "-inf")["ids"], free["ids"]);
  EXPECT_NE(run_json("--raw -p 'The sky is' -n 1 -l " + id + "-100")["ids"], free["ids"]);
}

TEST_F(RunTest, RawIdsAndStopsAreTakenAsTheyStand) {
  const Json ids = run_json("--ids 504,6330,314 -n 2");
  EXPECT_EQ(ids["prompt_ids"], Json({504, 6330, 314}));
  const Json stopped = run_json("--raw -p '1 2 3 4 5 6' -n 20 --stop 8 --ignore-eos");
  EXPECT_EQ(stopped["text"].get<std::string>().find('8'), std::string::npos);
  const Json cut = run_json("--raw -p 'Once upon a time' -n 3");
  EXPECT_EQ(cut["finish_reason"], "length");
}

TEST_F(RunTest, TextGoesToStandardOutputAndFiguresToStandardErrorWithoutBars) {
  const Said said = program_.run("run " + smollm2() + " --raw -p 'Once upon a time' -n 4");
  EXPECT_EQ(said.code, 0);
  EXPECT_FALSE(said.out.empty());
  EXPECT_NE(said.err.find("tokens/s"), std::string::npos) << said.err;
  EXPECT_NE(said.err.find("GB/s"), std::string::npos) << said.err;
  EXPECT_NE(said.err.find("greedy"), std::string::npos) << said.err;
  EXPECT_EQ(said.err.find('\r'), std::string::npos);
}

TEST_F(RunTest, AChatKeepsItsHistoryAndEndsWithItsInput) {
  const Said said = program_.run("chat " + smollm2() + " -n 8", "", "Hello\nAnd you?\n/exit\n");
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_FALSE(said.out.empty());
}

}  // namespace
}  // namespace cairn::cli_test

// cairn bench throughput, and what context and memory settings do to a run of the program.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/json.h"
#include "cli/throughput.h"
#include "tests/cli/program.h"

namespace cairn::cli_test {
namespace {

using testing::HasSubstr;

TEST(ThroughputTest, TheMedianIsTheMiddleOrTheMeanOfTheTwoInIt) {
  EXPECT_EQ(cli::median_of({3}), 3);
  EXPECT_EQ(cli::median_of({5, 1, 3}), 3);
  EXPECT_EQ(cli::median_of({4, 1, 2, 9}), 3);
}

TEST(ThroughputTest, RatesAreTokensOverTheirOwnTime) {
  const cli::ThroughputSample sample{
      .total_s = 4,
      .first_tokens_s = 1,
      .prompt_tokens = 100,
      .generated_tokens = 60,
      .later_tokens = 45,
      .steps = {.forward_s = 3, .sampling_s = 0.5, .scheduler_s = 0.25}};
  EXPECT_DOUBLE_EQ(sample.tokens_per_s(), 40);
  EXPECT_DOUBLE_EQ(sample.generated_tokens_per_s(), 15);
  EXPECT_DOUBLE_EQ(sample.decode_tokens_per_s(), 15);
  EXPECT_NEAR(sample.scheduler_share(), 0.25 / 3.75, 1e-12);
  EXPECT_NEAR(sample.sampling_share(), 0.5 / 3.75, 1e-12);
  EXPECT_EQ(cli::ThroughputSample().tokens_per_s(), 0);
}

TEST(ThroughputTest, EveryRoundHasItsFiguresAndTheMedianIsAmongThem) {
  Program program;
  const Said said =
      program.run("bench throughput " + smollm2() +
                  " --parallel 1,3 --prompt-tokens 16 --generate 8 --rounds 2 --json");
  ASSERT_EQ(said.code, 0) << said.err;
  const Json object = parse_json(said.out).value();
  EXPECT_EQ(object["context"], 24);
  EXPECT_EQ(object["pages"], 3) << "a page for each of three";
  ASSERT_EQ(object["results"].size(), 2U);
  for (const Json& result : object["results"]) {
    for (const char* name : {"tokens_per_s", "generated_tokens_per_s", "decode_tokens_per_s"}) {
      const Json& figure = result[name];
      EXPECT_EQ(figure["rounds"].size(), 2U) << name;
      EXPECT_GT(figure["least"].get<double>(), 0) << name;
      EXPECT_LE(figure["least"].get<double>(), figure["median"].get<double>()) << name;
      EXPECT_LE(figure["median"].get<double>(), figure["most"].get<double>()) << name;
    }
    const double shares = result["scheduler_share"]["median"].get<double>() +
                          result["sampling_share"]["median"].get<double>();
    EXPECT_GT(shares, 0);
    EXPECT_LT(shares, 0.9);
  }
}

TEST(ThroughputTest, WrongUsageIsNamed) {
  Program program;
  for (const std::string bad : {"--parallel 0", "--parallel x", "--rounds 0", "--nonsense 1",
                                "--parallel 4 --max-num-seqs 2"}) {
    const Said said = program.run("bench throughput " + smollm2() + " " + bad);
    EXPECT_EQ(said.code, 2) << bad;
    EXPECT_THAT(said.err, HasSubstr("bench throughput: ")) << bad;
    EXPECT_EQ(said.out, "") << bad;
  }
  EXPECT_EQ(program.run("bench throughput /none.gguf").code, 1);
}

TEST(ContextFullProgramTest, AShiftGoesPastTheContextAndSaysSo) {
  Program program;
  const std::string run = "run " + smollm2() +
                          " --raw -p 'Once upon a time' --ctx 64 -n 120 "
                          "--ignore-eos --json ";
  const Json shifted =
      parse_json(program.run(run + "--on-context-full shift --n-keep 4").out).value();
  EXPECT_EQ(shifted["ids"].size(), 120U);
  EXPECT_EQ(shifted["finish_reason"], "length");
  EXPECT_EQ(shifted["figures"]["dropped_tokens"].get<int>() % 32, 0);
  EXPECT_GE(shifted["figures"]["dropped_tokens"].get<int>(), 64);
  const Json stopped = parse_json(program.run(run).out).value();
  EXPECT_LT(stopped["ids"].size(), 65U);
  EXPECT_EQ(stopped["figures"]["dropped_tokens"], 0);
  const Said refused = program.run(run + "--on-context-full refuse");
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("up to 120 are to be generated, the context holds 64"));
}

}  // namespace
}  // namespace cairn::cli_test

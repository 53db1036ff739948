// The plan beside the kernel's own count, for runs that fill the whole context.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "base/json.h"
#include "tests/cli/program.h"
#include "tests/memory/models.h"

namespace cairn::cli_test {
namespace {

constexpr double kMiB = 1 << 20;

/// `count` ids with commas between.
std::string ids_text(std::size_t count, std::size_t vocabulary) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : ",", 3 + i * 7 % (vocabulary - 3));
  }
  return text;
}

class MemoryContractTest : public testing::Test {
 protected:
  /// What a run says of its memory once `positions` are filled.
  Json filled(const std::string& model, std::size_t positions, std::size_t vocabulary) {
    const Said said = program_.run(
        fmt::format("run {} --ids {} --ctx {} -n 8 --ignore-eos --json --memory-report --threads 2",
                    model, ids_text(positions - 7, vocabulary), positions));
    EXPECT_EQ(said.code, 0) << said.err;
    const Result<Json> object = parse_json(said.out);
    EXPECT_TRUE(object.ok() && object->contains("memory")) << said.out;
    return object.ok() ? (*object)["memory"] : Json();
  }

  static std::uint64_t actual(const Json& memory, const std::string& kind) {
    for (const Json& row : memory["kinds"]) {
      if (row["kind"] == kind) return row["actual_bytes"].get<std::uint64_t>();
    }
    ADD_FAILURE() << "no kind " << kind;
    return 0;
  }

  static void expect_kept(const Json& memory, const std::string& what) {
    ASSERT_TRUE(memory.is_object()) << what;
    const auto planned = memory["planned_peak_bytes"].get<double>();
    const auto peak = memory["peak_bytes"].get<double>();
    EXPECT_LE(std::abs(planned - peak), std::max(8 * kMiB, 0.03 * peak))
        << what << ": planned " << planned / kMiB << " MiB, peak " << peak / kMiB << " MiB\n"
        << memory.dump(1);
  }

  Program program_;
};

std::vector<tests::SyntheticModel> synthetic_models() {
  const ElementType types[] = {ElementType::kF32, ElementType::kF16, ElementType::kQ8_0};
  std::vector<tests::SyntheticModel> models;
  for (std::size_t i = 0; i < 30; ++i) {
    tests::SyntheticModel model{.gemma = i % 3 == 2, .type = types[i % 3 == 2 ? 0 : i % 2 + 1]};
    const std::size_t tokens = 300 + i % 5 * 4000;
    model.shape = {.layers = 1 + i % 4,
                   .width = 64 * (1 + i % 6),
                   .hidden = 128 * (1 + i % 7),
                   .heads = 4 * (1 + i % 3),
                   .kv_heads = std::size_t{4} >> i % 3,
                   .head_dim = std::size_t{32} << i % 3,
                   .tokens = tokens,
                   .embedding_rows = tokens};
    model.context = std::size_t{256} << i % 4;
    models.push_back(model);
  }
  // One kind of memory large at a time: weights, cache, scratch, logits and vocabulary.
  models[1].shape.hidden = 8192;
  models[4].shape = {
      .layers = 8, .kv_heads = 4, .head_dim = 128, .tokens = 300, .embedding_rows = 300};
  models[4].context = 2048;
  models[7].shape.hidden = 16384;
  models[10].shape.tokens = models[10].shape.embedding_rows = 60'000;
  return models;
}

TEST_F(MemoryContractTest, ThirtySyntheticModelsTakeWhatWasPlanned) {
  const std::string path = program_.folder() + "/model.gguf";
  std::size_t number = 0;
  for (const tests::SyntheticModel& model : synthetic_models()) {
    tests::write_model(model, path);
    expect_kept(filled(path, model.context, model.shape.tokens), fmt::format("model {}", number++));
  }
}

TEST_F(MemoryContractTest, SmolLM2StaysNearItsFileAndItsCache) {
  const Json memory = filled(smollm2(), 2048, 40'000);
  expect_kept(memory, "SmolLM2");
  const auto file = static_cast<double>(std::filesystem::file_size(smollm2()));
  const auto cache = static_cast<double>(actual(memory, "cache"));
  EXPECT_EQ(actual(memory, "cache"), 2048U * 30 * 2 * 3 * 64 * 2);
  EXPECT_LE(memory["resident_bytes"].get<double>(), 1.10 * file + cache + 24 * kMiB)
      << memory.dump(1);
}

TEST_F(MemoryContractTest, Gemma3TakesWhatWasPlanned) {
  const std::string path = CAIRN_TEST_DATA_DIR "/gemma-3-270m-q4_k_m.gguf";
  expect_kept(filled(path, 2048, 200'000), "Gemma 3");
}

TEST_F(MemoryContractTest, ThePlanOfACommandIsThePlanItThenKeeps) {
  const Said plan = program_.run("plan " + smollm2() + " --for run --ctx 512 --json");
  ASSERT_EQ(plan.code, 0) << plan.err;
  const Result<Json> object = parse_json(plan.out);
  ASSERT_TRUE(object.ok()) << plan.out;
  const Json memory = filled(smollm2(), 512, 40'000);
  const auto planned = (*object)["peak_bytes"].get<double>();
  EXPECT_LE(std::abs(planned - memory["planned_peak_bytes"].get<double>()), 4 * kMiB);
  EXPECT_EQ((*object)["pages"], 16);
  EXPECT_EQ((*object)["groups"][0]["request_pages"], 16);
}

TEST_F(MemoryContractTest, BytesForTheCacheGiveExactlyTheirPages) {
  const std::uint64_t page = std::uint64_t{32} * 30 * 2 * 3 * 64 * 2;
  for (const std::uint64_t bytes : {3 * page, 4 * page - 1, 4 * page}) {
    const Said said =
        program_.run(fmt::format("plan {} --kv-cache-memory {} --ctx 64 --json", smollm2(), bytes));
    ASSERT_EQ(said.code, 0) << said.err;
    EXPECT_EQ((*parse_json(said.out))["pages"], bytes / page);
  }
  const Said said = program_.run(
      fmt::format("plan {} --kv-cache-memory {} --num-blocks 7 --json", smollm2(), page));
  EXPECT_EQ((*parse_json(said.out))["pages"], 7) << said.err;
}

TEST_F(MemoryContractTest, WhatCannotFitIsRefusedBeforeAnythingIsLoaded) {
  const Said said = program_.run("run " + smollm2() + " -p hi --ctx 1000000000");
  EXPECT_EQ(said.code, 1);
  EXPECT_NE(said.err.find("these settings fit: --ctx "), std::string::npos) << said.err;
  const Said pages = program_.run("run " + smollm2() + " -p hi --ctx 100 --num-blocks 2");
  EXPECT_EQ(pages.code, 2);
  EXPECT_TRUE(is_one_line_with(pages.err, "--num-blocks 2|--num-blocks 4|--ctx 64")) << pages.err;
}

TEST_F(MemoryContractTest, ThePlanNamesEveryKindAndWhatFits) {
  const Said said = program_.run("plan " + smollm2());
  ASSERT_EQ(said.code, 0) << said.err;
  for (const char* kind : {"program", "tokenizer", "weights", "cache", "scratch", "logits",
                           "requests", "server", "total", "Available", "Largest", "Requests"}) {
    EXPECT_NE(said.out.find(std::string("\n") + kind + " "), std::string::npos) << kind;
  }
}

}  // namespace
}  // namespace cairn::cli_test

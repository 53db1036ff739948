// Long runs and linear time with every pre-tokenizer and model kind.
#include "tokenizer/pre_tokenizer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizer/byte_alphabet.h"
#include "tokenizer/test_vocabulary.h"

namespace cairn::tokenizer {
namespace {

using testing::HasSubstr;
using testing_support::error_of;
using testing_support::make;
using testing_support::metadata_of;
using testing_support::open_test_data;
using testing_support::Token;

constexpr const char* kPreTokenizers[] = {
    "default",      "gpt-2",          "llama3",      "jais-2",     "minicpm5",   "qwen2",
    "qwen35",       "ufakzeka",       "laguna",      "seed-coder", "bailingmoe", "exaone-moe",
    "deepseek-llm", "deepseek-coder", "deepseek-v3", "spark2_5",   "youtu",      "falcon",
    "starcoder",    "bloom",          "viking",      "tekken",     "gpt-4o",     "tiny_aya",
    "superbpe",     "kimi-k2",        "afmoe",       "chameleon",  "gemma4",     "sarvam-moe"};

std::string repeat(std::string_view text, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += text;
  return out;
}

/// A byte-level vocabulary of the 256 bytes and a few merges that chain.
formats::Metadata byte_level(const std::string& pre) {
  std::vector<Token> tokens;
  for (unsigned byte = 0; byte < 256; ++byte) {
    tokens.push_back({.text = to_byte_alphabet(std::string(1, static_cast<char>(byte)))});
  }
  std::vector<std::string> merges;
  for (const std::string unit : {"a", "Ġ", "1", "å", "Z"}) {
    for (std::string half = unit; half.size() < 16 * unit.size(); half += half) {
      merges.push_back(half);
      merges.back().append(" ").append(half);
      tokens.push_back({.text = half + half});
    }
  }
  formats::Metadata metadata = metadata_of("gpt2", tokens);
  metadata.set("tokenizer.ggml.merges", formats::array_of(merges));
  metadata.set("tokenizer.ggml.pre", pre);
  return metadata;
}

// T15, T16, T17: long runs, with every pre-tokenizer, on a thread's ordinary stack.
TEST(PreTokenizerTest, LongRunsEncodeWithEveryPreTokenizer) {
  for (const char* pre : kPreTokenizers) {
    const auto tokenizer = make(byte_level(pre));
    ASSERT_NE(tokenizer, nullptr) << pre;
    for (const char* unit : {"a", "字", ".", " ", "Z", "1", "'s ", " a", "́"}) {
      const std::string text = repeat(unit, 40000);
      std::string joined;
      for (const TokenId id : tokenizer->encode(text, {})) joined += tokenizer->bytes(id);
      if (std::string_view(pre) == "gemma4" || std::string_view(pre) == "sarvam-moe") continue;
      ASSERT_EQ(joined, text) << pre << " " << unit;
    }
    tokenizer->encode("x" + repeat("\n", 20000) + "y", {});
    tokenizer->encode(repeat("Z", 131072), {});
  }
}

std::string prose(std::size_t bytes) {
  std::string text;
  while (text.size() < bytes) {
    text +=
        "The quick brown fox's tail, it's said, doesn't END; 1914 words later... (maybe)\n\n  x ";
  }
  text.resize(bytes);
  return text;
}

std::uint64_t steps_of(const Tokenizer& tokenizer, const std::string& text) {
  std::uint64_t steps = 0;
  tokenizer.encode(text, {.special = Special::kParse, .steps = &steps});
  return steps;
}

void expect_linear(const Tokenizer& tokenizer, const std::string& name, std::size_t small) {
  for (const std::string_view unit : {"a", " ", "字", "1"}) {
    if (small > (1U << 16) && unit != "a" && unit != "1") continue;  // the long ones: fewer
    const std::size_t count = small / unit.size();
    const std::uint64_t one = steps_of(tokenizer, repeat(unit, count));
    EXPECT_LE(static_cast<double>(steps_of(tokenizer, repeat(unit, 2 * count))),
              2.2 * static_cast<double>(one))
        << name << ": " << unit;
    EXPECT_GT(one, small / 4) << name;  // steps are counted at all
  }
  EXPECT_LE(static_cast<double>(steps_of(tokenizer, prose(2 * small))),
            2.2 * static_cast<double>(steps_of(tokenizer, prose(small))))
      << name;
}

TEST(PreTokenizerTest, TwoMegabytesTakeTwiceTheStepsOfOne) {
  for (const char* model : {testing_support::kSmolLm2, testing_support::kGemma3}) {
    const auto tokenizer = open_test_data(model, {.step_counting = StepCounting::kOn});
    ASSERT_NE(tokenizer, nullptr);
    expect_linear(*tokenizer, model, 1 << 20);
  }
}

TEST(PreTokenizerTest, EveryPreTokenizerAndModelKindIsLinear) {
  for (const char* pre : kPreTokenizers) {
    const auto tokenizer = make(byte_level(pre), {.step_counting = StepCounting::kOn});
    ASSERT_NE(tokenizer, nullptr);
    expect_linear(*tokenizer, pre, 1 << 14);
  }
  for (const char* name : {"gemma-4", "llama-spm", "bert-bge", "nomic-bert-moe"}) {
    const auto tokenizer =
        open_test_data(std::string("llama.cpp/models/ggml-vocab-") + name + ".gguf",
                       {.step_counting = StepCounting::kOn});
    ASSERT_NE(tokenizer, nullptr);
    expect_linear(*tokenizer, name, 1 << 14);
  }
}

TEST(PreTokenizerTest, RefusesAnUnknownPreTokenizerByName) {
  auto metadata = byte_level("nobodys-splitter");
  EXPECT_THAT(error_of(metadata), HasSubstr("nobodys-splitter"));
  EXPECT_EQ(Tokenizer::create(metadata).status().code(), StatusCode::kUnsupported);
}

TEST(PreTokenizerTest, RefusesAnUnknownModelKindByName) {
  EXPECT_THAT(error_of(metadata_of("rwkv", {{.text = "a"}})), HasSubstr("rwkv"));
}

}  // namespace
}  // namespace cairn::tokenizer

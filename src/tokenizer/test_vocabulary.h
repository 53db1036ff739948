// Small vocabularies for this room's tests.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "formats/metadata.h"
#include "formats/model_file.h"
#include "tokenizer/tokenizer.h"

namespace cairn::tokenizer::testing_support {

/// A token of a small vocabulary.
struct Token {
  std::string text;
  std::int32_t type = 1;
  float score = 0.0F;
};

/// The keys of a vocabulary of kind `model`.
inline formats::Metadata metadata_of(const std::string& model, const std::vector<Token>& tokens) {
  std::vector<std::string> texts;
  std::vector<std::int32_t> types;
  std::vector<float> scores;
  for (const Token& token : tokens) {
    texts.push_back(token.text);
    types.push_back(token.type);
    scores.push_back(token.score);
  }
  formats::Metadata metadata;
  metadata.set("tokenizer.ggml.model", model);
  metadata.set("tokenizer.ggml.tokens", formats::array_of(texts));
  metadata.set("tokenizer.ggml.token_type", formats::array_of(types));
  metadata.set("tokenizer.ggml.scores", formats::array_of(scores));
  return metadata;
}

/// All 256 byte tokens, "<0x00>" first.
inline std::vector<Token> byte_tokens() {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::vector<Token> tokens;
  for (std::size_t byte = 0; byte < 256; ++byte) {
    tokens.push_back(
        {.text = std::string("<0x") + kDigits[byte / 16] + kDigits[byte % 16] + ">", .type = 6});
  }
  return tokens;
}

/// Both lists, one after the other.
inline std::vector<Token> operator+(std::vector<Token> left, const std::vector<Token>& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

/// A tokenizer of `metadata`; a test failure when it is refused.
inline std::unique_ptr<Tokenizer> make(const formats::Metadata& metadata,
                                       const TokenizerOptions& options = {}) {
  auto tokenizer = Tokenizer::create(metadata, options);
  EXPECT_TRUE(tokenizer.ok()) << tokenizer.status().message();
  return tokenizer.ok() ? std::move(tokenizer).value() : nullptr;
}

/// The error of creating a tokenizer, or "" when there is none.
inline std::string error_of(const formats::Metadata& metadata) {
  return Tokenizer::create(metadata).status().message();
}

/// The tokenizer of a file below the test data.
inline std::unique_ptr<Tokenizer> open_test_data(const std::string& name,
                                                 const TokenizerOptions& options = {}) {
  const auto file = formats::open_model(std::string(CAIRN_TEST_DATA_DIR "/") + name);
  EXPECT_TRUE(file.ok()) << "test data is missing; run: tests/data/fetch\n"
                         << file.status().message();
  return file.ok() ? make(file->metadata(), options) : nullptr;
}

constexpr const char* kSmolLm2 = "SmolLM2-135M-Instruct.Q4_1.gguf";
constexpr const char* kGemma3 = "gemma-3-270m-q4_k_m.gguf";
constexpr const char* kLlamaSpm = "llama.cpp/models/ggml-vocab-llama-spm.gguf";

}  // namespace cairn::tokenizer::testing_support

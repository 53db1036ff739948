// The vocabularies and vectors of llama.cpp's source package, which nobody here wrote.
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "base/file.h"
#include "tokenizer/test_vocabulary.h"

namespace cairn::tokenizer {
namespace {

using testing_support::open_test_data;

constexpr std::string_view kModels = "llama.cpp/models/ggml-vocab-";

std::vector<std::string> split(const std::string& text, const std::string& separator) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = text.find(separator, begin)) != std::string::npos;
       begin = end + separator.size()) {
    parts.push_back(text.substr(begin, end - begin));
  }
  if (begin < text.size()) parts.push_back(text.substr(begin));
  return parts;
}

std::vector<TokenId> numbers(const std::string& line) {
  std::istringstream in(line);
  std::vector<TokenId> ids;
  for (TokenId id = 0; in >> id;) ids.push_back(id);
  return ids;
}

class VocabularyVectors : public testing::TestWithParam<const char*> {};

TEST_P(VocabularyVectors, AreEqual) {
  const std::string path = std::string(kModels) + GetParam() + ".gguf";
  const auto tokenizer = open_test_data(path);
  ASSERT_NE(tokenizer, nullptr);
  const auto in = read_file(CAIRN_TEST_DATA_DIR "/" + path + ".inp", 1 << 20);
  const auto out = read_file(CAIRN_TEST_DATA_DIR "/" + path + ".out", 1 << 20);
  ASSERT_TRUE(in.ok() && out.ok()) << "test data is missing; run: tests/data/fetch";
  const auto texts = split(*in, "\n__ggml_vocab_test__\n");
  const auto lines = split(*out, "\n");
  ASSERT_EQ(texts.size(), lines.size());
  ASSERT_GT(texts.size(), 40U);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    EXPECT_EQ(tokenizer->encode(texts[i], {}), numbers(lines[i])) << "text: " << texts[i];
  }
}

INSTANTIATE_TEST_SUITE_P(All, VocabularyVectors,
                         testing::Values("bert-bge", "command-r", "deepseek-coder", "deepseek-llm",
                                         "falcon", "gemma-4", "gpt-2", "llama-bpe", "llama-spm",
                                         "mpt", "phi-3", "qwen2", "qwen35", "refact", "starcoder"));

class VocabularyWithoutVectors : public testing::TestWithParam<const char*> {};

TEST_P(VocabularyWithoutVectors, LoadsAndComesBackFromIds) {
  const auto tokenizer = open_test_data(std::string(kModels) + GetParam() + ".gguf");
  ASSERT_NE(tokenizer, nullptr);
  const std::string text = "Hello, world 123";
  EXPECT_EQ(tokenizer->decode(tokenizer->encode(text, {})), text);
}

INSTANTIATE_TEST_SUITE_P(All, VocabularyWithoutVectors,
                         testing::Values("aquila", "baichuan", "gpt-neox", "nomic-bert-moe"));

}  // namespace
}  // namespace cairn::tokenizer

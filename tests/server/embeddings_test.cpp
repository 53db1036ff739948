// /v1/embeddings with a real model behind it.
#include <openssl/evp.h>

#include <bit>
#include <cmath>

#include "tests/server/api_fixture.h"

namespace cairn::server {
namespace {

constexpr char kEmbeddings[] = "/v1/embeddings";

/// The floats that base64 text holds, low byte first.
std::vector<float> decoded(const std::string& text) {
  std::vector<unsigned char> bytes(text.size() / 4 * 3);
  EVP_DecodeBlock(bytes.data(), reinterpret_cast<const unsigned char*>(text.data()),
                  static_cast<int>(text.size()));
  std::vector<float> floats;
  for (std::size_t at = 0; at + 4 <= bytes.size(); at += 4) {
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 4; ++i) bits |= std::uint32_t{bytes[at + i]} << (8 * i);
    floats.push_back(std::bit_cast<float>(bits));
  }
  return floats;
}

double cosine(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  }
  return sum;
}

TEST_F(ApiTest, ATextBecomesAVectorOfLengthOneInEitherEncoding) {
  const Json reply = ask(kEmbeddings, {{"input", "The sky is blue"}, {"model", "smol"}});
  EXPECT_EQ(reply["object"], "list");
  EXPECT_EQ(reply["data"][0]["object"], "embedding");
  EXPECT_EQ(reply["data"][0]["index"], 0);
  const std::vector<float> vector = reply["data"][0]["embedding"];
  ASSERT_EQ(vector.size(), running_->model->facts().width);
  EXPECT_NEAR(cosine(vector, vector), 1, 1e-6);
  EXPECT_EQ(reply["usage"]["prompt_tokens"], reply["usage"]["total_tokens"]);

  const Json packed =
      ask(kEmbeddings, {{"input", "The sky is blue"}, {"encoding_format", "base64"}});
  EXPECT_EQ(decoded(packed["data"][0]["embedding"]), vector) << "bit for bit";
}

TEST_F(ApiTest, AVectorIsTheModelsOwnAsThePoolingSays) {
  const auto own = running_->model->embed(
      {.prompt = runtime::TextPrompt{"The sky is blue"}, .pooling = runtime::Pooling::kLast});
  std::vector<float> expected = (*own)->wait().value();
  runtime::normalize(expected);
  const Json reply = ask(kEmbeddings, {{"input", "The sky is blue"}});
  EXPECT_EQ(reply["data"][0]["embedding"].get<std::vector<float>>(), expected);
}

TEST_F(ApiTest, InputsKeepTheirOrderAndTheirVectorsInAnyCompany) {
  const Json texts = {"One", "The second is longer than the first one", "Three"};
  const Json reply = ask(kEmbeddings, {{"input", texts}});
  ASSERT_EQ(reply["data"].size(), 3U);
  std::uint64_t tokens = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const Json alone = ask(kEmbeddings, {{"input", texts[i]}});
    EXPECT_EQ(reply["data"][i]["index"], i);
    EXPECT_EQ(reply["data"][i]["embedding"], alone["data"][0]["embedding"]);
    tokens += alone["usage"]["prompt_tokens"].get<std::uint64_t>();
  }
  EXPECT_EQ(reply["usage"]["prompt_tokens"], tokens);
}

TEST_F(ApiTest, IdsAreTheTextTheyStandFor) {
  const Json ids = ask("/tokenize", {{"prompt", "The sky is blue"}})["tokens"];
  const Json of_text = ask(kEmbeddings, {{"input", "The sky is blue"}})["data"];
  EXPECT_EQ(ask(kEmbeddings, {{"input", ids}})["data"], of_text);
  EXPECT_EQ(ask(kEmbeddings, {{"input", Json::array({ids})}})["data"], of_text);
}

TEST_F(ApiTest, WhatATextSaysIsNeverAControlToken) {
  const Json marker = ask("/tokenize", {{"content", "<|im_start|>"}})["tokens"];
  EXPECT_NE(ask(kEmbeddings, {{"input", "<|im_start|>"}})["data"],
            ask(kEmbeddings, {{"input", marker}})["data"]);
}

TEST_F(ApiTest, AnInputThatIsEmptyOrTooLongIsRefusedByItsName) {  // A49, A50
  const auto param = [](const Json& input) {
    const Received received = post(kEmbeddings, {{"input", input}});
    EXPECT_EQ(received.status, 400) << received.body;
    return parse_json(received.body).value()["error"]["param"];
  };
  EXPECT_EQ(param(""), "input");
  EXPECT_EQ(param(Json::array()), "input");
  EXPECT_EQ(param({"a", ""}), "input[1]");
  EXPECT_EQ(param(std::vector<int>(513, 5)), "input");
  EXPECT_EQ(param(Json::array({Json::array({5}), std::vector<int>(513, 5)})), "input[1]");
  EXPECT_EQ(param(std::string(5000, 'x')), "input");
  EXPECT_EQ(param(Json::array({99'999'999})), "input");
  const Received longest = post(kEmbeddings, {{"input", std::vector<int>(512, 5)}});
  EXPECT_EQ(longest.status, 200) << longest.body;
}

TEST_F(ApiTest, OnlyTheModelsOwnNumberOfDimensionsPasses) {
  const Json width = running_->model->facts().width;
  EXPECT_EQ(post(kEmbeddings, {{"input", "a"}, {"dimensions", width}}).status, 200);
  const Received refused = post(kEmbeddings, {{"input", "a"}, {"dimensions", 8}});
  EXPECT_EQ(refused.status, 400);
  EXPECT_THAT(refused.body, testing::AllOf(HasSubstr("8 was found"), HasSubstr("have 576")));
  EXPECT_EQ(post(kEmbeddings, {{"input", "a"}, {"encoding_format", "hex"}}).status, 400);
}

}  // namespace
}  // namespace cairn::server

// Folders that are no model: each is refused, naming what was found and what is expected.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "base/file.h"
#include "base/json.h"
#include "formats/model_file.h"
#include "models/decoder_spec.h"
#include "tokenizer/tokenizer.h"

namespace cairn::tests {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

/// A copy of a good folder that a test spoils.
class BadFolderTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "cairn_huggingface_" +
              testing::UnitTest::GetInstance()->current_test_info()->name();
    reset();
  }
  void TearDown() override { fs::remove_all(folder_); }

  void reset() const {
    fs::remove_all(folder_);
    fs::copy(CAIRN_SOURCE_DIR "/tests/huggingface/llama", folder_);
  }
  std::string path(const char* name) const { return folder_ + "/" + name; }
  void write(const char* name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
  }
  void change(const char* name, const std::function<void(Json&)>& edit) const {
    Json json = parse_json(*read_file(path(name), 1U << 20)).value();
    edit(json);
    write(name, json.dump());
  }
  /// How the folder is refused with `edit` done to its config.json.
  std::string with_config(const std::function<void(Json&)>& edit) const {
    reset();
    change("config.json", edit);
    return refusal();
  }
  std::string with_tokenizer(const std::function<void(Json&)>& edit) const {
    reset();
    change("tokenizer.json", edit);
    return refusal();
  }
  /// Opens the folder and reads its spec and its tokenizer: what happens before memory is taken.
  std::string refusal() const {
    const auto file = formats::open_model(folder_);
    if (!file.ok()) return file.status().message();
    const auto tokenizer = tokenizer::Tokenizer::create(file->metadata());
    if (!tokenizer.ok()) return tokenizer.status().message();
    return models::read_spec(*file).status().message();
  }

  std::string folder_;
};

TEST_F(BadFolderTest, TheCopyItselfIsGood) { EXPECT_EQ(refusal(), ""); }

TEST_F(BadFolderTest, AFamilyThatIsNotKnownIsRefusedWithTheNearest) {
  const auto name = [](const char* text) {
    return [=](Json& config) { config["architectures"] = Json::array({text}); };
  };
  EXPECT_THAT(
      with_config(name("LlamaForTokens")),
      AllOf(HasSubstr("\"LlamaForTokens\""), HasSubstr("nearest it runs is LlamaForCausalLM")));
  EXPECT_THAT(with_config([](Json& config) { config.erase("architectures"); }),
              HasSubstr("\"architectures\" is missing"));
}

TEST_F(BadFolderTest, AKeyThatMayChangeTheResultIsNotPassedOver) {
  EXPECT_THAT(with_config([](Json& config) { config["attention_sinks"] = 4; }),
              AllOf(HasSubstr("\"attention_sinks\""), HasSubstr("not understood")));
  EXPECT_THAT(with_config([](Json& config) { config["layer_types"] = {"sliding_attention"}; }),
              HasSubstr("\"layer_types\""));
  EXPECT_THAT(with_config([](Json& config) { config["rope_theta"] = 5; }),
              AllOf(HasSubstr("\"rope_theta\" is 5"), HasSubstr("500000.0")));
  EXPECT_THAT(with_config([](Json& config) { config["hidden_act"] = "relu"; }),
              AllOf(HasSubstr("\"hidden_act\" is \"relu\""), HasSubstr("\"silu\" is expected")));
  EXPECT_THAT(with_config([](Json& config) { config["rope_parameters"]["rope_type"] = "dynamic"; }),
              HasSubstr("rope_type is \"dynamic\""));
  EXPECT_THAT(with_config([](Json& config) { config["rope_parameters"]["truncate"] = 1; }),
              HasSubstr("\"truncate\" is not understood"));
}

TEST_F(BadFolderTest, AValueOfAnotherKindIsNamed) {
  EXPECT_THAT(with_config([](Json& config) { config["hidden_size"] = "64"; }),
              AllOf(HasSubstr("config.json"), HasSubstr("\"hidden_size\" is \"64\"")));
  EXPECT_THAT(with_config([](Json& config) { config["num_attention_heads"] = -4; }),
              HasSubstr("a whole number of 0 or more"));
  EXPECT_THAT(with_config([](Json& config) { config["num_hidden_layers"] = 4294967296; }),
              HasSubstr("a number of 32 bits"));
  EXPECT_THAT(with_config([](Json& config) { config["rms_norm_eps"] = 1e300; }),
              HasSubstr("in the range of 32 bits"));
  EXPECT_THAT(with_config([](Json& config) { config.erase("hidden_size"); }),
              HasSubstr("\"hidden_size\" is missing"));
}

TEST_F(BadFolderTest, AConfigThatContradictsTheTensorsIsRefused) {
  EXPECT_THAT(with_config([](Json& config) { config["num_hidden_layers"] = 3; }),
              HasSubstr("tensor \"blk.2."));
  EXPECT_THAT(with_config([](Json& config) { config["num_hidden_layers"] = 1; }),
              HasSubstr("does not use"));
  EXPECT_THAT(with_config([](Json& config) { config["intermediate_size"] = 128; }),
              AllOf(HasSubstr("[64, 96]"), HasSubstr("[64, 128]")));
  EXPECT_THAT(with_config([](Json& config) { config["num_attention_heads"] = 3; }),
              AllOf(HasSubstr("q_proj.weight"), HasSubstr("multiple of 2 * 3")));
  EXPECT_THAT(with_config([](Json& config) { config["num_attention_heads"] = 0; }),
              HasSubstr("multiple of 2 * 0"));
}

TEST_F(BadFolderTest, AHeadThatIsMissingIsNotReplacedByTheEmbedding) {
  fs::remove_all(folder_);
  fs::copy(CAIRN_SOURCE_DIR "/tests/huggingface/smollm2", folder_);
  change("config.json", [](Json& config) { config["tie_word_embeddings"] = false; });
  EXPECT_THAT(refusal(), HasSubstr("lm_head.weight is missing"));
}

// S08 of the user reports, for a folder that is to be run.
TEST_F(BadFolderTest, S08APartThatIsMissingStopsTheStart) {
  fs::remove(path("model-00002-of-00003.safetensors"));
  EXPECT_THAT(refusal(), HasSubstr("model-00002-of-00003.safetensors"));
}

TEST_F(BadFolderTest, PickledWeightsAreNotOpened) {
  fs::remove(path("model.safetensors.index.json"));
  write("pytorch_model.bin", "PK");
  EXPECT_THAT(refusal(), AllOf(HasSubstr("pytorch_model.bin"), HasSubstr("save_pretrained")));
}

TEST_F(BadFolderTest, AFolderWithoutATokenizerIsRefused) {
  fs::remove(path("tokenizer.json"));
  EXPECT_THAT(refusal(), HasSubstr("tokenizer.json is expected"));
}

TEST_F(BadFolderTest, ATextThatIsNoJsonIsRefusedWithTheFile) {
  for (const char* name :
       {"config.json", "tokenizer.json", "tokenizer_config.json", "generation_config.json"}) {
    reset();
    write(name, "{\"a\": ");
    EXPECT_THAT(refusal(), HasSubstr(name));
    write(name, "[]");
    EXPECT_THAT(refusal(), HasSubstr(name));
    write(name, std::string(1000, '['));
    EXPECT_THAT(refusal(), HasSubstr(name));
  }
}

TEST_F(BadFolderTest, ATokenizerThatIsNotUnderstoodIsRefused) {
  EXPECT_THAT(with_tokenizer([](Json& json) { json["model"]["type"] = "WordLevel"; }),
              HasSubstr("model.type is \"WordLevel\""));
  EXPECT_THAT(with_tokenizer([](Json& json) { json["model"]["dropout"] = 0.5; }),
              HasSubstr("model.dropout is 0.5"));
  EXPECT_THAT(with_tokenizer([](Json& json) {
                json["pre_tokenizer"]["pretokenizers"][0]["pattern"]["Regex"] = "(a+)+b";
              }),
              HasSubstr("(a+)+b"));
  EXPECT_THAT(with_tokenizer([](Json& json) {
                json["normalizer"] = {{"type", "Lowercase"}};
              }),
              HasSubstr("Lowercase"));
  EXPECT_THAT(with_tokenizer([](Json& json) {
                json["post_processor"] = {{"type", "Roberta"}};
              }),
              HasSubstr("Roberta"));
}

TEST_F(BadFolderTest, AVocabularyThatContradictsItselfIsRefused) {
  EXPECT_THAT(with_tokenizer([](Json& json) { json["model"]["vocab"]["!"] = 5; }),
              HasSubstr("both have the id 5"));
  EXPECT_THAT(with_tokenizer([](Json& json) { json["model"]["vocab"]["!"] = 4000000000; }),
              HasSubstr("ids up to 4000000000"));
  EXPECT_THAT(with_tokenizer([](Json& json) { json["model"]["vocab"]["!"] = "5"; }),
              HasSubstr("model.vocab: found \"5\""));
  EXPECT_THAT(with_tokenizer([](Json& json) {
                json["model"]["merges"][0] = {"a", "b", "c"};
              }),
              HasSubstr("an entry of 3 values"));
  EXPECT_THAT(with_tokenizer([](Json& json) { json["model"]["merges"][0] = "ab"; }),
              HasSubstr("model.merges: found \"ab\""));
  EXPECT_THAT(with_tokenizer([](Json& json) {
                json["model"]["merges"][0] = {"a", ""};
              }),
              HasSubstr("are empty or have a space"));
  EXPECT_THAT(with_tokenizer([](Json& json) { json["added_tokens"][0].erase("id"); }),
              HasSubstr("an object with id and content"));
}

TEST_F(BadFolderTest, AStopIdThatIsNoTokenIsRefused) {
  change("generation_config.json", [](Json& json) { json["eos_token_id"] = {2, 400}; });
  EXPECT_THAT(refusal(), AllOf(HasSubstr("eos_token_id"), HasSubstr("below 400")));
}

}  // namespace
}  // namespace cairn::tests

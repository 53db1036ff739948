// Twenty thousand requests of every kind leave no memory behind.
#include <gtest/gtest.h>
#include <malloc.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <string>

#include "base/memory.h"
#include "base/random.h"
#include "runtime/answer_form.h"
#include "runtime/runtime.h"
#include "tests/memory/models.h"

namespace cairn::runtime {
namespace {

constexpr std::size_t kVocabulary = 300;

class GrowthTest : public testing::Test {
 protected:
  GrowthTest() {
    tests::write_model(
        {.shape = {.layers = 1, .tokens = kVocabulary, .embedding_rows = kVocabulary},
         .type = ElementType::kQ8_0},
        path_);
  }
  ~GrowthTest() override { std::filesystem::remove(path_); }

  std::size_t draw(std::size_t below) { return random_bits(1, 1, drawn_++) % below; }

  /// Prompts that begin alike at times, and each kind of answer.
  GenerateRequest draw_request() {
    IdsPrompt prompt;
    const std::size_t story = draw(20);
    const std::size_t length = 1 + draw(70);
    for (std::size_t i = 0; i < length; ++i) {
      prompt.ids.push_back(static_cast<TokenId>((story + i) % kVocabulary));
    }
    prompt.ids.back() = static_cast<TokenId>(draw(kVocabulary));
    GenerateRequest request{.prompt = prompt, .seed = draw(100), .tokens_max = 1 + draw(6)};
    if (draw(2) == 0) request.sampling.temperature = 1;
    if (draw(4) == 0) request.logprobs = draw(3);
    if (draw(8) == 0) request.prompt_logprobs = draw(3);
    if (draw(8) == 0) request.stop_strings = {"ab"};
    if (draw(8) == 0) request.sampling.banned_words = {"b"};
    if (draw(8) == 0) request.sampling.repetition_penalty = 1.1;
    if (draw(8) == 0) request.cache_salt = std::to_string(draw(5));
    if (draw(8) == 0) request.sampling.grammar = any_object();
    return request;
  }

  static std::shared_ptr<const engine::Grammar> any_object() {
    auto grammar = std::make_shared<engine::Grammar>();
    const auto start = grammar->any_object();
    EXPECT_TRUE(grammar->seal(start).ok());
    return grammar;
  }

  /// Two or three answers at once; one in eight is left before its end.
  void serve(Runtime& runtime, std::size_t requests) {
    for (std::size_t served = 0; served < requests;) {
      std::vector<std::unique_ptr<TextStream>> streams;
      const std::size_t together = 2 + draw(2);
      for (std::size_t i = 0; i < together; ++i, ++served) {
        auto stream = runtime.generate(draw_request());
        ASSERT_TRUE(stream.ok()) << stream.status().message();
        streams.push_back(std::move(*stream));
      }
      for (const auto& stream : streams) {
        if (draw(8) == 0) continue;
        while (!stream->ended()) {
          if (!stream->next().ok()) break;  // nothing that the grammar allows was left
          ++tokens_;
        }
      }
    }
  }

  static std::size_t heap_bytes() {
    const struct mallinfo2 heap = ::mallinfo2();
    return heap.uordblks + heap.hblkhd;
  }

  std::string path_ = testing::TempDir() + "cairn_growth_" + std::to_string(::getpid()) + ".gguf";
  std::uint64_t drawn_ = 0;
  std::size_t tokens_ = 0;
};

TEST_F(GrowthTest, TwentyThousandRequestsLeaveNothingBehind) {  // K16
  auto opened = Runtime::open({.path = path_,
                               .context = 96,
                               .threads = 1,
                               .sequences = 2,
                               .pages = 8,
                               .lookup = {.tokens_max = 4}});
  ASSERT_TRUE(opened.ok()) << opened.status().message();
  Runtime& runtime = **opened;
  serve(runtime, 4000);
  const std::size_t heap = heap_bytes();
  const Result<ResidentMemory> before = resident_memory();
  serve(runtime, 20'000);
  const Result<ResidentMemory> after = resident_memory();
  ASSERT_TRUE(before.ok() && after.ok());
  EXPECT_GT(tokens_, 40'000U);
  EXPECT_LT(heap_bytes(), heap + 65'536) << "3 bytes a request";
  EXPECT_LT(after->anonymous_bytes, before->anonymous_bytes + 1'048'576);
}

}  // namespace
}  // namespace cairn::runtime

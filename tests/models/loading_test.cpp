// What a model file must hold, and what is said where it does not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/file.h"
#include "kernels/cpu/cpu_device.h"
#include "models/decoder.h"
#include "tests/models/stub_device.h"
#include "tests/models/tiny_model.h"

namespace cairn::tests {
namespace {

using models::Model;
using testing::AllOf;
using testing::HasSubstr;

struct Loaded {
  Result<std::unique_ptr<Model>> model = internal_error("not loaded");
  std::size_t packs = 0;
};

Loaded load(const TinyModel& tiny) {
  StubDevice device;
  const OpenModel opened = open(tiny);
  if (!opened.file.ok()) return {.model = opened.file.status()};
  return {.model = Model::load(*opened.file, device, {}), .packs = device.packs};
}

/// The message that refuses `tiny`; nothing may have been packed by then.
std::string refusal(const TinyModel& tiny) {
  const Loaded loaded = load(tiny);
  EXPECT_FALSE(loaded.model.ok());
  EXPECT_EQ(loaded.packs, 0U);
  return loaded.model.status().message();
}

TEST(LoadingTest, LoadsATinyModelOfEachFamily) {
  const Loaded llama = load(tiny_llama());
  ASSERT_TRUE(llama.model.ok()) << llama.model.status().message();
  EXPECT_EQ((*llama.model)->info().architecture, "llama");
  EXPECT_EQ((*llama.model)->info().layers, 2U);
  EXPECT_EQ((*llama.model)->info().vocabulary, 100U);
  EXPECT_EQ((*llama.model)->info().context_length, 512U);
  EXPECT_EQ((*llama.model)->caches().size(), 2U);
  const Loaded gemma = load(tiny_gemma3());
  ASSERT_TRUE(gemma.model.ok()) << gemma.model.status().message();
}

TEST(LoadingTest, EverySixthLayerOfGemma3IsGlobal) {
  const Loaded loaded = load(tiny_gemma3({.layers = 8}));
  ASSERT_TRUE(loaded.model.ok()) << loaded.model.status().message();
  std::vector<std::size_t> windows;
  for (const models::CacheSpec& cache : (*loaded.model)->caches()) windows.push_back(cache.window);
  EXPECT_EQ(windows, (std::vector<std::size_t>{16, 16, 16, 16, 16, 0, 16, 16}));
}

TEST(LoadingTest, Gemma3WithoutAWindowIsGlobalThroughout) {
  TinyModel tiny = tiny_gemma3();
  tiny.metadata.set("gemma3.attention.sliding_window", std::uint32_t{0});
  const Loaded loaded = load(tiny);
  ASSERT_TRUE(loaded.model.ok()) << loaded.model.status().message();
  for (const models::CacheSpec& cache : (*loaded.model)->caches()) EXPECT_EQ(cache.window, 0U);
}

TEST(LoadingTest, RefusesAnUnknownArchitectureAndNamesTheKnown) {
  TinyModel tiny = tiny_llama();
  tiny.metadata.set("general.architecture", std::string("gpt7"));
  EXPECT_THAT(refusal(tiny), AllOf(HasSubstr("gpt7"), HasSubstr("gemma3"), HasSubstr("llama")));
}

TEST(LoadingTest, RefusesAMissingTensorByName) {
  TinyModel tiny = tiny_llama();
  tiny.remove("blk.1.ffn_up.weight");
  EXPECT_THAT(refusal(tiny), HasSubstr("\"blk.1.ffn_up.weight\" is missing"));
}

TEST(LoadingTest, RefusesAWrongShapeWithBothShapes) {
  TinyModel tiny = tiny_llama();
  TinyTensor& tensor = tiny.tensor("blk.0.attn_k.weight");
  tensor.shape = {64, 32};
  tensor.values.resize(64UL * 32);
  EXPECT_THAT(refusal(tiny), AllOf(HasSubstr("blk.0.attn_k.weight"), HasSubstr("[64, 32]"),
                                   HasSubstr("[64, 64]")));
}

TEST(LoadingTest, G14NamesTheFirstTensorsThatAreLeftOver) {
  TinyModel tiny = tiny_llama();
  for (int i = 0; i < 20; ++i) tiny.add("v.blk." + std::to_string(i) + ".attn.weight", {32}, 1);
  EXPECT_THAT(refusal(tiny), AllOf(HasSubstr("20 tensors"), HasSubstr("\"v.blk.0.attn.weight\""),
                                   HasSubstr("\"v.blk.4.attn.weight\" and 15 more")));
}

TEST(LoadingTest, G15UsesFrequencyFactorsWhereTheArchitectureDefinesThem) {
  TinyModel llama = tiny_llama();
  llama.add("rope_freqs.weight", {16}, 0.5f, 2);
  EXPECT_TRUE(load(llama).model.ok()) << load(llama).model.status().message();
  TinyModel gemma = tiny_gemma3();
  gemma.add("rope_freqs.weight", {16}, 0.5f, 2);
  EXPECT_THAT(refusal(gemma), HasSubstr("\"rope_freqs.weight\""));
}

TEST(LoadingTest, RefusesRotaryFrequenciesThatAreNotFinite) {
  TinyModel factors = tiny_llama();
  factors.add("rope_freqs.weight", {16}, 0.0f, 0.0f);
  EXPECT_THAT(refusal(factors), AllOf(HasSubstr("rope_freqs.weight"), HasSubstr("frequency")));
  TinyModel scaling = tiny_llama();
  scaling.metadata.set("llama.rope.scaling.factor", 1e-30f);
  EXPECT_THAT(refusal(scaling), HasSubstr("frequency"));
}

TEST(LoadingTest, RefusesFrequencyFactorsOfAnotherLength) {
  TinyModel tiny = tiny_llama();
  tiny.add("rope_freqs.weight", {15}, 0.5f, 2);
  EXPECT_THAT(refusal(tiny), AllOf(HasSubstr("rope_freqs.weight"), HasSubstr("[16]")));
}

TEST(LoadingTest, G20FewerTokensThanRowsLoadsWithoutThePaddedIds) {
  const Loaded loaded = load(tiny_llama({.tokens = 100, .embedding_rows = 128}));
  ASSERT_TRUE(loaded.model.ok()) << loaded.model.status().message();
  EXPECT_EQ((*loaded.model)->info().vocabulary, 100U);
  EXPECT_EQ((*loaded.model)->info().embedding_rows, 128U);
  EXPECT_EQ((*loaded.model)->scratch_shape().vocabulary, 100U);
}

TEST(LoadingTest, G20MoreTokensThanRowsIsRefusedWithBothNumbers) {
  const std::string message = refusal(tiny_llama({.tokens = 101, .embedding_rows = 100}));
  EXPECT_THAT(message, AllOf(HasSubstr("101 tokens"), HasSubstr("100 rows"),
                             HasSubstr("tokenizer.ggml.tokens"), HasSubstr("token_embd.weight")));
}

TEST(LoadingTest, RefusesAKeyThatChangesTheResultByName) {
  TinyModel tiny = tiny_gemma3();
  tiny.metadata.set("gemma3.attn_logit_softcapping", 50.0f);
  EXPECT_THAT(refusal(tiny), HasSubstr("\"gemma3.attn_logit_softcapping\""));
}

TEST(LoadingTest, RefusesARotaryScalingThatIsNotBuiltIn) {
  TinyModel tiny = tiny_llama();
  tiny.metadata.set("llama.rope.scaling.type", std::string("longrope"));
  EXPECT_THAT(refusal(tiny), AllOf(HasSubstr("longrope"), HasSubstr("none, linear and yarn")));
}

TEST(LoadingTest, RefusesYarnOverABaseThatDoesNotGrow) {
  TinyModel tiny = tiny_llama();
  tiny.metadata.set("llama.rope.scaling.type", std::string("yarn"));
  tiny.metadata.set("llama.rope.scaling.factor", 4.0);
  tiny.metadata.set("llama.rope.scaling.original_context_length", 32.0);
  tiny.metadata.set("llama.rope.freq_base", 1.0);
  EXPECT_THAT(refusal(tiny), AllOf(HasSubstr("rope.freq_base is 1"), HasSubstr("yarn")));
}

TEST(LoadingTest, RefusesHeadsThatDoNotDivide) {
  TinyModel tiny = tiny_llama();
  tiny.metadata.set("llama.attention.head_count_kv", std::uint32_t{3});
  EXPECT_THAT(refusal(tiny), HasSubstr("attention.head_count_kv"));
}

TEST(LoadingTest, RefusesMoreLayersThanTheFileCanHold) {
  TinyModel tiny = tiny_llama();
  tiny.metadata.set("llama.block_count", std::uint32_t{2000000});
  EXPECT_THAT(refusal(tiny), AllOf(HasSubstr("2000000"), HasSubstr("tensors")));
}

TEST(LoadingTest, TakesBiasesAndAnUntiedHeadWhereTheFileHasThem) {
  TinyModel tiny = tiny_llama();
  tiny.add("blk.0.attn_q.bias", {128}, 0.1f);
  tiny.add("output.weight", {64, 100}, 0.2f);
  const Loaded loaded = load(tiny);
  ASSERT_TRUE(loaded.model.ok()) << loaded.model.status().message();
  const models::ModelInfo& info = (*loaded.model)->info();
  EXPECT_EQ(info.bytes_per_token, info.weight_bytes - 99 * (64 * sizeof(float)));
}

/// The bytes of whole pages that lie inside tensors of a mapped file; the file's last page counts
/// as far as it reaches.
std::uint64_t pages_inside_tensors(const formats::ModelFile& file, const std::byte* file_end) {
  constexpr std::uintptr_t kPage = 4096;
  std::uint64_t sum = 0;
  for (const formats::TensorInfo& tensor : file.tensors()) {
    const auto begin = reinterpret_cast<std::uintptr_t>(tensor.bytes.data());
    const std::uintptr_t end = begin + tensor.bytes.size();
    const std::uintptr_t first = (begin + kPage - 1) / kPage * kPage;
    const std::uintptr_t last =
        end == reinterpret_cast<std::uintptr_t>(file_end) ? end : end / kPage * kPage;
    if (first < last) sum += last - first;
  }
  return sum;
}

TEST(LoadingTest, SaysHowManyBytesWereMappedPackedCopiedAndReleased) {
  const std::string path = testing::TempDir() + "cairn-load-figures.gguf";
  const std::vector<std::byte> bytes = tiny_llama().bytes();
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  ASSERT_TRUE(write_file_whole(path, text).ok());
  const auto file = formats::open_model(path);
  ASSERT_TRUE(file.ok()) << file.status().message();
  const auto device = kernels::CpuDevice::create({.threads = 2}).value();
  const auto model = Model::load(*file, *device, {});
  ASSERT_TRUE(model.ok()) << model.status().message();
  const models::LoadFigures& load = (*model)->info().load;
  EXPECT_EQ(load.mapped_bytes, bytes.size());
  // F32 rows by 16: the embedding's 100 as 112; two layers of qkv, out, gate and up, down.
  EXPECT_EQ(load.packed_bytes,
            4U * (112 * 64 + 2 * ((128 + 64 + 64) * 64 + 64 * 128 + 2 * 96 * 64 + 64 * 96)));
  // Two norms a layer, the last one, and the frequencies of half a head.
  EXPECT_EQ(load.copied_bytes, 4U * (2 * 2 * 64 + 64 + 16));
  const formats::TensorInfo* last = &file->tensors()[0];
  for (const formats::TensorInfo& tensor : file->tensors()) {
    if (tensor.bytes.data() > last->bytes.data()) last = &tensor;
  }
  const std::byte* const file_end = last->bytes.data() + last->bytes.size();
  EXPECT_EQ(load.released_bytes, pages_inside_tensors(*file, file_end));
  EXPECT_GT(load.released_bytes, bytes.size() / 2);
  std::filesystem::remove(path);
}

// X09: choosing a memory node switched reading ahead off. Here it moves threads and nothing else.
TEST(LoadingTest, X09ANodeThatIsChosenChangesNothingOfHowAFileIsRead) {
  const std::string path = testing::TempDir() + "cairn-load-node.gguf";
  const std::vector<std::byte> bytes = tiny_llama().bytes();
  ASSERT_TRUE(
      write_file_whole(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()}).ok());
  const auto figures = [&](std::optional<std::uint64_t> node) {
    const auto file = formats::open_model(path).value();
    const auto device = kernels::CpuDevice::create({.node = node}).value();
    return Model::load(file, *device, {}).value()->info().load;
  };
  EXPECT_EQ(figures(std::nullopt), figures(0));
  std::filesystem::remove(path);
}

TEST(LoadingTest, OfAFileInMemoryNothingIsMappedOrReleased) {
  const auto device = kernels::CpuDevice::create({.threads = 1}).value();
  const OpenModel opened = open(tiny_llama());
  const auto model = Model::load(*opened.file, *device, {});
  ASSERT_TRUE(model.ok());
  EXPECT_EQ((*model)->info().load.mapped_bytes, 0U);
  EXPECT_EQ((*model)->info().load.released_bytes, 0U);
  EXPECT_GT((*model)->info().load.packed_bytes, 0U);
}

TEST(LoadingTest, CanBeCancelled) {
  StubDevice device;
  const OpenModel opened = open(tiny_llama());
  std::uint64_t last_total = 0;
  const auto stop = [&](std::uint64_t, std::uint64_t total) {
    last_total = total;
    return false;
  };
  const auto model = Model::load(*opened.file, device, {.progress = stop});
  EXPECT_EQ(model.status().code(), StatusCode::kCancelled);
  EXPECT_GT(last_total, 0U);
}

TEST(LoadingTest, ProgressEndsAtTheBytesOfAllTensors) {
  StubDevice device;
  TinyModel tiny = tiny_llama();
  tiny.add("rope_freqs.weight", {16}, 0.5f, 2);
  const OpenModel opened = open(tiny);
  std::uint64_t last = 0;
  std::uint64_t all = 0;
  const auto note = [&](std::uint64_t done, std::uint64_t total) {
    last = done;
    all = total;
    return true;
  };
  ASSERT_TRUE(Model::load(*opened.file, device, {.progress = note}).ok());
  EXPECT_EQ(last, all);
}

}  // namespace
}  // namespace cairn::tests

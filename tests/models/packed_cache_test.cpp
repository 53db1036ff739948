// Packed weights that are kept: used when they are this model's, ignored with a reason otherwise.
#include "models/packed_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <filesystem>

#include "kernels/cpu/cpu_device.h"
#include "tests/golden/model_runner.h"
#include "tests/models/tiny_model.h"

namespace cairn::tests {
namespace {

using models::Model;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
namespace fs = std::filesystem;

constexpr std::uint64_t kBytesMax = 1 << 26;

struct Loaded {
  models::LoadFigures load = {};
  std::vector<std::string> warnings = {};
  std::vector<std::byte> weights = {};  // contents of all matrices, in order
};

class PackedCacheTest : public testing::Test {
 protected:
  PackedCacheTest()
      : root_(fs::path(testing::TempDir()) /
              (std::string("cairn-packed-") +
               testing::UnitTest::GetInstance()->current_test_info()->name())) {
    fs::remove_all(root_);
    fs::create_directories(root_);
    write_model(tiny_llama());
  }
  ~PackedCacheTest() override { fs::remove_all(root_); }

  std::string model() const { return (root_ / "tiny.gguf").string(); }
  std::string folder() const { return (root_ / "packed").string(); }
  std::string packed() const {
    return models::packed_path(folder(), formats::open_model(model()).value());
  }

  void write_model(const TinyModel& tiny) const { write(model(), text_of(tiny.bytes())); }
  static std::string text_of(const std::vector<std::byte>& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  static void write(const std::string& path, std::string_view text) {
    ASSERT_TRUE(write_file_whole(path, text).ok());
  }
  std::string contents() const { return read_file(packed(), kBytesMax).value(); }

  Loaded load() const {
    const formats::ModelFile file = formats::open_model(model()).value();
    const auto device = kernels::CpuDevice::create({.threads = 2}).value();
    auto loaded = Model::load(file, *device, {.packed_folder = folder()});
    EXPECT_TRUE(loaded.ok()) << loaded.status().message();
    if (!loaded.ok()) return {};
    return {(*loaded)->info().load, (*loaded)->info().warnings, {}};
  }

  /// Logits of a few ids, with packed weights kept in `where`.
  std::vector<float> logits(const std::string& where) const {
    const formats::ModelFile file = formats::open_model(model()).value();
    const auto device = kernels::CpuDevice::create({.threads = 2}).value();
    const auto runner = ModelRunner::create(file, *device, 64, {.packed_folder = where}).value();
    const std::vector<TokenId> ids = {1, 50, 7, 99, 3};
    return runner->feed(ids, ids.size());
  }

  fs::path root_;
};

TEST_F(PackedCacheTest, TheFirstStartPacksAndTheSecondMaps) {
  const std::uint64_t model_bytes = fs::file_size(model());
  const Loaded first = load();
  EXPECT_THAT(first.warnings, IsEmpty());
  EXPECT_GT(first.load.packed_bytes, 0U);
  EXPECT_EQ(first.load.mapped_bytes, model_bytes);
  const Loaded second = load();
  EXPECT_THAT(second.warnings, IsEmpty());
  EXPECT_EQ(second.load.packed_bytes, 0U);
  EXPECT_EQ(second.load.mapped_bytes, model_bytes + fs::file_size(packed()));
  EXPECT_EQ(second.load.copied_bytes, first.load.copied_bytes);
  EXPECT_LT(second.load.released_bytes, first.load.released_bytes);
}

TEST_F(PackedCacheTest, MappedWeightsGiveTheSameBits) {
  const std::vector<float> expected = logits("");
  (void)load();
  const std::vector<float> mapped = logits(folder());
  ASSERT_EQ(mapped.size(), expected.size());
  EXPECT_EQ(std::memcmp(mapped.data(), expected.data(), 4 * mapped.size()), 0);
}

TEST_F(PackedCacheTest, NoFolderKeepsNothing) {
  (void)logits("");
  EXPECT_FALSE(fs::exists(folder()));
}

TEST_F(PackedCacheTest, NothingButTheWholeFileIsLeftBehind) {
  (void)load();
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder())) names.push_back(entry.path());
  EXPECT_THAT(names, ElementsAre(packed()));
}

TEST_F(PackedCacheTest, ACutFileIsIgnoredWithAReasonAndWrittenAgain) {
  (void)load();
  const std::string whole = contents();
  for (const std::size_t size : {std::size_t{0}, std::size_t{7}, std::size_t{103}, std::size_t{200},
                                 whole.size() / 2, whole.size() - 1}) {
    write(packed(), whole.substr(0, size));
    const Loaded loaded = load();
    EXPECT_THAT(loaded.warnings, ElementsAre(HasSubstr("packed weights are not used: "))) << size;
    EXPECT_GT(loaded.load.packed_bytes, 0U) << size;
    EXPECT_EQ(contents(), whole) << size;
  }
  write(packed(), whole + "x");
  EXPECT_THAT(load().warnings, ElementsAre(HasSubstr("bytes, expected")));
}

TEST_F(PackedCacheTest, ADamagedHeaderIsIgnoredWhereverTheDamageIs) {
  (void)load();
  const std::string whole = contents();
  // Magic, version, layout, size, time, both hashes, count, places, checksum.
  for (const std::size_t at : {0U, 9U, 12U, 17U, 25U, 40U, 70U, 96U, 99U, 105U, 113U, 250U, 279U}) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x41);
    write(packed(), damaged);
    EXPECT_THAT(load().warnings, ElementsAre(HasSubstr("packed weights are not used: "))) << at;
  }
}

TEST_F(PackedCacheTest, AnotherModelFileIsNotServed) {
  (void)load();
  const auto later = fs::last_write_time(model()) + std::chrono::seconds(2);
  fs::last_write_time(model(), later);
  EXPECT_THAT(load().warnings, ElementsAre(HasSubstr("written again since")));
  EXPECT_THAT(load().warnings, IsEmpty());

  const std::string before = contents();
  TinyModel other = tiny_llama();
  other.metadata.set("llama.rope.freq_base", 20000.0F);
  write_model(other);
  write(packed(), before);
  EXPECT_THAT(load().warnings, ElementsAre(HasSubstr("another header")));
}

TEST_F(PackedCacheTest, AnOlderLayoutIsNotRead) {
  (void)load();
  const std::string whole = contents();
  models::PackedIndex index = models::parse_packed_index(std::as_bytes(std::span(whole))).value();
  index.key.layout = 0;
  write(packed(),
        text_of(models::print_packed_index(index)) + whole.substr(index.contents_begin()));
  EXPECT_THAT(load().warnings, ElementsAre(HasSubstr("layout 0, this program uses 1")));
}

TEST_F(PackedCacheTest, ADeviceThatFindsOtherSizesPacksTheRest) {
  (void)load();
  const formats::ModelFile file = formats::open_model(model()).value();
  const std::string whole = contents();
  const models::PackedKey key =
      models::parse_packed_index(std::as_bytes(std::span(whole))).value().key;
  const std::vector<std::uint64_t> sizes = {4096, 4096};
  const models::PackedIndex index = models::lay_out_packed(key, sizes);
  std::string text = text_of(models::print_packed_index(index));
  text.resize(index.file_bytes());
  write(packed(), text);
  EXPECT_THAT(load().warnings, ElementsAre(HasSubstr("a packed weight has 4096 bytes, expected")));
  EXPECT_THAT(load().warnings, IsEmpty());
}

TEST_F(PackedCacheTest, WhatCannotBeWrittenIsAWarning) {
  write(folder(), "a file where the folder should be");
  const Loaded loaded = load();
  EXPECT_THAT(loaded.warnings, ElementsAre(HasSubstr("packed weights are not kept: ")));
  EXPECT_GT(loaded.load.packed_bytes, 0U);
}

TEST_F(PackedCacheTest, VerifyFindsOneWrongByteOfTheContents) {
  const formats::ModelFile file = formats::open_model(model()).value();
  EXPECT_EQ(models::verify_packed(folder(), file).status().code(), StatusCode::kNotFound);
  (void)load();
  const auto verified = models::verify_packed(folder(), file);
  ASSERT_TRUE(verified.ok()) << verified.status().message();
  EXPECT_EQ(verified->matrices, 9U);  // the embedding; qkv, out, gate and up, down of two layers
  std::string damaged = contents();
  damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 1);
  write(packed(), damaged);
  const Status status = models::verify_packed(folder(), file).status();
  EXPECT_EQ(status.code(), StatusCode::kInvalidFile);
  EXPECT_THAT(status.message(), HasSubstr("not what was written"));
}

TEST(PackedIndexTest, ReadsWhatItPrintsAndRefusesImpossiblePlaces) {
  const models::PackedKey key{.file_bytes = 12, .modified_ns = -5, .layout = 7};
  const std::vector<std::uint64_t> sizes = {0, 1, 4096, 100000};
  models::PackedIndex index = models::lay_out_packed(key, sizes);
  const auto file_of = [](const models::PackedIndex& of, std::uint64_t bytes) {
    std::vector<std::byte> file = models::print_packed_index(of);
    file.resize(bytes);
    return file;
  };
  const auto parsed = models::parse_packed_index(file_of(index, index.file_bytes()));
  ASSERT_TRUE(parsed.ok()) << parsed.status().message();
  EXPECT_EQ(parsed->key, key);
  EXPECT_EQ(parsed->matrices.size(), 4U);
  const std::uint64_t whole = index.file_bytes();
  for (const std::uint64_t wrong : {UINT64_MAX, UINT64_MAX - 63, UINT64_MAX - 4096, whole}) {
    index.matrices[1].bytes = wrong;
    EXPECT_FALSE(models::parse_packed_index(file_of(index, whole)).ok()) << wrong;
    index.matrices[1].bytes = 1;
    index.matrices[2].offset = wrong;
    EXPECT_FALSE(models::parse_packed_index(file_of(index, whole)).ok()) << wrong;
    index = models::lay_out_packed(key, sizes);
  }
}

}  // namespace
}  // namespace cairn::tests

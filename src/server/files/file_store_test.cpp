#include "server/files/file_store.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "base/file.h"

namespace cairn::server {
namespace {

class FileStoreTest : public testing::Test {
 protected:
  FileStoreTest() {
    std::string name = testing::TempDir() + "/cairn_files_XXXXXX";
    folder_ = mkdtemp(name.data());
  }
  ~FileStoreTest() override { std::filesystem::remove_all(folder_); }
  std::unique_ptr<FileStore> open(FileStore::Limits limits = {}) {
    limits.clock_s = [this] { return now_s_; };
    auto store = FileStore::open(folder_, limits);
    EXPECT_TRUE(store.ok()) << store.status().message();
    return store.ok() ? std::move(*store) : nullptr;
  }
  static std::string content(const FileStore& store, const std::string& id) {
    return read_file(store.content_path(id), 1 << 20).value();
  }

  std::string folder_;
  std::int64_t now_s_ = 1000;
};

TEST_F(FileStoreTest, AFileIsThereAlsoAfterARestart) {
  const StoredFile file = open()->add("../../a.jsonl", "batch", 0, "hello").value();
  const auto again = open();
  ASSERT_TRUE(again->find(file.id).has_value());
  EXPECT_EQ(again->find(file.id)->name, "../../a.jsonl");
  EXPECT_EQ(content(*again, file.id), "hello");
  EXPECT_EQ(again->list().size(), 1U);
  EXPECT_TRUE(again->remove(file.id).value());
  EXPECT_FALSE(again->remove(file.id).value());
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST_F(FileStoreTest, AContentWithoutARecordWasNeverFinished) {
  const StoredFile file = open()->add("a", "batch", 0, "hello").value();
  std::filesystem::remove(folder_ + "/" + file.id + ".json");
  EXPECT_FALSE(open()->find(file.id).has_value());
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST_F(FileStoreTest, ARecordThatIsNoneIsNamed) {
  ASSERT_TRUE(write_file_whole(folder_ + "/file-x.json", "{}").ok());
  const auto store = FileStore::open(folder_, {});
  ASSERT_FALSE(store.ok());
  EXPECT_NE(store.status().message().find("file-x.json"), std::string::npos);
}

TEST_F(FileStoreTest, WhatIsTooMuchIsRefusedWithTheNumbers) {
  const auto store = open({.files = 2, .bytes = 10});
  EXPECT_TRUE(store->add("a", "batch", 0, "12345678").ok());
  const auto large = store->add("b", "batch", 0, "123");
  EXPECT_EQ(large.status().code(), StatusCode::kTooLarge);
  EXPECT_TRUE(store->add("b", "batch", 0, "12").ok());
  EXPECT_FALSE(store->add("c", "batch", 0, "").ok());
}

TEST_F(FileStoreTest, AFileIsForgottenAfterItsTime) {
  const auto store = open();
  const StoredFile file = store->add("a", "batch", 60, "x").value();
  now_s_ += 59;
  EXPECT_TRUE(store->find(file.id).has_value());
  now_s_ += 1;
  EXPECT_FALSE(store->find(file.id).has_value());
  EXPECT_TRUE(store->list().empty());
  ASSERT_TRUE(store->add("b", "batch", 0, "y").ok());
  EXPECT_FALSE(std::filesystem::exists(store->content_path(file.id)));
}

}  // namespace
}  // namespace cairn::server

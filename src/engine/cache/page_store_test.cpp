#include "engine/cache/page_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>

#include "base/file.h"

namespace cairn::engine {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::size_t kBytes = 5000;

PageContents page(int number, std::size_t group = 0) {
  PageContents made{.key = {.group = group}};
  made.key.hash.fill(std::byte(number));
  made.key.parent.fill(std::byte(number + 100));
  made.key.ids.fill(number);
  for (std::size_t i = 0; i < kBytes; ++i) {
    made.bytes.push_back(std::byte(i * 7 + static_cast<std::size_t>(number)));
  }
  return made;
}

class PageStoreTest : public testing::Test {
 protected:
  PageStoreTest() { fs::remove_all(folder_); }
  ~PageStoreTest() override { fs::remove_all(folder_); }

  std::unique_ptr<PageStore> open(const std::string& identity = "model a, layout 1",
                                  std::uint64_t bytes_max = 1 << 20) {
    auto store = PageStore::open(
        {.folder = folder_,
         .identity = identity,
         .bytes_max = bytes_max,
         .on_warning = [this](const std::string& text) { warnings_.push_back(text); }});
    EXPECT_TRUE(store.ok()) << store.status().message();
    return store.ok() ? std::move(*store) : nullptr;
  }
  void keep(const PageContents& contents) {
    const auto store = open();
    ASSERT_TRUE(store->wants(contents.key, kBytes));
    store->write(contents);
    store->flush();
  }
  std::string path(const PageContents& contents, const std::string& identity) const {
    return folder_ + "/" + page_file_name(sha256(identity), contents.key);
  }
  std::string path(const PageContents& contents) const {
    return path(contents, "model a, layout 1");
  }
  std::string bytes_at(const std::string& path) const { return read_file(path, 1 << 20).value(); }
  static void put(const std::string& path, std::string_view bytes) {
    ASSERT_TRUE(write_file_whole(path, bytes).ok());
  }
  /// What a new store says of a page whose file was changed.
  void expect_refused(const PageContents& contents, const std::string& why,
                      const std::string& identity = "model a, layout 1") {
    warnings_.clear();
    const auto store = open(identity);
    EXPECT_FALSE(store->read(contents.key, kBytes).has_value()) << why;
    EXPECT_THAT(warnings_, ElementsAre(HasSubstr(why)));
    EXPECT_THAT(warnings_, ElementsAre(HasSubstr(path(contents, identity))));
    EXPECT_FALSE(store->has(contents.key)) << "it is passed over from now on";
    EXPECT_TRUE(store->wants(contents.key, kBytes)) << "and may be written again";
  }

  std::string folder_ = testing::TempDir() + "cairn_page_store_" + std::to_string(::getpid());
  std::vector<std::string> warnings_;
};

TEST_F(PageStoreTest, APageComesBackFromTheNextStoreOfTheSameFolder) {
  keep(page(1));
  const auto store = open();
  EXPECT_TRUE(store->has(page(1).key));
  EXPECT_FALSE(store->wants(page(1).key, kBytes)) << "it is there";
  EXPECT_EQ(store->read(page(1).key, kBytes), page(1).bytes);
  EXPECT_FALSE(store->read(page(2).key, kBytes).has_value());
  EXPECT_FALSE(store->read(page(1, 1).key, kBytes).has_value()) << "another group";
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(PageStoreTest, ADamagedFileIsAWarningAndIsNeverUsed) {
  keep(page(1));
  const std::string whole = bytes_at(path(page(1)));
  for (const std::size_t at : {std::size_t{30}, std::size_t{60}, std::size_t{130}, std::size_t{248},
                               whole.size() - 1, whole.size() / 2}) {
    std::string flipped = whole;
    flipped[at] = static_cast<char>(flipped[at] ^ 1);
    put(path(page(1)), flipped);
    expect_refused(page(1), "it is damaged");
  }
  for (const std::size_t size : {std::size_t{0}, std::size_t{100}, std::size_t{279}}) {
    put(path(page(1)), whole.substr(0, size));
    expect_refused(page(1), "bytes are too few for a page of the cache");
  }
  put(path(page(1)), whole.substr(0, whole.size() - 1));
  expect_refused(page(1), "says that 5000 are contents");
  put(path(page(1)), whole + "x");
  expect_refused(page(1), "holds more than the 5280 bytes");
  std::string other = whole;
  other[0] = 'X';
  put(path(page(1)), other);
  expect_refused(page(1), "does not begin as a page of the cache does");
  other = whole;
  other[8] = 9;
  put(path(page(1)), other);
  expect_refused(page(1), "its layout has version 9, this program reads 1");
  put(path(page(1)), whole);
  EXPECT_EQ(open()->read(page(1).key, kBytes), page(1).bytes);
}

TEST_F(PageStoreTest, PagesOfAnotherModelOrLayoutAreNotFoundAndNotUsedUnderAWrongName) {
  keep(page(1));
  for (const char* other : {"model b, layout 1", "model a, layout 2"}) {
    EXPECT_FALSE(open(other)->has(page(1).key));
    fs::copy_file(path(page(1)), path(page(1), other));
    expect_refused(page(1), "another model file, cache type, class or layout", other);
  }
  fs::copy_file(path(page(1)), path(page(2)));
  expect_refused(page(2), "the page of other tokens");
  EXPECT_FALSE(open()->read(page(1).key, kBytes + 1).has_value()) << "pages became larger";
}

TEST_F(PageStoreTest, AWriterThatIsKilledLeavesNoPageThatIsNotWhole) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const auto store = open();
    for (int i = 0;; ++i) {
      store->write(page(i % 20));
      store->flush();
    }
  }
  const auto files = [&] {
    std::error_code none_yet;
    return std::distance(fs::directory_iterator(folder_, none_yet), fs::directory_iterator());
  };
  while (files() < 10) ::usleep(100);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  const auto store = open();
  int read = 0;
  for (int i = 0; i < 20; ++i) {
    const auto bytes = store->read(page(i).key, kBytes);
    if (!bytes) continue;
    ++read;
    EXPECT_EQ(*bytes, page(i).bytes);
  }
  EXPECT_GE(read, 8);
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(PageStoreTest, WhatAKilledWriterLeftHalfWrittenGoesOnceItIsOld) {
  keep(page(1));
  const std::string old = path(page(1)) + ".AbC123";
  const std::string young = path(page(2)) + ".AbC123";
  put(old, "half");
  put(young, "half");
  put(folder_ + "/notes.txt", "a person's");
  fs::last_write_time(old, fs::file_time_type::clock::now() - std::chrono::hours(2));
  const auto store = open();
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(young)) << "another process may be writing it";
  EXPECT_TRUE(fs::exists(folder_ + "/notes.txt"));
  EXPECT_EQ(store->figures().files, 1U);
}

TEST_F(PageStoreTest, TheFolderStaysBelowItsSizeAndThoseUsedLongestAgoGo) {
  const std::uint64_t each = page_file_bytes(kBytes);
  {
    const auto store = open("model a, layout 1", 3 * each + 10);
    for (int i = 1; i <= 3; ++i) {
      store->write(page(i));
      store->flush();
    }
    (void)store->read(page(1).key, kBytes);
    store->write(page(4));
    store->flush();
    EXPECT_FALSE(store->has(page(2).key)) << "1 was read after it was written";
    EXPECT_TRUE(store->has(page(1).key));
    EXPECT_EQ(store->figures().files, 3U);
    EXPECT_EQ(store->figures().bytes, 3 * each);
    EXPECT_EQ(store->figures().removed_files, 1U);
  }
  // The order survives the process, and counts for whoever's pages they are.
  fs::last_write_time(path(page(3)), fs::file_time_type::clock::now() - std::chrono::hours(1));
  const auto other = open("model b, layout 1", 2 * each);
  EXPECT_FALSE(fs::exists(path(page(3))));
  EXPECT_EQ(other->figures().files, 2U);
  EXPECT_FALSE(open("model a, layout 1", each - 1)->wants(page(9).key, kBytes))
      << "a page larger than the whole folder";
}

TEST_F(PageStoreTest, AQueueThatIsFullPassesPagesOver) {
  auto store = PageStore::open(
      {.folder = folder_, .identity = "a", .bytes_max = 1 << 20, .queued_bytes_max = kBytes - 1});
  ASSERT_TRUE(store.ok());
  EXPECT_FALSE((*store)->wants(page(1).key, kBytes));
  EXPECT_EQ((*store)->figures().passed_pages, 1U);
}

TEST_F(PageStoreTest, AFolderThatCanNotBeMadeIsAnError) {
  put(folder_, "a file");
  const auto store = PageStore::open({.folder = folder_, .identity = "a", .bytes_max = 1});
  EXPECT_THAT(store.status().message(), HasSubstr(folder_));
  fs::remove(folder_);
}

TEST_F(PageStoreTest, APageThatCanNotBeWrittenIsToldOnceAndTheOthersGoOn) {
  const auto store = open();
  fs::create_directories(path(page(1)));  // a folder of that name: it can not be renamed over
  store->write(page(1));
  store->write(page(2));
  store->flush();
  EXPECT_THAT(warnings_, ElementsAre(HasSubstr("is not kept")));
  EXPECT_EQ(store->read(page(2).key, kBytes), page(2).bytes);
}

}  // namespace
}  // namespace cairn::engine

#include "base/file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>

#include "base/file_descriptor.h"

namespace cairn {
namespace {

class FileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "cairn-file-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  std::filesystem::path folder_;
};

TEST_F(FileTest, WhatIsWrittenWholeIsReadAndMappedBack) {
  const std::string text(200000, 'x');
  ASSERT_TRUE(write_file_whole(path("a"), "short").ok());
  ASSERT_TRUE(write_file_whole(path("a"), text).ok());
  EXPECT_EQ(*read_file(path("a"), text.size()), text);
  auto mapped = MappedFile::open(path("a"));
  ASSERT_TRUE(mapped.ok());
  MappedFile moved = std::move(mapped).value();
  ASSERT_EQ(moved.bytes().size(), text.size());
  moved.release(0, 100000);
  moved.release(5, moved.bytes().size());
  moved.release(moved.bytes().size() + 7, 3);
  EXPECT_EQ(moved.bytes()[0], static_cast<std::byte>('x'));
  EXPECT_EQ(moved.bytes()[text.size() - 1], static_cast<std::byte>('x'));
}

TEST_F(FileTest, WritingLeavesNoTemporaryFileBehind) {
  ASSERT_TRUE(write_file_whole(path("a"), "1").ok());
  EXPECT_FALSE(write_file_whole(path("none/a"), "1").ok());
  std::filesystem::create_directory(folder_ / "folder");
  const Status status = write_file_whole(path("folder"), "1");
  EXPECT_EQ(status.code(), StatusCode::kIo);
  std::size_t entries = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
    EXPECT_TRUE(entry.path().filename() == "a" || entry.path().filename() == "folder");
    ++entries;
  }
  EXPECT_EQ(entries, 2U);
}

TEST_F(FileTest, AnEmptyFileMapsToNoBytes) {
  ASSERT_TRUE(write_file_whole(path("empty"), "").ok());
  auto mapped = MappedFile::open(path("empty"));
  ASSERT_TRUE(mapped.ok());
  EXPECT_TRUE(mapped->bytes().empty());
  mapped->release(0, 10);
}

TEST_F(FileTest, ErrorsNameThePathAndWhatIsThere) {
  EXPECT_EQ(MappedFile::open(path("none")).status().code(), StatusCode::kNotFound);
  EXPECT_NE(MappedFile::open(path("none")).status().message().find(path("none")),
            std::string::npos);
  EXPECT_EQ(MappedFile::open(folder_.string()).status().code(), StatusCode::kInvalidFile);
  EXPECT_EQ(read_file(path("none"), 10).status().code(), StatusCode::kNotFound);
  EXPECT_EQ(read_file(folder_.string(), 10).status().code(), StatusCode::kIo);
}

TEST_F(FileTest, APipeIsRefusedForMappingWithoutWaitingForAWriter) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  const Status status = MappedFile::open(path("pipe")).status();
  EXPECT_EQ(status.code(), StatusCode::kInvalidFile);
  EXPECT_EQ(status.message(), path("pipe") + ": found a pipe, expected a regular file");
}

TEST_F(FileTest, AFileOverTheStatedSizeIsRefusedWithThatSize) {
  ASSERT_TRUE(write_file_whole(path("a"), "12345").ok());
  EXPECT_TRUE(read_file(path("a"), 5).ok());
  const auto text = read_file(path("a"), 4);
  EXPECT_EQ(text.status().code(), StatusCode::kTooLarge);
  EXPECT_NE(text.status().message().find("4 bytes"), std::string::npos);
}

TEST_F(FileTest, AFullDiskIsAnErrorWithThePath) {
  const FileDescriptor full(::open("/dev/full", O_WRONLY | O_CLOEXEC));
  if (!full.valid()) GTEST_SKIP() << "this system has no /dev/full";
  const Status status = write_all(full, "/dev/full", "text");
  EXPECT_EQ(status.code(), StatusCode::kIo);
  EXPECT_EQ(status.message(), "/dev/full: cannot write: No space left on device");
}

TEST_F(FileTest, AFileWithoutAnEndIsReadOnlyUpToTheStatedSize) {
  EXPECT_EQ(read_file("/dev/zero", 100).status().code(), StatusCode::kTooLarge);
}

TEST_F(FileTest, AFileDroppedFromMemoryKeepsItsBytes) {
  ASSERT_TRUE(write_file_whole(path("x"), std::string(100'000, 'x')).ok());
  EXPECT_TRUE(drop_cached(path("x")).ok());
  EXPECT_EQ(*read_file(path("x"), 1 << 20), std::string(100'000, 'x'));
  EXPECT_EQ(drop_cached(path("none")).code(), StatusCode::kNotFound);
}

}  // namespace
}  // namespace cairn

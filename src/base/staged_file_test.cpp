#include "base/staged_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace cairn {
namespace {

namespace fs = std::filesystem;

class StagedFileTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "cairn-staged-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    path_ = folder_ + "/report.json";
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string text() const {
    std::ifstream in(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  auto files() const {
    return std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
  }

  std::string folder_;
  std::string path_;
};

TEST_F(StagedFileTest, NothingIsAtThePathBeforeTheCommitAndAllOfItAfter) {
  Result<StagedFile> staged = StagedFile::open(path_);
  ASSERT_TRUE(staged.ok()) << staged.status().message();
  EXPECT_FALSE(fs::exists(path_));
  ASSERT_TRUE(staged->commit("whole\n").ok());
  EXPECT_EQ(text(), "whole\n");
  struct stat status = {};
  ASSERT_EQ(::stat(path_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
  EXPECT_EQ(files(), 1);
}

TEST_F(StagedFileTest, AnExistingFileIsReplacedByACommitAndKeptWithoutOne) {
  std::ofstream(path_) << "old";
  {
    Result<StagedFile> staged = StagedFile::open(path_);
    ASSERT_TRUE(staged.ok());
    EXPECT_EQ(text(), "old");
  }
  EXPECT_EQ(text(), "old");
  EXPECT_EQ(files(), 1);
  Result<StagedFile> staged = StagedFile::open(path_);
  ASSERT_TRUE(staged.ok() && staged->commit("new").ok());
  EXPECT_EQ(text(), "new");
}

TEST_F(StagedFileTest, ADiskThatIsFullLeavesTheOldFileAndNoPiece) {
  std::ofstream(path_) << "old";
  rlimit before = {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  {
    Result<StagedFile> staged = StagedFile::open(path_);
    ASSERT_TRUE(staged.ok());
    const rlimit four = {.rlim_cur = 4, .rlim_max = before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &four), 0);  // the fifth byte of any file fails
    const Status status = staged->commit("more than four bytes");
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
    EXPECT_EQ(status.code(), StatusCode::kIo);
    EXPECT_NE(status.message().find(path_), std::string::npos);
  }
  (void)std::signal(SIGXFSZ, handler);
  EXPECT_EQ(text(), "old");
  EXPECT_EQ(files(), 1);
}

TEST_F(StagedFileTest, AFolderADeviceAndAMissingFolderAreRefusedBeforeAnythingIsWritten) {
  EXPECT_EQ(StagedFile::open(folder_).status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(StagedFile::open(folder_ + "/").status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(StagedFile::open("").status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(StagedFile::open("/dev/null").status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(StagedFile::open(folder_ + "/none/r.json").status().code(), StatusCode::kNotFound);
  EXPECT_EQ(files(), 0);
}

}  // namespace
}  // namespace cairn

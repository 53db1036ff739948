#include "cli/bench/child.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace cairn::cli {
namespace {

TEST(ChildTest, TheCodeIsTheChilds) {
  EXPECT_EQ(run_child({"sh", "-c", "exit 7"})->code, 7);
  EXPECT_EQ(run_child({"sh", "-c", "kill -KILL $$"})->code, 137);
  EXPECT_EQ(run_child({"/nowhere/at/all"}).status().code(), StatusCode::kNotFound);
}

TEST(ChildTest, WhatAChildHoldsIsSeenWithItsOwnChildren) {  // M-54
  ChildPeaks peaks;
  ASSERT_EQ(run_child({"sh", "-c", "sleep 0.1; true"}, peaks)->code, 0);
  if (peaks.rss_bytes == 0) GTEST_SKIP() << "this system does not say what a process holds";
  EXPECT_GE(peaks.rss_bytes, peaks.pss_bytes);
  EXPECT_GT(peaks.pss_bytes, 0);
}

TEST(ChildTest, TheFolderGoesWithItsObject) {
  std::string path;
  {
    const Result<ChildFolder> folder = ChildFolder::make();
    ASSERT_TRUE(folder.ok());
    path = folder->file("");
    std::ofstream(folder->file("x")) << "y";
    EXPECT_TRUE(std::filesystem::exists(path));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace cairn::cli

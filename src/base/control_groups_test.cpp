#include "base/control_groups.h"

#include <gtest/gtest.h>

namespace cairn {
namespace {

TEST(ControlGroupsTest, ALineIsFoundByOneOfItsControllers) {
  const std::string groups =
      "5:memory:/m\n4:cpu,cpuacct:/outer/inner\n1:name=systemd:/s\n0::/two\n";
  EXPECT_EQ(group_path(groups, "memory"), "/m");
  EXPECT_EQ(group_path(groups, "cpu"), "/outer/inner");
  EXPECT_EQ(group_path(groups, ""), "/two");
  EXPECT_EQ(group_path(groups, "cpuset"), "/");
  EXPECT_EQ(group_path("no group\n:\n::", "cpu"), "/");
}

TEST(ControlGroupsTest, TheGroupsAroundAGroupCount) {
  using Folders = std::vector<std::string>;
  EXPECT_EQ(group_folders("/fs", "/a/b"), (Folders{"/fs", "/fs/a/b", "/fs/a"}));
  EXPECT_EQ(group_folders("/fs", "/"), Folders{"/fs"});
  EXPECT_EQ(group_folders("/fs", ""), Folders{"/fs"});
}

}  // namespace
}  // namespace cairn

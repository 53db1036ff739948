#include "cli/peer_flags.h"

#include <gtest/gtest.h>

namespace cairn::cli {
namespace {

Result<std::vector<std::string>> read(const std::string& line) {
  CLI::App app;
  PeerFlags flags;
  flags.declare(app);
  app.parse(line);
  return flags.read();
}

TEST(PeerFlagsTest, EachIsAnnouncedOrRefusedWithTheNameHere) {
  for (const PeerFlag& row : peer_flags()) {
    const std::string value = row.value == PeerFlagValue::kOne ? " 1" : "";
    const auto lines = read(std::string(row.name) + value);
    if (row.kind == PeerFlagKind::kRenamed) {
      ASSERT_FALSE(lines.ok()) << row.name;
      EXPECT_NE(lines.status().message().find(row.text), std::string::npos);
      continue;
    }
    ASSERT_TRUE(lines.ok()) << row.name;
    ASSERT_EQ(lines->size(), 1U);
    EXPECT_NE(lines->front().find(row.name), std::string::npos);
  }
  EXPECT_TRUE(read("")->empty());
}

}  // namespace
}  // namespace cairn::cli

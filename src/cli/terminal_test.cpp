#include "cli/terminal.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "base/file.h"

namespace cairn::cli {
namespace {

TEST(TerminalTest, TextOutOfFilesCannotSteerTheTerminal) {
  EXPECT_EQ(safe("plain \xC3\xA9 text"), "plain \xC3\xA9 text");
  EXPECT_EQ(safe("\x1B[31m\r\t\x7F\n"), "\\x1B[31m\\x0D\\x09\\x7F\\x0A");
  EXPECT_EQ(safe("\xC2\x9B"
                 "31m"),
            "\\xC2\\x9B31m")
      << "the one-byte form of ESC [";
  EXPECT_EQ(safe("bad \xFF"), "bad \\xFF");
  EXPECT_EQ(safe("one of:\n  :a\n  :b\nc"), "one of:\n  :a\n  :b\\x0Ac");
}

TEST(TerminalDeathTest, AMappedFileThatIsCutShortEndsTheProgramWithALine) {
  std::string path = testing::TempDir() + "cairn-cut-XXXXXX";
  ASSERT_GE(::mkstemp(path.data()), 0);
  ASSERT_TRUE(write_file_whole(path, std::string(1 << 16, 'x')).ok());
  const auto read_past_the_cut = [&] {
    explain_bus_errors();
    const auto file = MappedFile::open(path);
    if (!file.ok() || ::truncate(path.c_str(), 0) != 0) std::exit(3);
    std::exit(file->bytes()[40000] == std::byte{'x'} ? 4 : 5);
  };
  EXPECT_EXIT(read_past_the_cut(), testing::ExitedWithCode(1),
              "^cairn: a file became shorter while it was being read[^\n]*\n$");
  ::unlink(path.c_str());
}

}  // namespace
}  // namespace cairn::cli

// --out: whatever happens, the file at the path is the old one or the whole new one.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <thread>

#include "base/file.h"
#include "evidence/receipt/sample.h"
#include "evidence/wire/encode.h"
#include "tests/cli/program.h"

namespace cairn::cli_test {
namespace {

namespace fs = std::filesystem;
using evidence::document_text;

/// What each test writes through: attaching to `receipt` into `out`.
struct Attach {
  Program program;
  std::string receipt;
  std::string attestation;
  std::string out;
  std::string before = "the old file\n";
  std::string after;

  Attach() {
    evidence::Receipt one = evidence::sample_baseline();
    for (int i = 0; i < 2000; ++i) one.commands.push_back("cairn bench arm " + std::to_string(i));
    receipt = program.file("receipt.json", document_text(one));
    attestation = program.file("rep.json", document_text(evidence::sample_attestation(0)));
    fs::create_directory(program.folder() + "/out");
    out = program.file("out/next.json", before);
    after = program.run(line()).out;
  }

  std::string line() const {
    return "native-performance --attach-receipt " + receipt + " --system-baseline " + attestation;
  }
  std::string text() const { return read_file(out, 1 << 24).ok() ? *read_file(out, 1 << 24) : ""; }
};

/// Starts cairn and kills it after `delay`; its exit is reaped.
void run_and_kill(const Attach& attach, std::chrono::microseconds delay) {
  const pid_t child = ::fork();
  if (child == 0) {
    const int null = ::open("/dev/null", O_WRONLY);
    ::dup2(null, 1);
    ::dup2(null, 2);
    ::execl(CAIRN_BINARY, "cairn", "native-performance", "--attach-receipt", attach.receipt.c_str(),
            "--system-baseline", attach.attestation.c_str(), "--out", attach.out.c_str(), nullptr);
    ::_exit(127);
  }
  std::this_thread::sleep_for(delay);
  ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
}

TEST(OutTest, AKillAtAnyMomentLeavesTheOldFileOrTheWholeNewOne) {
  Attach attach;
  ASSERT_GT(attach.after.size(), 60000U);
  const auto start = std::chrono::steady_clock::now();
  attach.program.run(attach.line() + " --out " + attach.out);
  const auto whole_run = std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::steady_clock::now() - start);
  std::mt19937 random(7);
  int old = 0;
  int whole = 0;
  for (int i = 0; i < 120; ++i) {
    attach.program.file("out/next.json", attach.before);
    run_and_kill(attach, whole_run * (random() % 1300) / 1000);
    const std::string found = attach.text();
    old += found == attach.before ? 1 : 0;
    whole += found == attach.after ? 1 : 0;
    ASSERT_EQ(old + whole, i + 1) << "half a file of " << found.size() << " bytes";
  }
  std::printf("killed 120 times: %d old files, %d whole new ones\n", old, whole);
  // What a killed run leaves beside the file is a temporary of its own name, never the file.
  for (const auto& entry : fs::directory_iterator(attach.program.folder() + "/out")) {
    EXPECT_TRUE(entry.path().filename().string().starts_with("next.json")) << entry.path();
  }
}

TEST(OutTest, AFullDiskLeavesTheOldFileAndNothingBesideIt) {
  Attach attach;
  // A limit on the size of files fails a write as a full disk does, with EFBIG.
  const Said said = attach.program.run(attach.line() + " --out " + attach.out,
                                       "env sh -c 'trap \"\" XFSZ; ulimit -f 8; exec \"$@\"' sh");
  EXPECT_EQ(said.code, 1) << said.err;
  EXPECT_NE(said.err.find(attach.out), std::string::npos) << said.err;
  EXPECT_TRUE(attach.text() == attach.before);
  EXPECT_EQ(std::distance(fs::directory_iterator(attach.program.folder() + "/out"),
                          fs::directory_iterator()),
            1);
}

TEST(OutTest, ADiskThatIsReallyFullLeavesTheOldFile) {
  Attach attach;
  const std::string disk = attach.program.folder() + "/disk";
  fs::create_directory(disk);
  if (std::system(("mount -t tmpfs -o size=32k tmpfs " + disk + " 2>/dev/null").c_str()) != 0) {
    GTEST_SKIP() << "a small disk cannot be mounted here";
  }
  attach.program.file("disk/next.json", attach.before);
  const Said said = attach.program.run(attach.line() + " --out " + disk + "/next.json");
  EXPECT_EQ(said.code, 1) << said.err;
  const std::string left = *read_file(disk + "/next.json", 1 << 20);
  const auto files = std::distance(fs::directory_iterator(disk), fs::directory_iterator());
  EXPECT_EQ(std::system(("umount " + disk).c_str()), 0);
  EXPECT_TRUE(left == attach.before) << left.size() << " bytes";
  EXPECT_EQ(files, 1);
}

TEST(OutTest, AFolderThatIsReadOnlyIsAnErrorAndTheFileStays) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write anywhere";
  Attach attach;
  fs::permissions(attach.program.folder() + "/out", fs::perms::owner_read | fs::perms::owner_exec);
  const Said said = attach.program.run(attach.line() + " --out " + attach.out);
  fs::permissions(attach.program.folder() + "/out", fs::perms::owner_all);
  EXPECT_EQ(said.code, 1);
  EXPECT_TRUE(attach.text() == attach.before);
}

}  // namespace
}  // namespace cairn::cli_test

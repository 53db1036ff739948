// cairn report as a user runs it: pages written from evidence, checked, and the state record's past
// in git.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "base/file.h"
#include "evidence/pages/sample_tree.h"
#include "tests/cli/program.h"

namespace cairn::cli_test {
namespace {

namespace fs = std::filesystem;

/// The sample tree on the disk, without its pages.
std::string write_tree(const Program& program) {
  const evidence::Tree tree = evidence::SampleTree().build();
  for (const auto& [path, text] : tree.files) {
    const bool page = path.starts_with(evidence::kPagesFolder) && path.ends_with(".md");
    fs::create_directories(fs::path(program.folder() + "/tree/" + path).parent_path());
    if (!page && path != evidence::kGraphPagePath) program.file("tree/" + path, text);
  }
  return program.folder() + "/tree";
}

int shell(const std::string& line) { return std::system((line + " >/dev/null 2>&1").c_str()); }

TEST(ReportProgramTest, PagesAreWrittenFromTheEvidenceAndChecked) {  // M-60, M-77
  Program program;
  const std::string root = write_tree(program);
  const Said before = program.run("report --check --root " + root);
  EXPECT_EQ(before.code, 1);
  EXPECT_NE(before.err.find("[M-60]"), std::string::npos) << before.err;
  const Said written = program.run("report --root " + root);
  EXPECT_EQ(written.code, 0) << written.err;
  const evidence::Tree tree = evidence::SampleTree().build();
  for (const std::string name : {"decode.md", "serving.md", "README.md", "open-gaps.md"}) {
    const std::string path = std::string(evidence::kPagesFolder).append(name);
    EXPECT_EQ(*read_file(fs::path(root) / path, 1 << 24), tree.files.at(path)) << name;
  }
  const Said checked = program.run("report --check --root " + root);
  // The sample's settings are not cairn's, so its levers have no default (M-74).
  EXPECT_EQ(checked.err.find("[M-6"), std::string::npos) << checked.err;
  EXPECT_NE(checked.err.find("[M-74]"), std::string::npos) << checked.err;
}

TEST(ReportProgramTest, ALineIsAppendedAndTheCommittedPastIsKept) {  // M-06, M-09
  Program program;
  const std::string root = write_tree(program);
  const std::string record = root + "/" + std::string(evidence::kStatePath);
  const std::string past = *read_file(record, 1 << 24);
  const std::string git = "git -C " + root + " -c user.name=a -c user.email=a@b.c ";
  ASSERT_EQ(shell(git + "init"), 0);
  ASSERT_EQ(shell(git + "add ."), 0);
  ASSERT_EQ(shell(git + "commit -m one"), 0);
  const Said added = program.run(
      "report --append superseded --subject decode --evidence "
      "run-1/decode.json --root " +
      root);
  EXPECT_EQ(added.code, 0) << added.err;
  const std::string now = *read_file(record, 1 << 24);
  EXPECT_TRUE(now.starts_with(past));
  EXPECT_GT(now.size(), past.size());
  const Said kept = program.run("report --check --root " + root);
  EXPECT_EQ(kept.err.find("[M-06]"), std::string::npos) << kept.err;
  program.file("tree/" + std::string(evidence::kStatePath), now.substr(now.find('\n') + 1));
  const Said rewritten = program.run("report --check --root " + root);
  EXPECT_EQ(rewritten.code, 1);
  EXPECT_NE(rewritten.err.find("[M-06]"), std::string::npos) << rewritten.err;
}

TEST(ReportProgramTest, WrongUsageSaysSo) {
  Program program;
  for (const std::string line : {"x", "--check --pin-gates", "--append measured", "--what"}) {
    const Said said = program.run("report " + line);
    EXPECT_EQ(said.code, 2) << line;
    EXPECT_EQ(said.out, "") << line;
  }
  EXPECT_EQ(program.run("report --check --root /nowhere/at/all").code, 1);
  EXPECT_EQ(program.run("report -h").code, 0);  // asked for, so an answer and no error
}

TEST(ReportProgramTest, ThisTreesOwnPagesAgreeWithItsEvidence) {  // M-59, M-60, M-75, M-76, M-77
  Program program;
  const Said said = program.run("report --check --root " CAIRN_SOURCE_DIR);
  EXPECT_EQ(said.code, 0) << said.err;
}

}  // namespace
}  // namespace cairn::cli_test

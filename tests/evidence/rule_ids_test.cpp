// The rule ids of the contract, of the code and of the tests are the same.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <string>

namespace cairn {
namespace {

namespace fs = std::filesystem;
using Ids = std::set<std::string>;

std::string text_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

Ids ids_in(const std::string& text) {
  static const std::regex kId(R"(\b[JGRXCAPKNBEM]-\d\d\b)");
  return {std::sregex_token_iterator(text.begin(), text.end(), kId), {}};
}

bool is_test(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.ends_with("_test.cpp") || path.string().find("/tests/") != std::string::npos;
}

struct Found {
  Ids code;
  Ids tests;
};

Found scan() {
  Found found;
  for (const std::string folder :
       {"src/evidence", "src/cli", "src/base", "tests/evidence", "tests/cli"}) {
    for (const auto& entry :
         fs::recursive_directory_iterator(fs::path(CAIRN_SOURCE_DIR) / folder)) {
      const std::string kind = entry.path().extension().string();
      const bool ours = entry.path().filename() == "rule_ids_test.cpp";
      if (ours || (kind != ".cpp" && kind != ".h" && kind != ".py")) continue;
      (is_test(entry.path()) ? found.tests : found.code).merge(ids_in(text_of(entry.path())));
    }
  }
  return found;
}

Ids contract() {
  std::istringstream lines(text_of(CAIRN_SOURCE_DIR "/tests/evidence/rule_ids.txt"));
  Ids ids;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with('#')) ids.insert(line);
  }
  return ids;
}

/// Ids that no code enforces yet, or no test names yet. A row only goes away.
Ids not_yet() {
  return ids_in(R"(
      B-01 B-02 B-03 B-04 B-05 B-06 B-07 B-08 B-09 B-10 B-11 B-12 B-13 B-14
      B-15 B-16 B-20 B-21 B-22 B-23 B-24 B-25 B-26 B-27 B-28 B-29 B-30
      E-03 E-04 E-09 E-20 E-21 E-22 E-23 E-24 E-25 E-26 E-27
      K-01 K-02 K-03 K-04 K-05 K-11 K-12 K-13 K-14 K-15 K-20 K-21 K-22 K-23
      K-24 K-25 K-26 K-27 K-31 K-32 K-33 K-34 K-35 K-36 K-37
      M-01 M-02 M-03 M-04 M-05 M-06 M-07 M-08 M-09 M-10 M-11 M-12 M-13 M-14
      M-15 M-16 M-17 M-18 M-19 M-20 M-21 M-22 M-23 M-24 M-25 M-26 M-27 M-28
      M-29 M-30 M-31 M-32 M-33 M-34 M-35 M-36 M-37 M-38 M-39 M-40 M-41 M-42
      M-43 M-44 M-45 M-46 M-47 M-48 M-49 M-50 M-51 M-52 M-53 M-54 M-55 M-56
      M-57 M-58 M-59 M-60 M-61 M-62 M-63 M-64 M-65 M-66 M-67 M-68 M-69 M-70
      M-71 M-72 M-73 M-74 M-75 M-76 M-77
      N-01 N-02 N-03 N-04 N-05
      P-02 P-03 P-04 P-05 P-06 P-07 P-08 P-09 P-10 P-11 P-12 P-13 P-14 P-15
      P-16 P-17 P-18 P-19 P-20 P-21 P-22 P-23 P-24 P-25 P-26)");
}

TEST(RuleIdsTest, TheContractHas298Ids) { EXPECT_EQ(contract().size(), 298U); }

TEST(RuleIdsTest, EveryIdOfTheContractIsInCodeAndTestsOrListedAsOpen) {
  const Found found = scan();
  const Ids open = not_yet();
  for (const std::string& id : contract()) {
    const bool done = found.code.contains(id) && found.tests.contains(id);
    EXPECT_TRUE(done || open.contains(id)) << id << " is neither done nor listed"
                                           << (found.code.contains(id) ? "" : " (not in the code)")
                                           << (found.tests.contains(id) ? "" : " (not in a test)");
  }
}

TEST(RuleIdsTest, CodeAndTestsNameNoIdThatTheContractLacks) {
  const Ids known = contract();
  const Found found = scan();
  for (const Ids& ids : {found.code, found.tests, not_yet()}) {
    for (const std::string& id : ids) EXPECT_TRUE(known.contains(id)) << id;
  }
}

}  // namespace
}  // namespace cairn

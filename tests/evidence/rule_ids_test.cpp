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
      E-26
      M-01 M-02 M-03 M-04 M-05 M-06 M-07 M-08 M-09 M-10 M-11 M-12 M-13 M-14
      M-15 M-16 M-17 M-18 M-19 M-20 M-21 M-22 M-23 M-24 M-25 M-26 M-27 M-28
      M-29 M-30 M-31 M-32 M-33 M-34 M-35 M-36 M-37 M-38 M-39 M-40 M-41 M-42
      M-43 M-44 M-45 M-46 M-47 M-48 M-49 M-50 M-51 M-52 M-53 M-54 M-55 M-56
      M-57 M-58 M-59 M-60 M-61 M-62 M-63 M-64 M-65 M-66 M-67 M-68 M-69 M-70
      M-71 M-72 M-73 M-74 M-75 M-76 M-77)");
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
    const bool pages = id.starts_with('M');  // they are built apart from this list
    EXPECT_FALSE(done && open.contains(id) && !pages) << id << " is done: take it off the list";
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

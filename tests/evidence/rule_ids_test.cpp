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

TEST(RuleIdsTest, TheContractHas298Ids) { EXPECT_EQ(contract().size(), 298U); }

TEST(RuleIdsTest, ContractCodeAndTestsNameTheSameIds) {
  const Found found = scan();
  EXPECT_EQ(found.code, contract());
  EXPECT_EQ(found.tests, contract());
}

}  // namespace
}  // namespace cairn

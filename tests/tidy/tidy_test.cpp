// The tree keeps every rule, and every rule fails on a planted breach.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/tidy/rules.h"

namespace cairn::tidy {
namespace {

const Rule& rule(std::string_view name) {
  const auto found = std::ranges::find(rules(), name, &Rule::name);
  EXPECT_NE(found, rules().end()) << name;
  return *found;
}

std::string repeated(const std::string& line, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += line;
  return text;
}

class EveryRule : public testing::TestWithParam<Rule> {};

TEST_P(EveryRule, HoldsForTheWholeTree) {
  for (const SourceFile& file : read_sources(CAIRN_SOURCE_DIR, {"src", "tests"})) {
    for (const std::string& breach : GetParam().check(file)) ADD_FAILURE() << breach;
  }
}

std::string rule_name(const testing::TestParamInfo<Rule>& rule_info) {
  std::string name(rule_info.param.name);
  std::ranges::replace(name, ' ', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Tidy, EveryRule, testing::ValuesIn(rules().begin(), rules().end()),
                         rule_name);

struct Planted {
  std::string_view rule;
  SourceFile breach;
  SourceFile clean;
};

std::vector<Planted> planted() {
  const std::string long_function = "void f() {\n" + repeated("  g();\n", 70) + "}\n";
  return {
      {"room arrows",
       {.path = "src/engine/a.cpp", .text = "#include \"tokenizer/tokenizer.h\"\n"},
       {.path = "src/runtime/a.cpp", .text = "#include \"tokenizer/tokenizer.h\"\n"}},
      {"room arrows",
       {.path = "src/base/a.h", .text = "#include \"tensor/view.h\"\n"},
       {.path = "src/tensor/a.h", .text = "#include \"base/status.h\"\n"}},
      {"file size",
       {.path = "src/base/a.cpp", .text = repeated("int x;\n", 401)},
       {.path = "src/base/a.cpp", .text = repeated("int x;\n", 400)}},
      {"function size",
       {.path = "src/base/a.cpp", .text = long_function},
       {.path = "src/base/a.cpp", .text = "namespace {\n" + repeated("int x;\n", 70) + "}\n"}},
      {"device names",
       {.path = "src/models/a.cpp", .text = "// fast on AVX2\n"},
       {.path = "src/kernels/a.cpp", .text = "// fast on AVX2\n"}},
      {"environment",
       {.path = "src/runtime/a.cpp", .text = "auto p = std::getenv(\"HOME\");\n"},
       {.path = "src/cli/a.cpp", .text = "auto p = std::getenv(\"HOME\");\n"}},
      {"printing",
       {.path = "src/base/a.cpp", .text = "std::cout << 1;\n"},
       {.path = "src/base/a.cpp", .text = "// std::cout << 1;\n"}},
      {"using namespace",
       {.path = "src/base/a.cpp", .text = "using namespace std;\n"},
       {.path = "src/base/a.cpp", .text = "using std::string;\n"}},
      {"pragma once",
       {.path = "src/base/a.h", .text = "int f();\n"},
       {.path = "src/base/a.h", .text = "#pragma once\nint x;\n"}},
      {"leftovers",
       {.path = "src/base/a.cpp", .text = "// TODO: later\n"},
       {.path = "src/base/a.cpp", .text = "// later\n"}},
      {"documented",
       {.path = "src/base/a.h", .text = "namespace cairn {\n\nint twice(int value);\n"},
       {.path = "src/base/a.h", .text = "namespace cairn {\n\n/// 2 x.\nint twice(int value);\n"}},
  };
}

TEST(TidyTest, EachRuleFailsOnAPlantedBreachAndPassesWithoutIt) {
  std::vector<std::string_view> tried;
  for (const Planted& plant : planted()) {
    EXPECT_EQ(rule(plant.rule).check(plant.breach).size(), 1U) << plant.rule;
    EXPECT_TRUE(rule(plant.rule).check(plant.clean).empty()) << plant.rule;
    tried.push_back(plant.rule);
  }
  for (const Rule& each : rules()) {
    EXPECT_NE(std::ranges::find(tried, each.name), tried.end()) << each.name << " has no breach";
  }
}

TEST(TidyTest, NoBuildFlagTurnsOnAnInstructionSetForTheWholeBuild) {  // Y02
  for (const std::string name : {"CMakeLists.txt", "cmake/compiler.cmake", "cmake/rooms.cmake"}) {
    std::ifstream in(std::string(CAIRN_SOURCE_DIR) + "/" + name);
    std::string text((std::istreambuf_iterator<char>(in)), {});
    ASSERT_FALSE(text.empty()) << name;
    for (const std::string flag : {" -march=", " -mavx", " -mtune=native", "(-march="}) {
      EXPECT_EQ(text.find(flag), std::string::npos) << name << " says" << flag;
    }
  }
}

}  // namespace
}  // namespace cairn::tidy

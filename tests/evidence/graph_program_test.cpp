// cairn native-performance without documents: outputs, usage, graph files.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "base/file.h"
#include "evidence/data/pinned_graph.h"
#include "evidence/wire/encode.h"
#include "tests/cli/program.h"

namespace cairn::cli_test {
namespace {

std::string golden(const std::string& name) {
  const Result<std::string> text =
      read_file(CAIRN_SOURCE_DIR "/tests/golden/native-performance/" + name, 1 << 20);
  EXPECT_TRUE(text.ok()) << text.status().message();
  return text.ok() ? *text : "";
}

TEST(GraphProgramTest, TheFourOutputsAreTheFrozenOnes) {  // T-22
  Program program;
  const std::pair<std::string, std::string> outputs[] = {
      {"", "map.txt"}, {"--json", "graph.json"}, {"-next", "next.txt"}, {"--dot", "levers.dot"}};
  for (const auto& [flag, file] : outputs) {
    for (int time = 0; time < 2; ++time) {
      const Said said = program.run("native-performance " + flag);
      EXPECT_EQ(said.code, 0);
      EXPECT_EQ(said.err, "");
      EXPECT_EQ(said.out, golden(file)) << flag;
    }
  }
}

TEST(GraphProgramTest, WrongUsageIsExitCode2WithNothingOnStandardOutput) {  // T-102
  Program program;
  const std::pair<std::string, std::string> lines[] = {
      {"x", "[E-01]"},
      {"--json x", "[E-01]"},
      {"--json --next", "[E-02]"},
      {"--json --baseline x", "[E-02]"},
      {"--baseline ''", "[E-06]"},
      {"--out x", "[E-05]"},
      {"--json --out x", "[E-05]"},
      {"--nothing", "[E-07]"},
      {"--json=maybe", "[E-07]"},
      {"--baseline", "[E-07]"},
      {"--json --envelope qwen38-27b-q4k-a100-p1-decode", "[E-10]"},
      {"--graph ''", "[E-10]"},
      {"--help", "examples:"},
      {"-h", "examples:"}};
  for (const auto& [arguments, part] : lines) {
    const Said said = program.run("native-performance " + arguments);
    EXPECT_EQ(said.code, 2) << arguments;
    EXPECT_EQ(said.out, "") << arguments;
    EXPECT_NE(said.err.find(part), std::string::npos) << said.err;
    EXPECT_NE(said.err.find("usage: cairn native-performance"), std::string::npos) << said.err;
  }
}

TEST(GraphProgramTest, HelpOnDemandIsAnAnswer) {
  Program program;
  const Said said = program.run("help native-performance");
  EXPECT_EQ(said.code, 0);
  EXPECT_TRUE(said.out.starts_with("usage: cairn native-performance"));
  EXPECT_EQ(said.err, "");
}

TEST(GraphProgramTest, OneEnvelopeCanBeAskedFor) {  // T-107
  Program program;
  const Said said =
      program.run("native-performance --next --envelope qwen38-27b-q4k-a100-p1-decode");
  EXPECT_EQ(said.code, 0);
  EXPECT_NE(said.out.find("Lever: cuda.q8_1-activation-quant\n"), std::string::npos);
  EXPECT_NE(said.out.find("Conflicts: cuda.scalar-f32-activation-baseline (enabled:"),
            std::string::npos);
  const Said unknown = program.run("native-performance --next --envelope x");
  EXPECT_EQ(unknown.code, 1);
  EXPECT_TRUE(is_one_line_with(unknown.err, "cairn native-performance: |[E-10]|\"x\""))
      << unknown.err;
}

TEST(GraphProgramTest, AGraphFileServesEveryModeAndIsValidatedFirst) {  // E-08
  Program program;
  evidence::Graph graph = evidence::pinned_graph();
  graph.levers[1].enabled = true;
  const std::string path = program.file("graph.json", evidence::document_text(graph));
  const Said next = program.run("native-performance --graph " + path + " --next");
  EXPECT_EQ(next.code, 0) << next.err;
  EXPECT_NE(next.out.find("Lever: metal.fused-hybrid-graph-coverage\n"), std::string::npos);
  EXPECT_EQ(program.run("native-performance --json --graph=" + path).out,
            evidence::document_text(graph));

  graph.levers[1].status = "absent";
  graph.rungs[0].id = "";
  const std::string bad = program.file("bad.json", evidence::document_text(graph));
  for (const std::string mode : {"", "--json", "--next", "--dot", "--baseline metal.paged-kv"}) {
    const Said said = program.run("native-performance --graph " + bad + " " + mode);
    EXPECT_EQ(said.code, 1);
    EXPECT_EQ(said.out, "");
    EXPECT_NE(said.err.find(bad + ": [G-04] rungs[0].id: found"), std::string::npos) << said.err;
    EXPECT_NE(said.err.find(bad + ": [G-20] levers[1]: found"), std::string::npos) << said.err;
  }
  EXPECT_EQ(program.run("native-performance --graph /nowhere/graph.json").code, 1);
}

TEST(GraphProgramTest, AnOptInRuleWarnsAndUnderStrictRefuses) {
  Program program;
  evidence::Graph graph = evidence::pinned_graph();
  graph.levers[2].enabled = true;  // its dependency is not
  const std::string path = program.file("graph.json", evidence::document_text(graph));
  const Said warned = program.run("native-performance --json --graph " + path);
  EXPECT_EQ(warned.code, 0);
  EXPECT_EQ(warned.out, evidence::document_text(graph));
  EXPECT_NE(warned.err.find("warning: " + path + ": [G-34]"), std::string::npos) << warned.err;
  const Said refused = program.run("native-performance --json --strict --graph " + path);
  EXPECT_EQ(refused.code, 1);
  EXPECT_EQ(refused.out, "");
}

TEST(GraphProgramTest, AnUnknownLeverHasNoTemplate) {  // T-25
  Program program;
  const Said said = program.run("native-performance --baseline metal.nothing");
  EXPECT_EQ(said.code, 1);
  EXPECT_EQ(said.out, "");
  EXPECT_TRUE(is_one_line_with(said.err, "\"metal.nothing\"|pinned graph")) << said.err;
}

TEST(GraphProgramTest, TheNameOfTheProgramIsTheOneItWasStartedUnder) {
  const std::string fak = std::string(CAIRN_BINARY).substr(0, std::string(CAIRN_BINARY).rfind('/'));
  Program program;
  const std::string err = program.folder() + "/err";
  EXPECT_NE(std::system(fmt::format("{}/fak native-performance x 2>{}", fak, err).c_str()), 0);
  const Result<std::string> text = read_file(err, 1 << 16);
  ASSERT_TRUE(text.ok());
  EXPECT_TRUE(text->starts_with("fak native-performance: [E-01]")) << *text;
  EXPECT_NE(text->find("usage: fak native-performance"), std::string::npos);
}

}  // namespace
}  // namespace cairn::cli_test

// docs/examples/ holds one document of every kind: as the samples make them, and each taken by the
// command that reads its kind.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "base/file.h"
#include "tests/cli/program.h"
#include "tests/evidence/examples.h"

namespace cairn::cli_test {
namespace {

const std::string kExamples = CAIRN_SOURCE_DIR "/docs/examples/";

TEST(ExamplesTest, TheCommittedDocumentsAreThoseOfTheSamples) {
  std::set<std::string> names;
  for (const auto& [name, text] : evidence::example_documents()) {
    const Result<std::string> committed = read_file(kExamples + name, 1 << 24);
    ASSERT_TRUE(committed.ok()) << committed.status().message() << ": run make_examples";
    EXPECT_EQ(*committed, text) << name << ": run make_examples";
    names.insert(name);
  }
  for (const auto& entry : std::filesystem::directory_iterator(kExamples)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".json") || name.ends_with(".jsonl")) {
      EXPECT_TRUE(names.contains(name)) << name;
    }
  }
}

TEST(ExamplesTest, EachDocumentIsTakenByItsCommand) {
  Program program;
  const std::string compare = "native-performance --compare " + kExamples +
                              "receipt-baseline.json --candidate " + kExamples +
                              "receipt-candidate.json";
  const Said difference = program.run(compare);
  EXPECT_EQ(difference.code, 0) << difference.err;
  EXPECT_EQ(difference.out, *read_file(kExamples + "comparison.json", 1 << 20));
  for (const std::string name : {"receipt-baseline", "receipt-candidate"}) {
    const Said said = program.run(fmt::format("receipts verify {}{}.json", kExamples, name));
    EXPECT_EQ(said.code, 0) << said.err;
  }
  EXPECT_EQ(program.run("receipts verify " + kExamples + "receipt-template.json").code, 1);
  const Said seal = program.run("bench system-baseline --verify " + kExamples + "attestation.json");
  EXPECT_EQ(seal.code, 0) << seal.err;
  for (const auto& [name, code] :
       {std::pair<std::string, int>{"pass", 0}, {"investigate", 0}, {"regression", 3}}) {
    const Said said = program.run(
        fmt::format("native-performance --strict --gate {}gate-{}.json", kExamples, name));
    EXPECT_EQ(said.code, code) << said.err;
    EXPECT_EQ(said.out, *read_file(fmt::format("{}verdict-{}.json", kExamples, name), 1 << 20));
  }
  const Said template_again = program.run("native-performance --baseline metal.paged-kv");
  EXPECT_EQ(template_again.out, *read_file(kExamples + "receipt-template.json", 1 << 20));
}

TEST(ExamplesTest, TheGraphOfTheTreeHoldsThePinnedOneFirst) {  // I-1, I-2
  Program program;
  const std::string graph = CAIRN_SOURCE_DIR "/docs/evidence/graph.json";
  const Said own = program.run("native-performance --json --graph " + graph);
  EXPECT_EQ(own.code, 0) << own.err;
  EXPECT_EQ(own.out, *read_file(graph, 1 << 24));
  EXPECT_EQ(program.run("native-performance --next --graph " + graph).out,
            program.run("native-performance --next").out);
  const Said next = program.run("native-performance --next --graph " + graph +
                                " --envelope smollm2-135m-q4_1-x86-2cpu-p32-t64");
  EXPECT_NE(next.out.find("Lever: cpu.smollm2.vnni-tier\n"), std::string::npos) << next.out;
}

}  // namespace
}  // namespace cairn::cli_test

// Every rule of a graph, one planted defect each.
#include "evidence/graph/validate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "evidence/data/pinned_graph.h"
#include "evidence/graph/platforms.h"

namespace cairn::evidence {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Plant {
  std::string id;
  std::string what;
  std::function<void(Graph&)> plant;
};

bool has(const Findings& findings, std::string_view id) {
  return std::ranges::any_of(findings,
                             [&](const Finding& finding) { return finding.ids[0] == id; });
}

/// Adds a cpu envelope with two levers, as v3 allows.
void to_v3(Graph& graph) {
  graph.schema = kGraphSchemaV3;
  Envelope envelope = graph.envelopes[0];
  envelope.id = "own";
  envelope.engine = "cairn";
  envelope.backend = "cpu";
  graph.envelopes.push_back(envelope);
  Lever lever = graph.levers[1];
  lever.id = "cpu.own.base";
  lever.applicability = {.envelope_id = "own", .platform = "linux/amd64", .backend = "cpu"};
  lever.dependency_ids = {};
  graph.levers.push_back(lever);
}

std::vector<Plant> ladder_plants() {
  return {
      {"G-02", "T-07", [](Graph& g) { g.comparison.classification = "witnessed"; }},
      {"G-03", "T-07", [](Graph& g) { g.comparison.tokens_per_second = 0; }},
      {"G-03", "not finite", [](Graph& g) { g.rungs[0].witnessed->tokens_per_second = kInfinity; }},
      {"G-03", "engine", [](Graph& g) { g.comparison.engine = " "; }},
      {"G-03", "date", [](Graph& g) { g.comparison.observed_on = ""; }},
      {"G-03", "provenance", [](Graph& g) { g.comparison.provenance = ""; }},
      {"G-03", "comparability", [](Graph& g) { g.comparison.comparability = "close"; }},
      {"G-04", "blank", [](Graph& g) { g.rungs[2].id = " "; }},
      {"G-05", "T-01", [](Graph& g) { g.rungs[2].id = g.rungs[1].id; }},
      {"G-06", "status", [](Graph& g) { g.rungs[1].status = "done"; }},
      {"G-07", "T-05", [](Graph& g) { g.rungs[1].expected.classification = "witnessed"; }},
      {"G-08", "T-04 order", [](Graph& g) { g.rungs[1].expected.floor_tokens_per_second = 7; }},
      {"G-08", "T-04 zero", [](Graph& g) { g.rungs[1].expected.floor_tokens_per_second = 0; }},
      {"G-08", "T-04 inf",
       [](Graph& g) { g.rungs[1].expected.roof_tokens_per_second = kInfinity; }},
      {"G-08", "provenance", [](Graph& g) { g.rungs[1].expected.provenance = ""; }},
      {"G-09", "T-06", [](Graph& g) { g.rungs[0].witnessed->classification = "hypothesis"; }},
      {"G-10", "T-02", [](Graph& g) { g.rungs[1].dependency_ids = {"nothing"}; }},
      {"G-11", "T-03 three", [](Graph& g) { g.rungs[0].dependency_ids = {g.rungs[2].id}; }},
      {"G-11", "T-03 self", [](Graph& g) { g.rungs[0].dependency_ids = {g.rungs[0].id}; }},
      {"G-12", "blank", [](Graph& g) { g.features[0].id = ""; }},
      {"G-12", "T-08 twice", [](Graph& g) { g.features[0].id = g.features[1].id; }},
      {"G-13", "T-08 rung", [](Graph& g) { g.features[0].rung_id = "nothing"; }},
      {"G-14", "T-08 absent", [](Graph& g) { g.features[0].status = "absent"; }},
      {"G-14", "T-08 present", [](Graph& g) { g.features[2].status = "present"; }},
      {"G-14", "status", [](Graph& g) { g.features[1].status = "some"; }},
      {"G-15", "T-08 observable", [](Graph& g) { g.features[0].observable = "\t"; }},
      {"G-32", "absent", [](Graph& g) { g.rungs[0].status = "absent"; }},
      {"G-32", "present", [](Graph& g) { g.rungs[2].status = "present"; }},
      {"G-36", "T-105", [](Graph& g) { g.rungs[0].witnessed->engine = "llama.cpp b9828"; }},
      {"G-36", "comparison", [](Graph& g) { g.comparison.engine = "fak-native"; }},
  };
}

std::vector<Plant> envelope_plants() {
  return {
      {"G-01", "v1", [](Graph& g) { g.schema = "fak-native-performance-graph/v1"; }},
      {"G-16", "blank", [](Graph& g) { g.envelopes[1].id = ""; }},
      {"G-16", "twice", [](Graph& g) { g.envelopes[1].id = g.envelopes[0].id; }},
      {"G-17", "engine", [](Graph& g) { g.envelopes[1].engine = "cairn"; }},
      {"G-17", "backend", [](Graph& g) { g.envelopes[1].backend = ""; }},
      {"G-17", "hardware", [](Graph& g) { g.envelopes[1].hardware = ""; }},
      {"G-17", "model", [](Graph& g) { g.envelopes[1].model = ""; }},
      {"G-17", "quantization", [](Graph& g) { g.envelopes[1].quantization = ""; }},
      {"G-17", "hash", [](Graph& g) { g.envelopes[1].artifact_sha256 = " "; }},
      {"G-17", "path", [](Graph& g) { g.envelopes[1].forward_path = ""; }},
      {"G-17", "memory", [](Graph& g) { g.envelopes[1].memory_gib = -1; }},
      {"G-17", "prompt", [](Graph& g) { g.envelopes[1].prompt_tokens = 0; }},
      {"G-17", "decode", [](Graph& g) { g.envelopes[1].decode_tokens = 0; }},
      {"G-17", "repetitions", [](Graph& g) { g.envelopes[1].repetitions = 0; }},
      {"G-17", "pinned engine in v3",
       [](Graph& g) {
         to_v3(g);
         g.envelopes[1].engine = "cairn";
       }},
      {"G-17", "engine name in v3",
       [](Graph& g) {
         to_v3(g);
         g.envelopes[2].engine = "Cairn";
       }},
      {"G-18", "T-17 swapped", [](Graph& g) { std::swap(g.envelopes[0], g.envelopes[1]); }},
      {"G-18", "T-17 one field", [](Graph& g) { g.envelope.comparability_rule += " "; }},
      {"G-18", "T-18", [](Graph& g) { g.envelopes.clear(); }},
  };
}

std::vector<Plant> v3_plants() {
  return {
      {"G-37", "temperature", [](Graph& g) { g.envelopes[1].temperature = 1; }},
      {"Z-02", "comparison of nothing",
       [](Graph& g) {
         to_v3(g);
         g.comparisons = {{.envelope_id = "nothing", .throughput = g.comparison}};
       }},
      {"G-02", "v3 entry",
       [](Graph& g) {
         to_v3(g);
         g.comparisons = {{.envelope_id = "own", .throughput = g.comparison}};
         g.comparisons->at(0).throughput.classification = "witnessed";
       }},
      {"G-36", "v3 entry",
       [](Graph& g) {
         to_v3(g);
         g.comparisons = {{.envelope_id = "own", .throughput = g.comparison}};
         g.comparisons->at(0).throughput.engine = "cairn";
       }},
      {"Z-07", "class",
       [](Graph& g) {
         to_v3(g);
         g.profile_routes = {{"own", "slow", "cpu.own.base"}};
       }},
      {"Z-07", "lever of another envelope",
       [](Graph& g) {
         to_v3(g);
         g.profile_routes = {{"own", "launch-bound", "metal.paged-kv"}};
       }},
      {"Z-07", "twice",
       [](Graph& g) {
         to_v3(g);
         const ProfileRoute route = {"own", "launch-bound", "cpu.own.base"};
         g.profile_routes = {route, route};
       }},
  };
}

std::vector<Plant> lever_plants() {
  return {
      {"G-19", "blank", [](Graph& g) { g.levers[7].id = ""; }},
      {"G-19", "twice", [](Graph& g) { g.levers[7].id = g.levers[6].id; }},
      {"G-20", "T-09 absent", [](Graph& g) { g.levers[0].status = "absent"; }},
      {"G-20", "T-09 present", [](Graph& g) { g.levers[1].status = "present"; }},
      {"G-20", "status", [](Graph& g) { g.levers[1].status = "maybe"; }},
      {"G-21", "envelope", [](Graph& g) { g.levers[1].applicability.envelope_id = "nothing"; }},
      {"G-22", "T-10 backend", [](Graph& g) { g.levers[8].applicability.backend = "metal"; }},
      {"G-22", "T-10 platform",
       [](Graph& g) { g.levers[8].applicability.platform = "linux/amd64"; }},
      {"G-22", "own platform in v3",
       [](Graph& g) {
         to_v3(g);
         g.levers[12].applicability.platform = "plan9/amd64";
       }},
      {"G-22", "pinned platform in v3",
       [](Graph& g) {
         to_v3(g);
         g.levers[8].applicability.platform = "linux/arm64+nvidia-h100";
       }},
      {"G-23", "class", [](Graph& g) { g.levers[1].expected.classification = "witnessed"; }},
      {"G-23", "summary", [](Graph& g) { g.levers[1].expected.summary = ""; }},
      {"G-23", "provenance", [](Graph& g) { g.levers[1].expected.provenance = ""; }},
      {"G-24", "T-16", [](Graph& g) { g.levers[0].witnessed->receipt = ""; }},
      {"G-24", "class", [](Graph& g) { g.levers[0].witnessed->classification = "hypothesis"; }},
      {"G-24", "summary", [](Graph& g) { g.levers[0].witnessed->summary = ""; }},
      {"G-24", "provenance", [](Graph& g) { g.levers[0].witnessed->provenance = ""; }},
      {"G-25", "number", [](Graph& g) { g.levers[1].owning_issue.number = 0; }},
      {"G-25", "url", [](Graph& g) { g.levers[1].owning_issue.url = ""; }},
      {"G-25", "witness", [](Graph& g) { g.levers[1].next_witness = ""; }},
      {"G-26", "dependency", [](Graph& g) { g.levers[1].dependency_ids = {"nothing"}; }},
      {"G-26", "conflict", [](Graph& g) { g.levers[1].conflict_ids = {"nothing"}; }},
      {"G-27", "T-13", [](Graph& g) { g.levers[1].dependency_ids = {g.levers[8].id}; }},
      {"G-28", "T-14", [](Graph& g) { g.levers[1].conflict_ids = {g.levers[0].id}; }},
      {"G-28", "twice", [](Graph& g) { g.levers[1].dependency_ids.push_back(g.levers[0].id); }},
      {"G-29", "T-11", [](Graph& g) { g.levers[9].conflict_ids = {}; }},
      {"G-30", "T-12",
       [](Graph& g) {
         g.levers[9].enabled = true;
         g.levers[9].status = "present";
       }},
      {"G-31", "T-15 two", [](Graph& g) { g.levers[0].dependency_ids = {g.levers[1].id}; }},
      {"G-31", "T-15 self", [](Graph& g) { g.levers[0].dependency_ids = {g.levers[0].id}; }},
      {"G-33", "self", [](Graph& g) { g.levers[4].conflict_ids = {g.levers[4].id}; }},
      {"G-35", "T-48 pin", [](Graph& g) { g.levers[8].witnessed = g.levers[0].witnessed; }},
      {"Z-06", "blank inside",
       [](Graph& g) {
         to_v3(g);
         g.levers[12].id = "cpu own";
       }},
  };
}

TEST(ValidateGraphTest, ThePinnedGraphIsValid) {
  EXPECT_EQ(to_lines(validate_graph(pinned_graph()), "graph"), "");
  EXPECT_EQ(to_lines(graph_warnings(pinned_graph()), "graph"), "");
  Graph v3 = pinned_graph();
  to_v3(v3);
  EXPECT_EQ(to_lines(validate_graph(v3), "graph"), "");
}

TEST(ValidateGraphTest, EveryRuleFindsItsDefectAndIsSilentWhenOff) {
  for (const auto& plants : {ladder_plants(), envelope_plants(), v3_plants(), lever_plants()}) {
    for (const Plant& plant : plants) {
      Graph graph = pinned_graph();
      plant.plant(graph);
      EXPECT_TRUE(has(validate_graph(graph), plant.id)) << plant.id << " " << plant.what;
      EXPECT_FALSE(has(validate_graph(graph, {.off = plant.id}), plant.id)) << plant.id;
    }
  }
}

TEST(ValidateGraphTest, ADisabledPartialLeverIsAccepted) {  // T-09
  Graph graph = pinned_graph();
  graph.levers[3].status = "partial";
  EXPECT_TRUE(validate_graph(graph).empty());
}

TEST(ValidateGraphTest, AnEnabledLeverWithADisabledDependencyIsOnlyWarnedOf) {
  Graph graph = pinned_graph();
  graph.levers[2].enabled = true;
  EXPECT_TRUE(validate_graph(graph).empty());
  EXPECT_TRUE(has(graph_warnings(graph), "G-34"));
  EXPECT_TRUE(graph_warnings(graph, {.off = "G-34"}).empty());
}

TEST(ValidateGraphTest, ACycleIsToldFromTheRepeatedIdBackToItself) {  // T-03
  Graph graph = pinned_graph();
  graph.rungs[0].dependency_ids = {graph.rungs[2].id};
  const Findings findings = validate_graph(graph);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].found,
            "the cycle resident-q4k-baseline -> matched-native-parity -> "
            "coarse-resident-hybrid-graph -> resident-q4k-baseline");
}

TEST(ValidateGraphTest, ManyFaultsComeInOneSortedReport) {  // T-19
  Graph graph = pinned_graph();
  for (const auto& plants : {ladder_plants(), lever_plants()}) {
    for (const Plant& plant : plants) {
      if (plant.id == "G-02" || plant.id == "G-20" || plant.id == "G-25") plant.plant(graph);
    }
  }
  const Findings findings = validate_graph(graph);
  std::vector<std::string> texts;
  for (const Finding& finding : findings) texts.push_back(finding.text());
  EXPECT_TRUE(std::ranges::is_sorted(texts));
  for (const std::string_view id : {"G-02", "G-20", "G-25"}) EXPECT_TRUE(has(findings, id)) << id;
  EXPECT_GE(findings.size(), 6U);
}

TEST(ValidateGraphTest, ALongChainOfLeversIsWalkedWithoutTheStack) {
  Graph graph = pinned_graph();
  const Lever last = graph.levers[7];
  for (int i = 0; i < 100'000; ++i) {
    Lever lever = last;
    lever.id = "metal.chain" + std::to_string(i);
    lever.dependency_ids = {i == 0 ? last.id : "metal.chain" + std::to_string(i - 1)};
    graph.levers.push_back(lever);
  }
  EXPECT_TRUE(validate_graph(graph).empty());
  graph.levers[7].dependency_ids = {graph.levers.back().id};
  EXPECT_TRUE(has(validate_graph(graph), "G-31"));
}

TEST(ValidateGraphTest, PlatformsAreThoseOfTheRegistry) {
  for (const auto& [backend, platform] :
       std::vector<std::pair<std::string, std::string>>{{"metal", "darwin/arm64"},
                                                        {"cuda", "linux/amd64+nvidia-a100"},
                                                        {"cuda", "linux/arm64+nvidia-gh200"},
                                                        {"cpu", "linux/amd64"},
                                                        {"cpu", "windows/arm64+avx512"},
                                                        {"vulkan", "linux/amd64+lavapipe"}}) {
    EXPECT_TRUE(is_registered_pair(backend, platform)) << backend << " " << platform;
  }
  for (const auto& [backend, platform] :
       std::vector<std::pair<std::string, std::string>>{{"metal", "linux/arm64"},
                                                        {"metal", "darwin/arm64+m3"},
                                                        {"cuda", "linux/amd64"},
                                                        {"cuda", "linux/amd64+a100"},
                                                        {"cuda", "linux/amd64+nvidia-"},
                                                        {"cpu", "linux/amd64+"},
                                                        {"cpu", "linux/amd64+A"},
                                                        {"vulkan", "linux/amd64"},
                                                        {"rocm", "linux/amd64"}}) {
    EXPECT_FALSE(is_registered_pair(backend, platform)) << backend << " " << platform;
  }
}

}  // namespace
}  // namespace cairn::evidence

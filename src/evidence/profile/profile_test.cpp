// Every rule of a profile and of its classification, and the fixtures of 9.2.
#include "evidence/profile/profile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "base/file.h"
#include "evidence/data/pinned_graph.h"
#include "evidence/profile/classify.h"
#include "evidence/profile/lever_index.h"
#include "evidence/wire/encode.h"
#include "tests/evidence/profiles/rejected.h"

namespace cairn::evidence {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::string fixture(const std::string& name) {
  const Result<std::string> text =
      read_file(CAIRN_SOURCE_DIR "/tests/evidence/profiles/" + name + ".json", 1 << 20);
  EXPECT_TRUE(text.ok()) << text.status().message();
  return text.ok() ? *text : "";
}

Profile good(const std::string& name = "synthetic-metal-launch-bound") {
  Decoded<Profile> read = decode_profile(fixture(name));
  EXPECT_TRUE(read.ok()) << to_lines(read.findings, name);
  return read.value;
}

Profile good_cuda() { return good("synthetic-cuda-bandwidth-bound"); }

bool has(const Findings& findings, std::string_view id) {
  return std::ranges::any_of(findings,
                             [&](const Finding& finding) { return finding.ids[0] == id; });
}

struct Plant {
  std::string id;
  std::string what;
  std::function<void(Profile&)> plant;
};

std::vector<Plant> plants() {
  return {
      {"P-04", "schema", [](Profile& p) { p.schema = "v9"; }},
      {"P-05", "envelope", [](Profile& p) { p.envelope_id = "nothing"; }},
      {"P-06", "engine", [](Profile& p) { p.execution.engine = "other"; }},
      {"P-06", "path", [](Profile& p) { p.execution.forward_path = " "; }},
      {"P-06", "fallback", [](Profile& p) { p.execution.fallback_count = 1; }},
      {"P-07", "path", [](Profile& p) { p.execution.forward_path = "metal/other"; }},
      {"P-08", "T-80 seven", [](Profile& p) { p.phases.push_back(p.phases[5]); }},
      {"P-09", "T-80 order", [](Profile& p) { std::swap(p.phases[0].name, p.phases[1].name); }},
      {"P-10", "T-80 start", [](Profile& p) { p.phases[0].start_milliseconds = -1; }},
      {"P-11", "T-80 zero", [](Profile& p) { p.phases[5].duration_milliseconds = 0; }},
      {"P-12", "T-80 overflow",
       [](Profile& p) {
         p.phases[5].start_milliseconds = 1e308;
         p.phases[5].duration_milliseconds = 1e308;
       }},
      {"P-13", "overlap", [](Profile& p) { p.phases[2].start_milliseconds = 20; }},
      {"P-14", "other block", [](Profile& p) { p.cuda = good_cuda().cuda; }},
      {"P-14", "no block", [](Profile& p) { p.metal.reset(); }},
      {"P-15", "buffers", [](Profile& p) { p.metal->command_buffers = 0; }},
      {"P-15", "encoders", [](Profile& p) { p.metal->encoders = 0; }},
      {"P-15", "dispatch", [](Profile& p) { p.metal->dispatch_milliseconds = 0; }},
      {"P-15", "wait", [](Profile& p) { p.metal->wait_milliseconds = -1; }},
      {"P-15", "infinite", [](Profile& p) { p.metal->wait_milliseconds = kInfinity; }},
      {"P-15", "resident", [](Profile& p) { p.metal->resident_bytes = 0; }},
      {"P-15", "working set", [](Profile& p) { p.metal->working_set_bytes = 0; }},
  };
}

std::vector<Plant> attribution_plants() {
  return {
      {"P-16", "neither", [](Profile& p) { p.attributions.clear(); }},
      {"P-16", "T-82 both",
       [](Profile& p) {
         p.attribution_unavailable = {"backend-does-not-expose-dispatch-attribution", "d"};
       }},
      {"P-17", "T-82 reason",
       [](Profile& p) {
         p.attribution_unavailable = {"not-sure", "d"};
       }},
      {"P-17", "T-82 blank",
       [](Profile& p) {
         p.attribution_unavailable = {"backend-does-not-expose-dispatch-attribution", " "};
       }},
      {"P-17", "T-82 private",
       [](Profile& p) {
         p.attribution_unavailable = {"backend-does-not-expose-dispatch-attribution", "at /x"};
       }},
      {"P-18", "name", [](Profile& p) { p.attributions[0].name = ""; }},
      {"P-18", "private", [](Profile& p) { p.attributions[0].name = "u@h"; }},
      {"P-18", "T-83 layer", [](Profile& p) { p.attributions[0].layer = -1; }},
      {"P-18", "T-83 count", [](Profile& p) { p.attributions[0].count = 0; }},
      {"P-19", "lever", [](Profile& p) { p.attributions[0].lever_id = "metal.nothing"; }},
      {"P-20", "envelope", [](Profile& p) { p.attributions[0].lever_id = "cuda.dp4a-q4k-mmvq"; }},
      {"P-21", "mixed", [](Profile& p) { p.attributions[1].lever_id = "metal.paged-kv"; }},
      {"P-22", "T-83 twice", [](Profile& p) { p.attributions[1] = p.attributions[0]; }},
      {"P-23", "comparison", [](Profile& p) { p.counter_comparisons.emplace_back(); }},
      {"P-24", "T-89 issue",
       [](Profile& p) {
         p.selection_override = {0, "r"};
       }},
      {"P-24", "T-89 blank",
       [](Profile& p) {
         p.selection_override = {1, ""};
       }},
      {"P-24", "T-89 private",
       [](Profile& p) {
         p.selection_override = {1, "see /home/x"};
       }},
  };
}

TEST(ProfileTest, EveryRuleFindsItsDefectAndIsSilentWhenOff) {
  const Graph graph = pinned_graph();
  EXPECT_EQ(to_lines(validate_profile(graph, good()), "profile"), "");
  for (const auto& table : {plants(), attribution_plants()}) {
    for (const Plant& plant : table) {
      Profile profile = good();
      plant.plant(profile);
      EXPECT_TRUE(has(validate_profile(graph, profile), plant.id)) << plant.id << plant.what;
      EXPECT_FALSE(has(validate_profile(graph, profile, {.off = plant.id}), plant.id)) << plant.id;
    }
  }
}

TEST(ProfileTest, AnInvalidGraphAndABackendWithoutABlockAreRefused) {
  Graph graph = pinned_graph();
  graph.levers[5].owning_issue.number = 0;
  const Findings nested = validate_profile(graph, good());
  ASSERT_FALSE(nested.empty());
  EXPECT_EQ(nested[0].ids, (std::vector<std::string>{"P-03", "G-25"}));
  EXPECT_TRUE(validate_profile(graph, good(), {.off = "P-03"}).empty());
  graph = pinned_graph();
  graph.envelopes[0].backend = "rocm";
  EXPECT_TRUE(has(validate_profile(graph, good()), "P-25"));
  EXPECT_FALSE(has(validate_profile(graph, good(), {.off = "P-25"}), "P-25"));
}

TEST(ProfileTest, CudaCountersHaveTheirLimits) {  // T-81
  const std::pair<bool, std::function<void(CudaCounters&)>> cases[] = {
      {false, [](CudaCounters& c) { c.occupancy_percent = 100.1; }},
      {false, [](CudaCounters& c) { c.achieved_bandwidth_gbs = 1001; }},
      {false, [](CudaCounters& c) { c.achieved_compute_tflops = 101; }},
      {false, [](CudaCounters& c) { c.peak_bandwidth_gbs = 0; }},
      {false, [](CudaCounters& c) { c.launches = 0; }},
      {false, [](CudaCounters& c) { c.synchronization_milliseconds = -1; }},
      {true, [](CudaCounters& c) { c.achieved_bandwidth_gbs = 0; }},
      {true, [](CudaCounters& c) { c.occupancy_percent = 100; }},
  };
  for (const auto& [valid, change] : cases) {
    Profile profile = good_cuda();
    change(*profile.cuda);
    EXPECT_EQ(!has(validate_profile(pinned_graph(), profile), "P-15"), valid);
  }
}

TEST(ProfileTest, TouchingPhasesAndGapsAreFineAndUnavailableReplacesEmpty) {  // T-80, T-82
  Profile profile = good();
  profile.phases[5].start_milliseconds = 100;
  EXPECT_TRUE(validate_profile(pinned_graph(), profile).empty());
  profile.attributions.clear();
  profile.attribution_unavailable = {"capture-tool-does-not-export-dispatch-attribution", "none"};
  EXPECT_TRUE(validate_profile(pinned_graph(), profile).empty());
}

TEST(ProfileTest, EachRejectionFixtureIsRefusedByItsRule) {  // T-77, P-02
  for (const auto& [rejected, id] : kRejectedProfiles) {
    const std::string name(rejected);
    const Decoded<Profile> read = decode_profile(fixture("reject-" + name));
    const bool decode_stage = id == "J-04" || id == "P-01";
    EXPECT_EQ(read.ok(), !decode_stage) << name;
    const Findings findings =
        decode_stage ? read.findings : validate_profile(pinned_graph(), read.value);
    EXPECT_TRUE(has(findings, id)) << name << to_lines(findings, name);
  }
}

TEST(ProfileTest, ManyAttributionsAgainstManyLeversTakeFewSteps) {  // P-19, P-20
  Graph graph = pinned_graph();
  const Lever lever = graph.levers[0];
  for (int i = 0; i < 4000; ++i) {
    graph.levers.push_back(lever);
    graph.levers.back().id = "metal.x" + std::to_string(i);
  }
  Profile profile = good();
  const LayerAttribution one = profile.attributions[0];
  for (int i = 0; i < 4000; ++i) {
    profile.attributions.push_back(one);
    profile.attributions.back().lever_id = "metal.x" + std::to_string(7 * i);
  }
  const LeverIndex levers(graph);
  const std::size_t before = levers.steps();
  EXPECT_TRUE(has(validate_profile(graph, levers, profile), "P-19"));
  const std::size_t steps = levers.steps() - before;
  const std::size_t lookups = 2 * profile.attributions.size();  // one for each of the two rules
  EXPECT_GE(steps, lookups);
  EXPECT_LE(steps, lookups * 14);  // 2^12 levers: 13 comparisons and a spare one
  EXPECT_LE(before, graph.levers.size() * 16);
}

TEST(ProfileTest, MissingAndNullCountersAreRefusedWhenReading) {  // T-78, T-79
  const std::string text = canonical_text(good());
  const std::tuple<std::string, std::string, std::string> edits[] = {
      {"\"wait_milliseconds\":4", "\"wait_milliseconds\":null", "J-07"},
      {"\"command_buffers\":40", "\"command_buffers\":40.0", "J-03"},
      {"\"wait_milliseconds\":4", "\"wait_milliseconds\":1e999", "J-04"},
      {"\"resident_bytes\":24000000000", "\"resident_bytes\":-1", "J-03"},
      {"\"attributions\":", "\"cuda\":null,\"attributions\":", "P-01"},
      {"\"attributions\":", "\"cpu\":{},\"attributions\":", "J-01"}};
  for (const auto& [from, to, id] : edits) {
    std::string edited = text;
    ASSERT_NE(edited.find(from), std::string::npos);
    edited.replace(edited.find(from), from.size(), to);
    const Findings findings = decode_profile(edited).findings;
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_NE(std::ranges::find(findings[0].ids, id), findings[0].ids.end()) << findings[0].text();
  }
}

TEST(ProfileTest, EveryCounterSurvivesReadingAndWriting) {
  for (const std::string name : {"synthetic-metal-launch-bound", "synthetic-cuda-bandwidth-bound",
                                 "synthetic-metal-bandwidth-override"}) {
    const Parsed original = parse_document(fixture(name));
    EXPECT_EQ(canonical_text(good(name)), to_text(original.root, Layout::kCompact));
  }
}

Classification classified(const Profile& profile, const Graph& graph = pinned_graph()) {
  const Decoded<Classification> result = classify_profile(graph, profile);
  EXPECT_TRUE(result.ok()) << to_lines(result.findings, "profile");
  return result.value;
}

/// "K-02 launch-bound medium lever"
std::string summary(const Profile& profile, const Graph& graph = pinned_graph()) {
  const Classification found = classified(profile, graph);
  return found.evidence.at(0).substr(1, 4) + " " + found.bottleneck + " " + found.confidence + " " +
         found.recommended_lever_id;
}

std::string metal(const std::function<void(MetalCounters&)>& change) {
  Profile profile = good();
  profile.metal = {.command_buffers = 1,
                   .encoders = 1,
                   .dispatch_milliseconds = 1,
                   .wait_milliseconds = 0,
                   .resident_bytes = 10,
                   .working_set_bytes = 10};
  change(*profile.metal);
  return summary(profile);
}

TEST(ClassifyTest, MetalRowsDecideAtTheirThresholds) {  // T-84, T-85, T-86
  EXPECT_EQ(metal([](MetalCounters& c) { c.wait_milliseconds = 12; }),
            "K-01 synchronization-bound medium metal.command-buffer-amortization");
  EXPECT_EQ(metal([](MetalCounters& c) {
              c.wait_milliseconds = 11.996;
              c.command_buffers = 32;
            }),
            "K-02 launch-bound medium metal.command-buffer-amortization");
  EXPECT_EQ(metal([](MetalCounters& c) {
              c.command_buffers = 31;
              c.working_set_bytes = 11;
            }),
            "K-03 bandwidth-bound medium metal.paged-kv");
  EXPECT_EQ(metal([](MetalCounters& c) { c.dispatch_milliseconds = 28; }),
            "K-04 compute-bound low metal.fused-hybrid-graph-coverage");
  EXPECT_EQ(metal([](MetalCounters&) {}),
            "K-05 cpu-orchestration-bound low metal.command-buffer-amortization");
  EXPECT_EQ(classified(good()).evidence[0], "[K-02] command_buffers 40 >= 32");
}

std::string cuda(const std::function<void(CudaCounters&)>& change) {
  Profile profile = good_cuda();
  profile.cuda->peak_bandwidth_gbs = 10000;
  profile.cuda->peak_compute_tflops = 10000;
  profile.cuda->achieved_bandwidth_gbs = 0;
  profile.cuda->achieved_compute_tflops = 0;
  change(*profile.cuda);
  return summary(profile);
}

TEST(ClassifyTest, CudaRowsDecideAtTheirThresholds) {  // T-87, T-88
  EXPECT_EQ(cuda([](CudaCounters& c) {
              c.launches = 64;
              c.synchronization_milliseconds = 12;
            }),
            "K-11 synchronization-bound medium cuda.default-decode-routing");
  EXPECT_EQ(cuda([](CudaCounters& c) { c.launches = 64; }),
            "K-12 launch-bound medium cuda.default-decode-routing");
  const auto at = [](double b, double c) {
    return cuda([&](CudaCounters& counters) {
      counters.achieved_bandwidth_gbs = b;
      counters.achieved_compute_tflops = c;
    });
  };
  EXPECT_EQ(at(7000, 5999), "K-13 bandwidth-bound high cuda.q8_1-activation-quant");
  const std::string orchestration = "K-15 cpu-orchestration-bound low cuda.default-decode-routing";
  EXPECT_EQ(at(7000, 6000), orchestration);
  EXPECT_EQ(at(7000, 6500), orchestration);
  EXPECT_EQ(at(7000, 7000), "K-14 compute-bound high cuda.dp4a-q4k-mmvq");
}

TEST(ClassifyTest, ARecommendedLeverMustBeOfTheEnvelope) {  // K-20
  Graph graph = pinned_graph();
  graph.levers[1].id = "metal.renamed";
  graph.levers[2].dependency_ids = {"metal.renamed"};
  Profile profile = good();
  for (LayerAttribution& one : profile.attributions) one.lever_id = "metal.renamed";
  EXPECT_TRUE(has(classify_profile(graph, profile).findings, "K-20"));
  EXPECT_TRUE(classify_profile(graph, profile, {.off = "K-20"}).ok());
}

std::string refused_by(const Profile& profile, Rules rules = {}) {
  const Decoded<ProfileChoice> result = choose_from_profile(pinned_graph(), profile, rules);
  return result.ok() ? result.value.lever.id : result.findings[0].ids[0];
}

TEST(ChooseTest, TheGraphsNextLeverAndTheRecommendationMustAgreeOrBeOverruled) {  // T-89
  EXPECT_EQ(refused_by(good()), "metal.command-buffer-amortization");
  EXPECT_EQ(refused_by(good_cuda()), "cuda.q8_1-activation-quant");
  const Profile bare = good("reject-profile-next-contradiction-without-override");
  EXPECT_EQ(refused_by(bare), "N-04");
  EXPECT_EQ(refused_by(bare, {.off = "N-04"}), "metal.paged-kv");
  const Decoded<ProfileChoice> choice =
      choose_from_profile(pinned_graph(), good("synthetic-metal-bandwidth-override"));
  ASSERT_TRUE(choice.ok());
  EXPECT_EQ(choice.value.lever.id, "metal.paged-kv");
  EXPECT_NE(canonical_text(choice.value).find(R"("selection_override":{"issue_number":8395,)"),
            std::string::npos);  // N-05
  Profile needless = good();
  needless.selection_override = {8395, "kept"};
  const Decoded<ProfileChoice> echoed = choose_from_profile(pinned_graph(), needless);
  ASSERT_TRUE(echoed.ok());
  EXPECT_TRUE(echoed.value.selection_override);
}

TEST(ChooseTest, ALeverThatIsNotReadyIsRefusedOverrideOrNot) {  // T-90, N-01, N-02, N-03
  Profile profile = good("synthetic-metal-bandwidth-override");
  profile.metal->working_set_bytes = profile.metal->resident_bytes;
  profile.metal->dispatch_milliseconds = 28;
  EXPECT_EQ(refused_by(profile), "N-02");
  EXPECT_EQ(refused_by(profile, {.off = "N-02"}), "metal.fused-hybrid-graph-coverage");
  profile.execution.fallback_count = 1;
  EXPECT_EQ(refused_by(profile), "N-01");
}

}  // namespace
}  // namespace cairn::evidence

// The cpu and vulkan blocks of 17.4 and 17.5, in a v3 graph with routes.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "evidence/data/pinned_graph.h"
#include "evidence/graph/validate.h"
#include "evidence/profile/classify.h"
#include "evidence/wire/encode.h"

namespace cairn::evidence {
namespace {

/// The pinned graph with one envelope and one lever more.
Graph graph_with(const std::string& backend) {
  Graph graph = pinned_graph();
  graph.schema = kGraphSchemaV3;
  Envelope envelope = graph.envelopes[0];
  envelope.id = "own";
  envelope.engine = "cairn";
  envelope.backend = backend;
  envelope.forward_path = backend + "/decode-v1";
  graph.envelopes.push_back(envelope);
  Lever lever = graph.levers[3];
  lever.id = backend + ".own.lever";
  lever.applicability = {.envelope_id = "own",
                         .platform = backend == "cpu" ? "linux/amd64" : "linux/amd64+lavapipe",
                         .backend = backend};
  lever.dependency_ids = {};
  graph.levers.push_back(lever);
  graph.profile_routes = {{"own", "bandwidth-bound", lever.id}};
  EXPECT_EQ(to_lines(validate_graph(graph), "graph"), "");
  return graph;
}

Profile profile_of(const std::string& backend) {
  Profile profile;
  profile.schema = kProfileSchemaV2;
  profile.envelope_id = "own";
  profile.execution = {
      .engine = "cairn", .forward_path = backend + "/decode-v1", .fallback_count = 0};
  double start = 0;
  for (const std::string name :
       {"load-setup", "prefill", "first-token", "steady-decode", "verification", "teardown"}) {
    profile.phases.push_back(
        {.name = name, .start_milliseconds = start, .duration_milliseconds = 40});
    start += 40;
  }
  profile.attribution_unavailable = {"backend-does-not-expose-dispatch-attribution", "no layers"};
  return profile;
}

Profile cpu_profile() {
  Profile profile = profile_of("cpu");
  profile.cpu = {.worker_threads = 2,
                 .parallel_regions = 1,
                 .region_overhead_milliseconds = 0,
                 .kernel_milliseconds = 1,
                 .barrier_wait_milliseconds = 0,
                 .achieved_bandwidth_gbs = 0,
                 .peak_bandwidth_gbs = 100,
                 .achieved_compute_gflops = 0,
                 .peak_compute_gflops = 100,
                 .resident_bytes = 10,
                 .working_set_bytes = 10,
                 .major_page_faults = 0,
                 .involuntary_context_switches = 5};
  return profile;
}

Profile vulkan_profile() {
  Profile profile = profile_of("vulkan");
  profile.vulkan = {.queue_submissions = 1,
                    .command_buffers = 1,
                    .dispatches = 1,
                    .pipeline_barriers = 0,
                    .host_record_milliseconds = 0,
                    .device_busy_milliseconds = 1,
                    .exposed_wait_milliseconds = 0,
                    .timestamp_period_ns = 1,
                    .timestamp_valid_bits = 64,
                    .achieved_bandwidth_gbs = 0,
                    .peak_bandwidth_gbs = 100,
                    .achieved_compute_tflops = 0,
                    .peak_compute_tflops = 100,
                    .rate_provenance = "hardware-counter",
                    .device_local_bytes = 10,
                    .working_set_bytes = 10};
  return profile;
}

/// "K-21 synchronization-bound medium", with the lever where there is one.
std::string summary(const Graph& graph, const Profile& profile) {
  const Decoded<Classification> result = classify_profile(graph, profile);
  EXPECT_TRUE(result.ok()) << to_lines(result.findings, "profile");
  if (!result.ok()) return "";
  const std::string& lever = result.value.recommended_lever_id;
  return result.value.evidence[0].substr(1, 4) + " " + result.value.bottleneck + " " +
         result.value.confidence + (lever.empty() ? "" : " " + lever);
}

template <typename Counters>
using Change = std::function<void(Counters&)>;

TEST(OwnBackendsTest, CpuRowsDecideAtTheirThresholds) {
  const Graph graph = graph_with("cpu");
  const std::pair<std::string, Change<CpuCounters>> rows[] = {
      {"K-21 synchronization-bound medium",
       [](CpuCounters& c) { c.barrier_wait_milliseconds = 12; }},
      {"K-22 launch-bound medium", [](CpuCounters& c) { c.region_overhead_milliseconds = 6; }},
      {"K-27 cpu-orchestration-bound low",
       [](CpuCounters& c) { c.region_overhead_milliseconds = 5.99; }},
      {"K-23 bandwidth-bound medium cpu.own.lever",
       [](CpuCounters& c) { c.major_page_faults = 1; }},
      {"K-23 bandwidth-bound medium cpu.own.lever",
       [](CpuCounters& c) { c.working_set_bytes = 11; }},
      {"K-24 bandwidth-bound high cpu.own.lever",
       [](CpuCounters& c) {
         c.achieved_bandwidth_gbs = 70;
         c.achieved_compute_gflops = 59.9;
       }},
      {"K-25 compute-bound high", [](CpuCounters& c) { c.achieved_compute_gflops = 70; }},
      {"K-26 compute-bound low", [](CpuCounters& c) { c.kernel_milliseconds = 28; }},
      {"K-27 cpu-orchestration-bound low", [](CpuCounters&) {}},
  };
  for (const auto& [expected, change] : rows) {
    Profile profile = cpu_profile();
    change(*profile.cpu);
    EXPECT_EQ(summary(graph, profile), expected);
  }
}

TEST(OwnBackendsTest, VulkanRowsDecideAtTheirThresholds) {
  const Graph graph = graph_with("vulkan");
  const std::pair<std::string, Change<VulkanCounters>> rows[] = {
      {"K-31 synchronization-bound medium",
       [](VulkanCounters& c) { c.exposed_wait_milliseconds = 12; }},
      {"K-32 launch-bound medium",
       [](VulkanCounters& c) { c.command_buffers = c.queue_submissions = 32; }},
      {"K-32 launch-bound medium", [](VulkanCounters& c) { c.host_record_milliseconds = 12; }},
      {"K-33 bandwidth-bound medium vulkan.own.lever",
       [](VulkanCounters& c) { c.working_set_bytes = 11; }},
      {"K-34 bandwidth-bound high vulkan.own.lever",
       [](VulkanCounters& c) { c.achieved_bandwidth_gbs = 70; }},
      {"K-34 bandwidth-bound medium vulkan.own.lever",
       [](VulkanCounters& c) {
         c.achieved_bandwidth_gbs = 70;
         c.rate_provenance = "bytes-and-ops-over-time";
       }},
      {"K-35 compute-bound high", [](VulkanCounters& c) { c.achieved_compute_tflops = 70; }},
      {"K-36 compute-bound low", [](VulkanCounters& c) { c.device_busy_milliseconds = 28; }},
      {"K-37 cpu-orchestration-bound low", [](VulkanCounters&) {}},
  };
  for (const auto& [expected, change] : rows) {
    Profile profile = vulkan_profile();
    change(*profile.vulkan);
    EXPECT_EQ(summary(graph, profile), expected);
  }
}

TEST(OwnBackendsTest, TheEvidenceNamesTheVersionOfItsThresholds) {
  Profile profile = cpu_profile();
  profile.cpu->kernel_milliseconds = 28;
  EXPECT_EQ(classify_profile(graph_with("cpu"), profile).value.evidence[0],
            "[K-26] cpu-thresholds/1 kernel_milliseconds 28 ms / steady-decode 40 ms = 0.7 >= 0.7");
}

TEST(OwnBackendsTest, AClassWithoutARouteIsEmittedAndNotChosenFrom) {
  const Decoded<ProfileChoice> choice = choose_from_profile(graph_with("cpu"), cpu_profile());
  ASSERT_FALSE(choice.ok());
  EXPECT_EQ(choice.findings[0].ids[0], "N-02");
  Profile routed = cpu_profile();
  routed.cpu->major_page_faults = 1;
  EXPECT_EQ(choose_from_profile(graph_with("cpu"), routed).value.lever.id, "cpu.own.lever");
}

template <typename Counters>
void expect_counter_faults(const Graph& graph, const Profile& base,
                           std::optional<Counters> Profile::*block,
                           const std::vector<Change<Counters>>& changes) {
  EXPECT_EQ(to_lines(validate_profile(graph, base), "profile"), "");
  for (std::size_t i = 0; i < changes.size(); ++i) {
    Profile profile = base;
    changes[i](*(profile.*block));
    const Findings findings = validate_profile(graph, profile);
    EXPECT_TRUE(std::ranges::any_of(findings, [](const Finding& finding) {
      return finding.ids[0] == "P-15";
    })) << i;
  }
}

TEST(OwnBackendsTest, EachCounterRuleRefuses) {
  expect_counter_faults<CpuCounters>(
      graph_with("cpu"), cpu_profile(), &Profile::cpu,
      {[](CpuCounters& c) { c.worker_threads = 0; }, [](CpuCounters& c) { c.parallel_regions = 0; },
       [](CpuCounters& c) { c.region_overhead_milliseconds = -1; },
       [](CpuCounters& c) { c.kernel_milliseconds = 0; },
       [](CpuCounters& c) { c.barrier_wait_milliseconds = -1; },
       [](CpuCounters& c) { c.achieved_bandwidth_gbs = 101; },
       [](CpuCounters& c) { c.peak_bandwidth_gbs = 0; },
       [](CpuCounters& c) { c.achieved_compute_gflops = -1; },
       [](CpuCounters& c) { c.peak_compute_gflops = 0; },
       [](CpuCounters& c) { c.resident_bytes = 0; },
       [](CpuCounters& c) { c.working_set_bytes = 0; },
       [](CpuCounters& c) { c.major_page_faults = -1; },
       [](CpuCounters& c) { c.involuntary_context_switches = -1; },
       [](CpuCounters& c) { c.kernel_milliseconds = 40.5; }});
  expect_counter_faults<VulkanCounters>(
      graph_with("vulkan"), vulkan_profile(), &Profile::vulkan,
      {[](VulkanCounters& c) { c.queue_submissions = 0; },
       [](VulkanCounters& c) { c.queue_submissions = 2; },
       [](VulkanCounters& c) { c.dispatches = 0; },
       [](VulkanCounters& c) { c.pipeline_barriers = -1; },
       [](VulkanCounters& c) { c.host_record_milliseconds = -1; },
       [](VulkanCounters& c) { c.device_busy_milliseconds = 0; },
       [](VulkanCounters& c) { c.exposed_wait_milliseconds = -1; },
       [](VulkanCounters& c) { c.timestamp_period_ns = 0; },
       [](VulkanCounters& c) { c.timestamp_valid_bits = 65; },
       [](VulkanCounters& c) { c.achieved_bandwidth_gbs = 101; },
       [](VulkanCounters& c) { c.achieved_compute_tflops = 101; },
       [](VulkanCounters& c) { c.rate_provenance = "guess"; },
       [](VulkanCounters& c) { c.device_local_bytes = 0; },
       [](VulkanCounters& c) { c.working_set_bytes = 0; }});
}

TEST(OwnBackendsTest, TheBlocksAreUnknownInV1) {
  Profile profile = cpu_profile();
  std::string text = canonical_text(profile);
  EXPECT_TRUE(decode_profile(text).ok());
  text.replace(text.find("profile/v2"), 10, "profile/v1");
  EXPECT_EQ(decode_profile(text).findings.at(0).ids[0], "J-01");
}

}  // namespace
}  // namespace cairn::evidence

// The profile bundle: phases and native counters of one backend (native-performance.md, chapter 8
// and 17.3 to 17.5).
//
// Purpose     explains a limit; never claims a gain. Counters are kept as captured.
// Invariants  thresholds and ratios stay inside one backend's block.
// Threads     values; no shared state.
// Adding      a backend: its block here, its counter rules in counters.cpp, its rows in
// classify.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/graph/graph.h"
#include "evidence/receipt/receipt.h"
#include "evidence/wire/decode.h"

namespace cairn::evidence {

constexpr std::string_view kProfileSchemaV1 = "fak-native-performance-profile/v1";
constexpr std::string_view kProfileSchemaV2 = "fak-native-performance-profile/v2";

/// Milliseconds since the capture began.
struct Phase {
  std::string name;
  double start_milliseconds = 0;
  double duration_milliseconds = 0;
};

/// The keys of Phase in wire order.
template <class Visitor, Is<Phase> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("name", self.name);
  visit.field("start_milliseconds", self.start_milliseconds);
  visit.field("duration_milliseconds", self.duration_milliseconds);
}

/// 8.3
struct MetalCounters {
  std::int64_t command_buffers = 0;
  std::int64_t encoders = 0;
  double dispatch_milliseconds = 0;
  double wait_milliseconds = 0;
  std::uint64_t resident_bytes = 0;
  std::uint64_t working_set_bytes = 0;
};

/// The keys of MetalCounters in wire order.
template <class Visitor, Is<MetalCounters> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("command_buffers", self.command_buffers);
  visit.field("encoders", self.encoders);
  visit.field("dispatch_milliseconds", self.dispatch_milliseconds);
  visit.field("wait_milliseconds", self.wait_milliseconds);
  visit.field("resident_bytes", self.resident_bytes);
  visit.field("working_set_bytes", self.working_set_bytes);
}

/// 8.4
struct CudaCounters {
  std::int64_t launches = 0;
  double occupancy_percent = 0;
  double achieved_bandwidth_gbs = 0;
  double peak_bandwidth_gbs = 0;
  double achieved_compute_tflops = 0;
  double peak_compute_tflops = 0;
  double synchronization_milliseconds = 0;
};

/// The keys of CudaCounters in wire order.
template <class Visitor, Is<CudaCounters> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("launches", self.launches);
  visit.field("occupancy_percent", self.occupancy_percent);
  visit.field("achieved_bandwidth_gbs", self.achieved_bandwidth_gbs);
  visit.field("peak_bandwidth_gbs", self.peak_bandwidth_gbs);
  visit.field("achieved_compute_tflops", self.achieved_compute_tflops);
  visit.field("peak_compute_tflops", self.peak_compute_tflops);
  visit.field("synchronization_milliseconds", self.synchronization_milliseconds);
}

/// 17.4
struct CpuCounters {
  std::int64_t worker_threads = 0;
  std::int64_t parallel_regions = 0;
  double region_overhead_milliseconds = 0;
  double kernel_milliseconds = 0;
  double barrier_wait_milliseconds = 0;
  double achieved_bandwidth_gbs = 0;
  double peak_bandwidth_gbs = 0;
  double achieved_compute_gflops = 0;
  double peak_compute_gflops = 0;
  std::uint64_t resident_bytes = 0;
  std::uint64_t working_set_bytes = 0;
  std::int64_t major_page_faults = 0;
  std::int64_t involuntary_context_switches = 0;
};

/// The keys of CpuCounters in wire order.
template <class Visitor, Is<CpuCounters> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("worker_threads", self.worker_threads);
  visit.field("parallel_regions", self.parallel_regions);
  visit.field("region_overhead_milliseconds", self.region_overhead_milliseconds);
  visit.field("kernel_milliseconds", self.kernel_milliseconds);
  visit.field("barrier_wait_milliseconds", self.barrier_wait_milliseconds);
  visit.field("achieved_bandwidth_gbs", self.achieved_bandwidth_gbs);
  visit.field("peak_bandwidth_gbs", self.peak_bandwidth_gbs);
  visit.field("achieved_compute_gflops", self.achieved_compute_gflops);
  visit.field("peak_compute_gflops", self.peak_compute_gflops);
  visit.field("resident_bytes", self.resident_bytes);
  visit.field("working_set_bytes", self.working_set_bytes);
  visit.field("major_page_faults", self.major_page_faults);
  visit.field("involuntary_context_switches", self.involuntary_context_switches);
}

/// 17.5
struct VulkanCounters {
  std::int64_t queue_submissions = 0;
  std::int64_t command_buffers = 0;
  std::int64_t dispatches = 0;
  std::int64_t pipeline_barriers = 0;
  double host_record_milliseconds = 0;
  double device_busy_milliseconds = 0;
  double exposed_wait_milliseconds = 0;
  double timestamp_period_ns = 0;
  std::int64_t timestamp_valid_bits = 0;
  double achieved_bandwidth_gbs = 0;
  double peak_bandwidth_gbs = 0;
  double achieved_compute_tflops = 0;
  double peak_compute_tflops = 0;
  std::string rate_provenance;
  std::uint64_t device_local_bytes = 0;
  std::uint64_t working_set_bytes = 0;
};

/// The keys of VulkanCounters in wire order.
template <class Visitor, Is<VulkanCounters> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("queue_submissions", self.queue_submissions);
  visit.field("command_buffers", self.command_buffers);
  visit.field("dispatches", self.dispatches);
  visit.field("pipeline_barriers", self.pipeline_barriers);
  visit.field("host_record_milliseconds", self.host_record_milliseconds);
  visit.field("device_busy_milliseconds", self.device_busy_milliseconds);
  visit.field("exposed_wait_milliseconds", self.exposed_wait_milliseconds);
  visit.field("timestamp_period_ns", self.timestamp_period_ns);
  visit.field("timestamp_valid_bits", self.timestamp_valid_bits);
  visit.field("achieved_bandwidth_gbs", self.achieved_bandwidth_gbs);
  visit.field("peak_bandwidth_gbs", self.peak_bandwidth_gbs);
  visit.field("achieved_compute_tflops", self.achieved_compute_tflops);
  visit.field("peak_compute_tflops", self.peak_compute_tflops);
  visit.field("rate_provenance", self.rate_provenance);
  visit.field("device_local_bytes", self.device_local_bytes);
  visit.field("working_set_bytes", self.working_set_bytes);
}

/// What part of the work belongs to a lever.
struct LayerAttribution {
  std::string name;
  std::int64_t layer = 0;
  std::string lever_id;
  std::int64_t count = 0;
};

/// The keys of LayerAttribution in wire order.
template <class Visitor, Is<LayerAttribution> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("name", self.name);
  visit.field("layer", self.layer);
  visit.field("lever_id", self.lever_id);
  visit.field("count", self.count);
}

/// Why there is no attribution.
struct AttributionUnavailable {
  std::string reason;
  std::string detail;
};

/// The keys of AttributionUnavailable in wire order.
template <class Visitor, Is<AttributionUnavailable> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("reason", self.reason);
  visit.field("detail", self.detail);
}

/// Reserved; any element is refused.
struct CounterComparison {
  std::string left_backend;
  std::string left_counter;
  std::string right_backend;
  std::string right_counter;
};

/// The keys of CounterComparison in wire order.
template <class Visitor, Is<CounterComparison> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("left_backend", self.left_backend);
  visit.field("left_counter", self.left_counter);
  visit.field("right_backend", self.right_backend);
  visit.field("right_counter", self.right_counter);
}

/// Who decided to take another lever than the graph's next one.
struct SelectionOverride {
  std::int64_t issue_number = 0;
  std::string reason;
};

/// The keys of SelectionOverride in wire order.
template <class Visitor, Is<SelectionOverride> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("issue_number", self.issue_number);
  visit.field("reason", self.reason);
}

/// The whole document (8.1); cpu and vulkan from v2 on.
struct Profile {
  std::string schema;
  std::string envelope_id;
  Execution execution;
  std::vector<Phase> phases;
  std::optional<MetalCounters> metal;
  std::optional<CudaCounters> cuda;
  std::optional<CpuCounters> cpu;
  std::optional<VulkanCounters> vulkan;
  std::vector<LayerAttribution> attributions;
  std::optional<AttributionUnavailable> attribution_unavailable;
  std::vector<CounterComparison> counter_comparisons;
  std::optional<SelectionOverride> selection_override;
};

/// The keys of Profile in wire order.
template <class Visitor, Is<Profile> Self>
void describe(Visitor& visit, Self& self) {
  const bool v2 = self.schema == kProfileSchemaV2;  // before the schema is read
  visit.field("schema", self.schema);
  visit.field("envelope_id", self.envelope_id);
  visit.field("execution", self.execution);
  visit.field("phases", self.phases);
  visit.optional("metal", self.metal);
  visit.optional("cuda", self.cuda);
  if (v2) visit.optional("cpu", self.cpu);
  if (v2) visit.optional("vulkan", self.vulkan);
  visit.optional_list("attributions", self.attributions);
  visit.optional("attribution_unavailable", self.attribution_unavailable);
  visit.optional_list("counter_comparisons", self.counter_comparisons);
  visit.optional("selection_override", self.selection_override);
}

/// Reads a profile (P-01, P-02); not validated yet.
Decoded<Profile> decode_profile(std::string_view text, Rules rules = {});

/// What a profile breaks (P-03..P-25), sorted.
Findings validate_profile(const Graph& graph, const Profile& profile, Rules rules = {});

/// P-15 and 17.4: what is wrong with the counters, as "path: found".
void check_counters(const Profile& profile, Report& report);

/// The duration of steady-decode in milliseconds; 0 when there is no such phase.
double steady_decode_milliseconds(const Profile& profile);

}  // namespace cairn::evidence

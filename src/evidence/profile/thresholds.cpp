#include "evidence/profile/thresholds.h"

#include <fmt/format.h>

#include <array>
#include <span>

namespace cairn::evidence {
namespace {

constexpr std::string_view kAmortize = "metal.command-buffer-amortization";
constexpr std::string_view kRouting = "cuda.default-decode-routing";

/// One row: `holds` gives the evidence after the id, or "" when the condition does not hold.
template <typename Counters>
struct ThresholdRow {
  std::string_view id;
  std::string_view bottleneck;
  std::string_view confidence;
  std::string_view lever;
  std::string (*holds)(const Counters& counters, double decode_ms) = nullptr;
};

std::string share(std::string_view key, double part_ms, double decode_ms, double limit) {
  const double ratio = part_ms / decode_ms;
  if (!(ratio >= limit)) return "";
  return fmt::format("{} {} ms / steady-decode {} ms = {} >= {}", key, number_text(part_ms),
                     number_text(decode_ms), shown_number(ratio), number_text(limit));
}

std::string count(std::string_view key, std::int64_t value, std::int64_t limit) {
  return value >= limit ? fmt::format("{} {} >= {}", key, value, limit) : "";
}

std::string beyond(std::uint64_t working_set, std::string_view key, std::uint64_t bytes) {
  if (working_set <= bytes) return "";
  return fmt::format("working_set_bytes {} bytes > {} {} bytes", working_set, key, bytes);
}

/// Achieved over peak, of bandwidth and of compute.
struct Roofs {
  double bandwidth = 0;
  double peak_bandwidth = 0;
  double compute = 0;
  double peak_compute = 0;
  std::string_view unit;  // of compute
  std::string_view key;   // of compute, e.g. compute_tflops
};

std::string bandwidth_text(const Roofs& roofs) {
  return fmt::format("achieved_bandwidth_gbs {} / peak_bandwidth_gbs {} GB/s = {}",
                     number_text(roofs.bandwidth), number_text(roofs.peak_bandwidth),
                     shown_number(roofs.bandwidth / roofs.peak_bandwidth));
}

std::string compute_text(const Roofs& roofs) {
  return fmt::format("achieved_{0} {1} / peak_{0} {2} {3} = {4}", roofs.key,
                     number_text(roofs.compute), number_text(roofs.peak_compute), roofs.unit,
                     shown_number(roofs.compute / roofs.peak_compute));
}

std::string bandwidth_bound(const Roofs& roofs) {
  const double b = roofs.bandwidth / roofs.peak_bandwidth;
  const double c = roofs.compute / roofs.peak_compute;
  if (!(b >= 0.70 && c < 0.60)) return "";
  return bandwidth_text(roofs) + " >= 0.7 and " + compute_text(roofs) + " < 0.6";
}

std::string compute_bound(const Roofs& roofs) {
  if (!(roofs.compute / roofs.peak_compute >= 0.70)) return "";
  return compute_text(roofs) + " >= 0.7";
}

/// Backends that count compute in TFLOP/s.
template <typename Counters>
Roofs roofs_of(const Counters& c) {
  return {.bandwidth = c.achieved_bandwidth_gbs,
          .peak_bandwidth = c.peak_bandwidth_gbs,
          .compute = c.achieved_compute_tflops,
          .peak_compute = c.peak_compute_tflops,
          .unit = "TFLOP/s",
          .key = "compute_tflops"};
}

Roofs roofs_of(const CpuCounters& c) {
  return {.bandwidth = c.achieved_bandwidth_gbs,
          .peak_bandwidth = c.peak_bandwidth_gbs,
          .compute = c.achieved_compute_gflops,
          .peak_compute = c.peak_compute_gflops,
          .unit = "GFLOP/s",
          .key = "compute_gflops"};
}

constexpr std::array kMetalRows = {
    ThresholdRow<MetalCounters>{"K-01", "synchronization-bound", "medium", kAmortize,
                                [](const MetalCounters& c, double d) {
                                  return share("wait_milliseconds", c.wait_milliseconds, d, 0.30);
                                }},
    ThresholdRow<MetalCounters>{"K-02", "launch-bound", "medium", kAmortize,
                                [](const MetalCounters& c, double) {
                                  return count("command_buffers", c.command_buffers, 32);
                                }},
    ThresholdRow<MetalCounters>{"K-03", "bandwidth-bound", "medium", "metal.paged-kv",
                                [](const MetalCounters& c, double) {
                                  return beyond(c.working_set_bytes, "resident_bytes",
                                                c.resident_bytes);
                                }},
    ThresholdRow<MetalCounters>{"K-04", "compute-bound", "low", "metal.fused-hybrid-graph-coverage",
                                [](const MetalCounters& c, double d) {
                                  return share("dispatch_milliseconds", c.dispatch_milliseconds, d,
                                               0.70);
                                }},
    ThresholdRow<MetalCounters>{
        "K-05", "cpu-orchestration-bound", "low", kAmortize,
        [](const MetalCounters& c, double d) {
          return fmt::format(
              "wait_milliseconds {} ms / steady-decode {} ms = {} < 0.3, command_buffers {} < 32, "
              "working_set_bytes {} <= resident_bytes {} bytes, dispatch_milliseconds {} ms = {} "
              "< 0.7",
              number_text(c.wait_milliseconds), number_text(d),
              shown_number(c.wait_milliseconds / d), c.command_buffers, c.working_set_bytes,
              c.resident_bytes, number_text(c.dispatch_milliseconds),
              shown_number(c.dispatch_milliseconds / d));
        }},
};

constexpr std::array kCudaRows = {
    ThresholdRow<CudaCounters>{"K-11", "synchronization-bound", "medium", kRouting,
                               [](const CudaCounters& c, double d) {
                                 return share("synchronization_milliseconds",
                                              c.synchronization_milliseconds, d, 0.30);
                               }},
    ThresholdRow<CudaCounters>{
        "K-12", "launch-bound", "medium", kRouting,
        [](const CudaCounters& c, double) { return count("launches", c.launches, 64); }},
    ThresholdRow<CudaCounters>{
        "K-13", "bandwidth-bound", "high", "cuda.q8_1-activation-quant",
        [](const CudaCounters& c, double) { return bandwidth_bound(roofs_of(c)); }},
    ThresholdRow<CudaCounters>{
        "K-14", "compute-bound", "high", "cuda.dp4a-q4k-mmvq",
        [](const CudaCounters& c, double) { return compute_bound(roofs_of(c)); }},
    ThresholdRow<CudaCounters>{
        "K-15", "cpu-orchestration-bound", "low", kRouting,
        [](const CudaCounters& c, double d) {
          return fmt::format(
              "synchronization_milliseconds {} ms / steady-decode {} ms = {} < 0.3, "
              "launches {} < 64, {}, {}",
              number_text(c.synchronization_milliseconds), number_text(d),
              shown_number(c.synchronization_milliseconds / d), c.launches,
              bandwidth_text(roofs_of(c)), compute_text(roofs_of(c)));
        }},
};

constexpr std::array kCpuRows = {
    ThresholdRow<CpuCounters>{"K-21", "synchronization-bound", "medium", "",
                              [](const CpuCounters& c, double d) {
                                return share("barrier_wait_milliseconds",
                                             c.barrier_wait_milliseconds, d, 0.30);
                              }},
    ThresholdRow<CpuCounters>{"K-22", "launch-bound", "medium", "",
                              [](const CpuCounters& c, double d) {
                                return share("region_overhead_milliseconds",
                                             c.region_overhead_milliseconds, d, 0.15);
                              }},
    ThresholdRow<CpuCounters>{"K-23", "bandwidth-bound", "medium", "",
                              [](const CpuCounters& c, double) {
                                const std::string memory =
                                    beyond(c.working_set_bytes, "resident_bytes", c.resident_bytes);
                                if (!memory.empty() || c.major_page_faults <= 0) return memory;
                                return fmt::format("major_page_faults {} > 0", c.major_page_faults);
                              }},
    ThresholdRow<CpuCounters>{
        "K-24", "bandwidth-bound", "high", "",
        [](const CpuCounters& c, double) { return bandwidth_bound(roofs_of(c)); }},
    ThresholdRow<CpuCounters>{
        "K-25", "compute-bound", "high", "",
        [](const CpuCounters& c, double) { return compute_bound(roofs_of(c)); }},
    ThresholdRow<CpuCounters>{"K-26", "compute-bound", "low", "",
                              [](const CpuCounters& c, double d) {
                                return share("kernel_milliseconds", c.kernel_milliseconds, d, 0.70);
                              }},
    ThresholdRow<CpuCounters>{
        "K-27", "cpu-orchestration-bound", "low", "",
        [](const CpuCounters& c, double d) {
          return fmt::format("kernel_milliseconds {} ms / steady-decode {} ms = {} < 0.7, {}, {}",
                             number_text(c.kernel_milliseconds), number_text(d),
                             shown_number(c.kernel_milliseconds / d), bandwidth_text(roofs_of(c)),
                             compute_text(roofs_of(c)));
        }},
};

constexpr std::array kVulkanRows = {
    ThresholdRow<VulkanCounters>{"K-31", "synchronization-bound", "medium", "",
                                 [](const VulkanCounters& c, double d) {
                                   return share("exposed_wait_milliseconds",
                                                c.exposed_wait_milliseconds, d, 0.30);
                                 }},
    ThresholdRow<VulkanCounters>{
        "K-32", "launch-bound", "medium", "",
        [](const VulkanCounters& c, double d) {
          const std::string submissions = count("queue_submissions", c.queue_submissions, 32);
          if (!submissions.empty()) return submissions;
          return share("host_record_milliseconds", c.host_record_milliseconds, d, 0.30);
        }},
    ThresholdRow<VulkanCounters>{"K-33", "bandwidth-bound", "medium", "",
                                 [](const VulkanCounters& c, double) {
                                   return beyond(c.working_set_bytes, "device_local_bytes",
                                                 c.device_local_bytes);
                                 }},
    ThresholdRow<VulkanCounters>{
        "K-34", "bandwidth-bound", "high", "",
        [](const VulkanCounters& c, double) { return bandwidth_bound(roofs_of(c)); }},
    ThresholdRow<VulkanCounters>{
        "K-35", "compute-bound", "high", "",
        [](const VulkanCounters& c, double) { return compute_bound(roofs_of(c)); }},
    ThresholdRow<VulkanCounters>{"K-36", "compute-bound", "low", "",
                                 [](const VulkanCounters& c, double d) {
                                   return share("device_busy_milliseconds",
                                                c.device_busy_milliseconds, d, 0.70);
                                 }},
    ThresholdRow<VulkanCounters>{
        "K-37", "cpu-orchestration-bound", "low", "",
        [](const VulkanCounters& c, double d) {
          return fmt::format(
              "device_busy_milliseconds {} ms / steady-decode {} ms = {} < 0.7, {}, "
              "{}",
              number_text(c.device_busy_milliseconds), number_text(d),
              shown_number(c.device_busy_milliseconds / d), bandwidth_text(roofs_of(c)),
              compute_text(roofs_of(c)));
        }},
};

/// `version` is the thresholds' (Z-12); the pinned backends' have none.
template <typename Counters>
Bottleneck first_row(std::span<const ThresholdRow<Counters>> rows, const Counters& counters,
                     double decode_ms, std::string_view version, Rules rules) {
  for (const ThresholdRow<Counters>& row : rows) {
    if (!rules.on(row.id)) continue;
    const std::string evidence = row.holds(counters, decode_ms);
    if (evidence.empty()) continue;
    return {.id = row.id,
            .bottleneck = row.bottleneck,
            .confidence = row.confidence,
            .pinned_lever = row.lever,
            .evidence = fmt::format("[{}] {}{}", row.id, version, evidence)};
  }
  return {};
}

}  // namespace

Bottleneck find_bottleneck(const Profile& profile, Rules rules) {
  const double decode_ms = steady_decode_milliseconds(profile);
  if (profile.metal) {
    return first_row(std::span<const ThresholdRow<MetalCounters>>(kMetalRows), *profile.metal,
                     decode_ms, "", rules);
  }
  if (profile.cuda) {
    return first_row(std::span<const ThresholdRow<CudaCounters>>(kCudaRows), *profile.cuda,
                     decode_ms, "", rules);
  }
  if (profile.cpu) {
    return first_row(std::span<const ThresholdRow<CpuCounters>>(kCpuRows), *profile.cpu, decode_ms,
                     "cpu-thresholds/1 ", rules);
  }
  if (!profile.vulkan) return {};
  Bottleneck found = first_row(std::span<const ThresholdRow<VulkanCounters>>(kVulkanRows),
                               *profile.vulkan, decode_ms, "vulkan-thresholds/1 ", rules);
  const bool rates = found.id == "K-34" || found.id == "K-35";
  if (rates && profile.vulkan->rate_provenance != "hardware-counter") found.confidence = "medium";
  return found;
}

}  // namespace cairn::evidence

// P-15: the counter rules of 8.3, 8.4, 17.4 and 17.5.
#include <cmath>

#include "evidence/profile/profile.h"

namespace cairn::evidence {
namespace {

/// Reports counters of one block.
class CounterCheck {
 public:
  CounterCheck(std::string_view block, Report& report) : block_(block), report_(report) {}

  template <typename T>
  void above_zero(std::string_view key, T value) {
    say(key, value, value > 0, "a number above 0");
  }
  template <typename T>
  void from_zero(std::string_view key, T value) {
    say(key, value, value >= 0, "a number from 0");
  }
  void between(std::string_view key, double value, double least, double most) {
    say(key, value, value >= least && value <= most,
        shown_number(least) + " to " + shown_number(most));
  }
  void achieved(std::string_view key, double value, double peak) {
    say(key, value, value >= 0 && value <= peak, "a number from 0 to the peak");
  }

  template <typename T>
  void say(std::string_view key, T value, bool good, std::string accepted) {
    const double number = static_cast<double>(value);
    if (good && std::isfinite(number)) return;
    report_.add(member_path(block_, key), shown_number(number), std::move(accepted));
  }

 private:
  std::string_view block_;
  Report& report_;
};

void check(const MetalCounters& counters, Report& report) {
  CounterCheck is("metal", report);
  is.above_zero("command_buffers", counters.command_buffers);
  is.above_zero("encoders", counters.encoders);
  is.above_zero("dispatch_milliseconds", counters.dispatch_milliseconds);
  is.from_zero("wait_milliseconds", counters.wait_milliseconds);
  is.above_zero("resident_bytes", counters.resident_bytes);
  is.above_zero("working_set_bytes", counters.working_set_bytes);
}

void check(const CudaCounters& counters, Report& report) {
  CounterCheck is("cuda", report);
  is.above_zero("launches", counters.launches);
  is.between("occupancy_percent", counters.occupancy_percent, 0, 100);
  is.achieved("achieved_bandwidth_gbs", counters.achieved_bandwidth_gbs,
              counters.peak_bandwidth_gbs);
  is.above_zero("peak_bandwidth_gbs", counters.peak_bandwidth_gbs);
  is.achieved("achieved_compute_tflops", counters.achieved_compute_tflops,
              counters.peak_compute_tflops);
  is.above_zero("peak_compute_tflops", counters.peak_compute_tflops);
  is.from_zero("synchronization_milliseconds", counters.synchronization_milliseconds);
}

void check(const CpuCounters& counters, double decode_milliseconds, Report& report) {
  CounterCheck is("cpu", report);
  is.above_zero("worker_threads", counters.worker_threads);
  is.above_zero("parallel_regions", counters.parallel_regions);
  is.from_zero("region_overhead_milliseconds", counters.region_overhead_milliseconds);
  is.above_zero("kernel_milliseconds", counters.kernel_milliseconds);
  is.from_zero("barrier_wait_milliseconds", counters.barrier_wait_milliseconds);
  is.achieved("achieved_bandwidth_gbs", counters.achieved_bandwidth_gbs,
              counters.peak_bandwidth_gbs);
  is.above_zero("peak_bandwidth_gbs", counters.peak_bandwidth_gbs);
  is.achieved("achieved_compute_gflops", counters.achieved_compute_gflops,
              counters.peak_compute_gflops);
  is.above_zero("peak_compute_gflops", counters.peak_compute_gflops);
  is.above_zero("resident_bytes", counters.resident_bytes);
  is.above_zero("working_set_bytes", counters.working_set_bytes);
  is.from_zero("major_page_faults", counters.major_page_faults);
  is.from_zero("involuntary_context_switches", counters.involuntary_context_switches);
  const double parts = counters.kernel_milliseconds + counters.barrier_wait_milliseconds +
                       counters.region_overhead_milliseconds;
  is.say("kernel_milliseconds", parts, parts <= decode_milliseconds * 1.01,
         "kernel, barrier and region times within steady-decode and one percent");
}

void check(const VulkanCounters& counters, Report& report) {
  CounterCheck is("vulkan", report);
  is.above_zero("queue_submissions", counters.queue_submissions);
  is.say("command_buffers", counters.command_buffers,
         counters.command_buffers > 0 && counters.command_buffers >= counters.queue_submissions,
         "at least queue_submissions");
  is.above_zero("dispatches", counters.dispatches);
  is.from_zero("pipeline_barriers", counters.pipeline_barriers);
  is.from_zero("host_record_milliseconds", counters.host_record_milliseconds);
  is.above_zero("device_busy_milliseconds", counters.device_busy_milliseconds);
  is.from_zero("exposed_wait_milliseconds", counters.exposed_wait_milliseconds);
  is.above_zero("timestamp_period_ns", counters.timestamp_period_ns);
  is.between("timestamp_valid_bits", static_cast<double>(counters.timestamp_valid_bits), 1, 64);
  is.achieved("achieved_bandwidth_gbs", counters.achieved_bandwidth_gbs,
              counters.peak_bandwidth_gbs);
  is.above_zero("peak_bandwidth_gbs", counters.peak_bandwidth_gbs);
  is.achieved("achieved_compute_tflops", counters.achieved_compute_tflops,
              counters.peak_compute_tflops);
  is.above_zero("peak_compute_tflops", counters.peak_compute_tflops);
  is.above_zero("device_local_bytes", counters.device_local_bytes);
  is.above_zero("working_set_bytes", counters.working_set_bytes);
  if (counters.rate_provenance != "hardware-counter" &&
      counters.rate_provenance != "bytes-and-ops-over-time") {
    report.add("vulkan.rate_provenance", quote(counters.rate_provenance),
               "hardware-counter or bytes-and-ops-over-time");
  }
}

}  // namespace

void check_counters(const Profile& profile, Report& report) {
  if (profile.metal) check(*profile.metal, report);
  if (profile.cuda) check(*profile.cuda, report);
  if (profile.cpu) check(*profile.cpu, steady_decode_milliseconds(profile), report);
  if (profile.vulkan) check(*profile.vulkan, report);
}

}  // namespace cairn::evidence

// The samples of the golden vectors (native-performance.md 7.6), for tests.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "evidence/attestation/build.h"

namespace cairn::evidence::attestation {

constexpr std::int64_t kSecondNs = 1'000'000'000;

/// Two windows of two samples, one second apart; tests change what they are about.
struct VectorSamples {
  std::array<host::Snapshot, 2> baseline = {};
  std::array<host::Snapshot, 2> command = {};
  std::int64_t exit_code = 0;
  bool timed_out = false;
  std::int64_t root_pid = 10;

  /// What build() takes.
  Samples samples() const {
    return {.baseline = baseline,
            .command = command,
            .interval_ns = kSecondNs,
            .root_pid = root_pid,
            .exit_code = exit_code,
            .timed_out = timed_out};
  }
  /// The report with `policy`.
  Attestation report(const Policy& policy = {}) const { return build(samples(), policy); }
};

/// One of the two samples: 0 is the first, 1 the second; `busy_ns` of the host is the second one's.
inline host::Snapshot vector_sample(std::int64_t index, std::int64_t busy_ns,
                                    std::int64_t other_cpu_ns) {
  return {.utc_ns = (100 + index) * kSecondNs,
          .monotonic_ns = (5 + index) * kSecondNs,
          .cpu = {.available = true, .total_ns = (10 + 4 * index) * kSecondNs, .busy_ns = busy_ns},
          .memory = {.available = true, .total_bytes = 1000, .available_bytes = 500 - 50 * index},
          .processes = {{.pid = 10,
                         .parent_pid = 1,
                         .start_identity = 100,
                         .image = "bench",
                         .cpu_available = true,
                         .cpu_ns = 100 + index * kSecondNs,
                         .rss_available = true,
                         .rss_bytes = 50 + 10 * index},
                        {.pid = 20,
                         .parent_pid = 1,
                         .start_identity = 200,
                         .image = "other",
                         .cpu_available = true,
                         .cpu_ns = other_cpu_ns,
                         .rss_available = true,
                         .rss_bytes = 100 + 20 * index}},
          .enumerated = true};
}

/// The samples of vector A with `x_ns` of processor time for the other process.
inline VectorSamples vector_samples(std::int64_t x_ns) {
  return {.baseline = {vector_sample(0, 2 * kSecondNs, 50),
                       vector_sample(1, 2 * kSecondNs + kSecondNs / 10, 50)},
          .command = {vector_sample(0, 2 * kSecondNs, 50),
                      vector_sample(1, 3 * kSecondNs + x_ns, 50 + x_ns)}};
}

/// Vector A.
inline VectorSamples vector_a() { return vector_samples(kSecondNs / 10); }

}  // namespace cairn::evidence::attestation

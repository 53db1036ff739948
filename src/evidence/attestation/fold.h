// Samples into the host side of an attestation (native-performance.md 7.4): window, totals, what
// the sampling cost, coverage. The process side is in process_tree.h.
//
// Invariants  integer differences first, then doubles, divided before multiplied; a counter that
//             is missing at an end, or runs backwards, makes its metric unavailable, never clamped.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/host/snapshot.h"
#include "evidence/attestation/attestation.h"

namespace cairn::evidence::attestation {

/// Samples ordered by monotonic time; equal times keep their order. Valid while the samples are.
using Series = std::vector<const host::Snapshot*>;

/// The ordered view of `samples`, which stay as they are.
Series ordered(std::span<const host::Snapshot> samples);

/// "1970-01-01T00:01:40.25Z": RFC 3339 with up to nine fraction digits, none when whole.
std::string utc_text(std::int64_t utc_ns);

/// A measured metric, and one that is not.
Metric measured(double value, std::string_view unit, std::string_view source);
Metric unknown(std::string_view unit, std::string_view reason);

/// part / whole * 100, for a positive whole.
double percent_of(std::int64_t part, std::int64_t whole);

/// How far the host's counters moved; absent unless both ends have them, the total grew, and the
/// busy time grew by 0 to that total.
struct HostDelta {
  std::int64_t total_ns = 0;
  std::int64_t busy_ns = 0;
};
std::optional<HostDelta> host_delta(const Series& series);

/// The folded parts. `interval_ns` is the one that was asked for.
Window fold_window(const Series& series, std::int64_t interval_ns);
HostTotals fold_host(const Series& series);
Sampler fold_sampler(const Series& series);
Coverage fold_coverage(const Series& series, std::int64_t root_pid);

}  // namespace cairn::evidence::attestation

// What one look at the host found: totals over all processors, memory, and the processes.
//
// Purpose     the input of the system-baseline attestation (spec 7.3): readers fill it, evidence/
//             folds a series of them.
// Invariants  a value that could not be read is marked so and never guessed; times are in
//             nanoseconds, sizes in bytes.
// Threads     values; no shared state.
// Adding      a system: a file that defines read_host() for it, see host.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cairn::host {

/// Cumulative processor time of the whole host.
struct CpuTotals {
  bool available = false;
  std::int64_t total_ns = 0;
  std::int64_t busy_ns = 0;
};

struct MemoryTotals {
  bool available = false;
  std::int64_t total_bytes = 0;
  std::int64_t available_bytes = 0;
};

/// One process. (pid, start_identity) tells it from an earlier one with the same pid; a start
/// identity of 0 is unknown.
struct ProcessEntry {
  std::int64_t pid = 0;
  std::int64_t parent_pid = 0;
  std::uint64_t start_identity = 0;
  std::string image = {};  // any bytes, as the system gives them
  bool cpu_available = false;
  std::int64_t cpu_ns = 0;
  bool rss_available = false;
  std::int64_t rss_bytes = 0;
};

struct Snapshot {
  std::int64_t utc_ns = 0;        // since 1970, of the wall clock
  std::int64_t monotonic_ns = 0;  // of the steady clock
  CpuTotals cpu = {};
  MemoryTotals memory = {};
  std::vector<ProcessEntry> processes = {};
  bool enumerated = false;  // whether the list of processes could be read
  bool incomplete = false;  // whether some process may be missing from it
  std::int64_t unreadable = 0;
  std::string note = {};       // holds no path
  std::int64_t census_ns = 0;  // wall time that taking this snapshot took
};

}  // namespace cairn::host

// What a benchmark asks of the host around what it measures: counters that only grow, and what one
// process holds in memory. Source: proc(5), vmstat of the kernel's documentation.
//
// Invariants  what could not be read is absent or 0, never guessed.
// Threads     values; no shared state.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/host/snapshot.h"

namespace cairn::host {

/// Two of these, before and after, say what happened between.
struct Counters {
  std::string boot_id = {};  // of this start of the host; empty where the system has none
  std::int64_t swap_ins = 0;
  std::int64_t oom_kills = 0;
  double steal_ms = 0;      // time that other guests of the same machine took
  CpuTotals cpu = {};       // of the whole host
  std::int64_t own_ns = 0;  // processor time of this process and the children it has reaped
  MemoryTotals memory = {};
};

/// Of this host now; zeros where /proc is not; not built for Windows.
Counters read_counters();
/// From a folder laid out like /proc, without `own_ns`.
Counters read_counters(const std::string& root);

/// Bytes of one process.
struct ProcessMemory {
  std::int64_t rss_bytes = 0;
  std::int64_t pss_bytes = 0;  // shared pages divided by those that share them
};

/// Nothing when the process is gone or the system does not say.
std::optional<ProcessMemory> read_process_memory(std::int64_t pid, const std::string& root);
/// The same of this host.
std::optional<ProcessMemory> read_process_memory(std::int64_t pid);

/// Share of the host's processors, in percent, that neither this process nor its children took
/// between the two; nothing when that can not be told.
std::optional<double> others_cpu_percent(const Counters& before, const Counters& after);

}  // namespace cairn::host

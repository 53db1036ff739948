// How many threads should compute: what this process may use, counted in cores that help.
//
// Purpose     the default of --threads; a number that a person gives is not touched.
// Invariants  never more than the affinity mask, the physical cores in it, its fast cores, or a
//             control group's quota rounded down; at least 1.
// Threads     reads files of the system; call it while starting.
// Adding      a limit: its function in processors.cpp, its line in choose_threads.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace cairn {

struct ThreadChoice {
  std::size_t threads = 1;
  std::string reason;  // what set the number: "2 cores", "a quota of 2.5 processors"
};

/// For this process on this machine.
ThreadChoice choose_threads();

/// The same for a machine laid out below `root` (`sys/devices/system/cpu`, `sys/devices/cpu_core`,
/// `proc/self/cgroup`, `sys/fs/cgroup`) and a process that may run on `allowed` processors.
/// Source: Linux kernel documentation, admin-guide/cputopology, admin-guide/cgroup-v2 (cpu.max) and
/// scheduler/sched-bwc (cpu.cfs_quota_us).
ThreadChoice choose_threads(const std::string& root, std::span<const std::size_t> allowed);

/// Processors that the system lets this process use, ascending.
std::vector<std::size_t> allowed_processors();

}  // namespace cairn

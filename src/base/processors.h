// How many threads should compute: what this process may use, counted in cores that help.
//
// Purpose     the default of --threads; a number that a person gives is not touched.
// Invariants  never more than the affinity mask, the physical cores in it, its fast cores, those of
//             one memory node, or a control group's quota rounded down; at least 1.
// Threads     reads files of the system; call it while starting.
// Adding      a limit: its function in processors.cpp, its line in choose_threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"

namespace cairn {

struct ThreadChoice {
  std::size_t threads = 1;
  std::string reason;  // what set the number: "2 cores", "a quota of 2.5 processors"
  /// Where the threads should stay: some of the processors that the process may use. Empty: all.
  std::vector<std::size_t> processors = {};
};

/// For this process on this machine, as below.
Result<ThreadChoice> choose_threads(std::optional<std::uint64_t> node);
/// The same on the memory node that suits best.
ThreadChoice choose_threads();

/// The same for a machine laid out below `root` (`sys/devices/system/cpu`, `sys/devices/cpu_core`,
/// `sys/devices/system/node`, `proc/self/cgroup`, `sys/fs/cgroup`) and a process that may run on
/// `allowed` processors. Where memory has several nodes, one is used: weights that two sockets read
/// from each other make both slower than one alone (user report X08). It is `node`, else the one
/// with the most cores. Errors: kInvalidArgument for a node without processors for this process,
/// naming those with some.
/// Source: Linux kernel documentation, admin-guide/cputopology, admin-guide/cgroup-v2 (cpu.max) and
/// scheduler/sched-bwc (cpu.cfs_quota_us).
Result<ThreadChoice> choose_threads(const std::string& root, std::span<const std::size_t> allowed,
                                    std::optional<std::uint64_t> node);

/// Processors that the system lets this process use, ascending.
std::vector<std::size_t> allowed_processors();

/// Keeps the calling thread on some processors while it lives. Where the system refuses, the thread
/// runs where it did: that costs time and nothing else.
class StayOn {
 public:
  /// An empty list leaves the thread where it is.
  explicit StayOn(std::span<const std::size_t> processors);
  ~StayOn();
  StayOn(const StayOn&) = delete;
  StayOn& operator=(const StayOn&) = delete;

 private:
  std::vector<std::size_t> before_;  // empty: nothing to go back to
};

}  // namespace cairn

// What memory this process can still get, and what it has taken.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace cairn {

/// Bytes that can be allocated without swapping: what the kernel estimates for the machine, or less
/// where a control group of this process has a lower limit. Errors: kIo without /proc.
Result<std::uint64_t> available_memory_bytes();

/// What of this process is in memory now, and was at most.
struct ResidentMemory {
  std::uint64_t now_bytes = 0;
  std::uint64_t anonymous_bytes = 0;  // of them, in no file: what was allocated and written
  std::uint64_t peak_bytes = 0;       // of this program: what ran before it in the process is out
};

/// Errors: kIo without /proc.
Result<ResidentMemory> resident_memory();

/// The most memory this process has had resident so far.
std::uint64_t peak_rss_bytes();

/// Where control groups are read from, for tests: a folder with `proc/meminfo`,
/// `proc/self/cgroup` and `sys/fs/cgroup`.
Result<std::uint64_t> available_memory_bytes(const std::string& root);

}  // namespace cairn

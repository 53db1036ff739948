// Windows: what its calls returned, and that as a snapshot. Portable, so that it is tested on
// recorded samples where no Windows is. Source: Microsoft's pages on GetSystemTimes,
// GlobalMemoryStatusEx, Process32Next, GetProcessTimes and GetProcessMemoryInfo; spec 7.3.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/host/snapshot.h"

namespace cairn::host {

/// The two halves of a FILETIME: counts of 100 ns.
struct FileTime {
  std::uint32_t low = 0;
  std::uint32_t high = 0;
};

/// GetSystemTimes; kernel time includes idle time.
struct WindowsSystemTimes {
  FileTime idle = {};
  FileTime kernel = {};
  FileTime user = {};
};

struct WindowsMemory {
  std::uint64_t total_bytes = 0;
  std::uint64_t available_bytes = 0;
};

struct WindowsProcessTimes {
  FileTime creation = {};
  FileTime kernel = {};
  FileTime user = {};
};

/// One entry of the process walk and what opening it gave.
struct WindowsProcess {
  std::uint32_t pid = 0;
  std::uint32_t parent_pid = 0;
  std::string image = {};  // UTF-8
  std::optional<WindowsProcessTimes> times = {};
  std::optional<std::uint64_t> working_set_bytes = {};
};

/// What ERROR_NO_MORE_FILES is: the walk reached its end.
constexpr std::uint32_t kWindowsNoMoreFiles = 18;

struct WindowsSample {
  std::optional<WindowsSystemTimes> system_times = {};
  std::optional<WindowsMemory> memory = {};
  bool walk_started = false;
  std::uint32_t walk_end_error = kWindowsNoMoreFiles;  // or why it did not start
  std::vector<WindowsProcess> processes = {};
};

/// UTF-16 as UTF-8; a lone surrogate becomes U+FFFD.
std::string utf8_of_utf16(const char16_t* text, std::size_t size);

/// The snapshot, without its times, that the sample is. A process with neither processor time nor
/// working set counts as unreadable and leaves the attribution complete.
Snapshot windows_snapshot(const WindowsSample& sample);

}  // namespace cairn::host

#include "base/memory.h"

#include <fmt/core.h>
#include <sys/resource.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

#include "base/control_groups.h"
#include "base/file.h"

namespace cairn {
namespace {

constexpr std::uint64_t kMemoryFileBytesMax = 1 << 20;

std::optional<std::uint64_t> leading_number(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return std::nullopt;
  text.remove_prefix(begin);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  return value;
}

/// The rest of the line that starts with `key`.
std::optional<std::string_view> line_after(std::string_view text, std::string_view key) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (line.starts_with(key)) return line.substr(key.size());
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return std::nullopt;
}

std::optional<std::uint64_t> bytes_in(const std::string& path) {
  const Result<std::string> text = read_file(path, kMemoryFileBytesMax);
  return text.ok() ? leading_number(*text) : std::nullopt;
}

/// Files of one version of control groups.
struct GroupFiles {
  std::string_view controller;  // as /proc/self/cgroup names it
  std::string_view folder;
  std::string_view limit;
  std::string_view used;
};

// Source: Linux kernel documentation, admin-guide/cgroup-v2 and cgroup-v1/memory.
constexpr GroupFiles kGroups[] = {
    {"", "/sys/fs/cgroup", "memory.max", "memory.current"},
    {"memory", "/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes"},
};

/// What is left below the limit of one group; nothing where it has none ("max").
std::uint64_t left_in(const std::string& folder, const GroupFiles& files) {
  const auto limit = bytes_in(fmt::format("{}/{}", folder, files.limit));
  const auto used = bytes_in(fmt::format("{}/{}", folder, files.used));
  if (!limit || !used) return std::numeric_limits<std::uint64_t>::max();
  // File pages that the group could drop count as used; they are given back under pressure.
  const Result<std::string> stat = read_file(folder + "/memory.stat", kMemoryFileBytesMax);
  std::uint64_t cached = 0;
  if (stat.ok()) {
    const auto text = line_after(*stat, "inactive_file ");
    cached = text ? leading_number(*text).value_or(0) : 0;
  }
  const std::uint64_t taken = *used - std::min(*used, cached);
  return *limit - std::min(*limit, taken);
}

/// The lowest of what a group and the groups around it leave.
std::uint64_t left_in_groups(const std::string& root) {
  std::uint64_t left = std::numeric_limits<std::uint64_t>::max();
  const Result<std::string> groups = read_file(root + "/proc/self/cgroup", kMemoryFileBytesMax);
  for (const GroupFiles& files : kGroups) {
    const std::string path = group_path(groups.ok() ? *groups : "", files.controller);
    for (const std::string& folder : group_folders(root + std::string(files.folder), path)) {
      left = std::min(left, left_in(folder, files));
    }
  }
  return left;
}

}  // namespace

Result<std::uint64_t> available_memory_bytes(const std::string& root) {
  CAIRN_ASSIGN(const std::string meminfo, read_file(root + "/proc/meminfo", kMemoryFileBytesMax));
  const auto line = line_after(meminfo, "MemAvailable:");
  const auto kibibytes = line ? leading_number(*line) : std::nullopt;
  if (!kibibytes || *kibibytes > std::numeric_limits<std::uint64_t>::max() / 1024) {
    return io_error("/proc/meminfo has no MemAvailable line with a number");
  }
  return std::min(*kibibytes * 1024, left_in_groups(root));
}

Result<std::uint64_t> available_memory_bytes() { return available_memory_bytes(""); }

Result<ResidentMemory> resident_memory() {
  CAIRN_ASSIGN(const std::string status, read_file("/proc/self/status", kMemoryFileBytesMax));
  const auto bytes_of = [&](std::string_view key) -> std::optional<std::uint64_t> {
    const auto line = line_after(status, key);
    const auto kibibytes = line ? leading_number(*line) : std::nullopt;
    return kibibytes ? std::optional(*kibibytes * 1024) : std::nullopt;
  };
  const auto now = bytes_of("VmRSS:");
  const auto anonymous = bytes_of("RssAnon:");
  const auto peak = bytes_of("VmHWM:");
  if (!now || !anonymous || !peak) {
    return io_error("/proc/self/status has no VmRSS, RssAnon and VmHWM lines with numbers");
  }
  return ResidentMemory{.now_bytes = *now, .anonymous_bytes = *anonymous, .peak_bytes = *peak};
}

std::uint64_t peak_rss_bytes() {
  rusage usage = {};
  if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;  // Linux counts KiB
}

}  // namespace cairn

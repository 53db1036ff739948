#include "base/host/counters.h"

#ifndef _WIN32

#include <sys/resource.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "base/ascii.h"
#include "base/file.h"
#include "base/host/procfs.h"

namespace cairn::host {
namespace {

constexpr std::uint64_t kCounterTextBytesMax = 1U << 20U;
constexpr std::int64_t kKib = 1024;

/// The number behind `key` at the beginning of a line; 0 without one.
std::int64_t number_behind(std::string_view text, std::string_view key) {
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (!line.starts_with(key)) continue;
    line.remove_prefix(key.size());
    line.remove_prefix(std::min(line.find_first_not_of(" \t:"), line.size()));
    std::int64_t number = 0;
    const auto read = std::from_chars(line.data(), line.data() + line.size(), number);
    return read.ec == std::errc() && number > 0 ? number : 0;
  }
  return 0;
}

std::string text_or_nothing(const std::string& path) {
  const Result<std::string> text = read_file(path, kCounterTextBytesMax);
  return text.ok() ? *text : std::string();
}

/// The eighth number of the first line of the kernel's stat file, in ticks of 10 ms.
double steal_ms_of(std::string_view stat) {
  constexpr std::size_t kSteal = 8;
  constexpr double kTickMs = 10;
  std::string_view line = stat.substr(0, stat.find('\n'));
  if (!line.starts_with("cpu ")) return 0;
  for (std::size_t word = 0; word < kSteal; ++word) {
    line.remove_prefix(std::min(line.find(' '), line.size()));
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  }
  std::int64_t ticks = 0;
  const auto read = std::from_chars(line.data(), line.data() + line.size(), ticks);
  return read.ec == std::errc() && ticks > 0 ? static_cast<double>(ticks) * kTickMs : 0;
}

std::int64_t used_ns(int who) {
  rusage usage = {};
  if (::getrusage(who, &usage) != 0) return 0;
  const auto ns = [](const timeval& time) {
    return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 +
           static_cast<std::int64_t>(time.tv_usec) * 1'000;
  };
  return ns(usage.ru_utime) + ns(usage.ru_stime);
}

}  // namespace

Counters read_counters(const std::string& root) {
  Counters counters;
  counters.boot_id = std::string(trimmed(text_or_nothing(root + "/sys/kernel/random/boot_id")));
  const std::string events = text_or_nothing(root + "/vmstat");
  counters.swap_ins = number_behind(events, "pswpin ");
  counters.oom_kills = number_behind(events, "oom_kill ");
  const std::string stat = text_or_nothing(root + "/stat");
  counters.steal_ms = steal_ms_of(stat);
  counters.cpu = parse_kernel_stat(stat);
  counters.memory = parse_meminfo(text_or_nothing(root + "/meminfo"));
  return counters;
}

Counters read_counters() {
  Counters counters = read_counters("/proc");
  counters.own_ns = used_ns(RUSAGE_SELF) + used_ns(RUSAGE_CHILDREN);
  return counters;
}

std::optional<ProcessMemory> read_process_memory(std::int64_t pid, const std::string& root) {
  const std::string text = text_or_nothing(root + "/" + std::to_string(pid) + "/smaps_rollup");
  const ProcessMemory memory = {.rss_bytes = number_behind(text, "Rss:") * kKib,
                                .pss_bytes = number_behind(text, "Pss:") * kKib};
  if (memory.rss_bytes == 0) return std::nullopt;
  return memory;
}

std::optional<ProcessMemory> read_process_memory(std::int64_t pid) {
  return read_process_memory(pid, "/proc");
}

std::optional<double> others_cpu_percent(const Counters& before, const Counters& after) {
  if (!before.cpu.available || !after.cpu.available) return std::nullopt;
  const std::int64_t total = after.cpu.total_ns - before.cpu.total_ns;
  if (total <= 0) return std::nullopt;
  const std::int64_t busy = after.cpu.busy_ns - before.cpu.busy_ns;
  // The two clocks tick apart: a little less than nothing is nothing.
  const std::int64_t others = std::max<std::int64_t>(busy - (after.own_ns - before.own_ns), 0);
  return static_cast<double>(others) / static_cast<double>(total) * 100;
}

}  // namespace cairn::host

#endif

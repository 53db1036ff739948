#include "base/host/windows_samples.h"

#include <limits>
#include <utility>

#include "base/host/ticks.h"

namespace cairn::host {
namespace {

constexpr std::int64_t kUnitNs = 100;

std::uint64_t count_of(FileTime time) {
  return (static_cast<std::uint64_t>(time.high) << 32U) | time.low;
}

std::optional<std::int64_t> signed_of(std::uint64_t value) {
  if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(value);
}

/// Kernel plus user time in units of 100 ns.
std::optional<std::int64_t> sum_of(FileTime kernel, FileTime user) {
  const std::optional<std::int64_t> a = signed_of(count_of(kernel));
  const std::optional<std::int64_t> b = signed_of(count_of(user));
  return a && b ? add_counters(*a, *b) : std::nullopt;
}

CpuTotals cpu_of(const WindowsSystemTimes& times) {
  const std::optional<std::int64_t> total = sum_of(times.kernel, times.user);
  const std::optional<std::int64_t> idle = signed_of(count_of(times.idle));
  const std::optional<std::int64_t> total_ns =
      total ? scale_counter(*total, kUnitNs) : std::nullopt;
  if (!total_ns || !idle || *idle > *total) return {};
  return {.available = true, .total_ns = *total_ns, .busy_ns = *total_ns - *idle * kUnitNs};
}

MemoryTotals memory_of(const WindowsMemory& memory) {
  const std::optional<std::int64_t> total = signed_of(memory.total_bytes);
  const std::optional<std::int64_t> available = signed_of(memory.available_bytes);
  if (!total || !available || *total == 0 || *available == 0) return {};
  return {.available = true, .total_bytes = *total, .available_bytes = *available};
}

ProcessEntry entry_of(const WindowsProcess& process) {
  ProcessEntry entry = {
      .pid = process.pid, .parent_pid = process.parent_pid, .image = process.image};
  if (process.times) {
    entry.start_identity = count_of(process.times->creation);
    const std::optional<std::int64_t> units = sum_of(process.times->kernel, process.times->user);
    const std::optional<std::int64_t> ns = units ? scale_counter(*units, kUnitNs) : std::nullopt;
    entry.cpu_available = ns.has_value();
    entry.cpu_ns = ns.value_or(0);
  }
  if (process.working_set_bytes) {
    const std::optional<std::int64_t> bytes = signed_of(*process.working_set_bytes);
    entry.rss_available = bytes.has_value();
    entry.rss_bytes = bytes.value_or(0);
  }
  return entry;
}

void append_code(std::string& out, char32_t code) {
  const auto byte = [&out](char32_t value) { out.push_back(static_cast<char>(value)); };
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xC0U | (code >> 6U));
    byte(0x80U | (code & 0x3FU));
  } else if (code < 0x10000) {
    byte(0xE0U | (code >> 12U));
    byte(0x80U | ((code >> 6U) & 0x3FU));
    byte(0x80U | (code & 0x3FU));
  } else {
    byte(0xF0U | (code >> 18U));
    byte(0x80U | ((code >> 12U) & 0x3FU));
    byte(0x80U | ((code >> 6U) & 0x3FU));
    byte(0x80U | (code & 0x3FU));
  }
}

}  // namespace

std::string utf8_of_utf16(const char16_t* text, std::size_t size) {
  std::string out;
  for (std::size_t i = 0; i < size; ++i) {
    const char32_t unit = text[i];
    const bool high = unit >= 0xD800 && unit < 0xDC00;
    const bool pair = high && i + 1 < size && text[i + 1] >= 0xDC00 && text[i + 1] < 0xE000;
    if (pair) {
      const char32_t low = text[++i];
      append_code(out, 0x10000U + ((unit - 0xD800U) << 10U) + (low - 0xDC00U));
    } else {
      append_code(out, unit >= 0xD800 && unit < 0xE000 ? U'\uFFFD' : unit);
    }
  }
  return out;
}

Snapshot windows_snapshot(const WindowsSample& sample) {
  Snapshot snapshot;
  if (sample.system_times) snapshot.cpu = cpu_of(*sample.system_times);
  if (sample.memory) snapshot.memory = memory_of(*sample.memory);
  snapshot.enumerated = sample.walk_started;
  const std::string error = "error " + std::to_string(sample.walk_end_error);
  if (!sample.walk_started) {
    snapshot.note = "process snapshot: " + error;
    return snapshot;
  }
  if (sample.walk_end_error != kWindowsNoMoreFiles) {
    snapshot.incomplete = true;
    snapshot.note = "the process walk ended early: " + error;
  }
  for (const WindowsProcess& process : sample.processes) {
    ProcessEntry entry = entry_of(process);
    if (!entry.cpu_available && !entry.rss_available) ++snapshot.unreadable;
    snapshot.processes.push_back(std::move(entry));
  }
  return snapshot;
}

}  // namespace cairn::host

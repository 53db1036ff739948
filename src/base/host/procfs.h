// Linux: the texts of procfs into numbers. Source: proc(5); the rules are those of spec 7.3.
//
// Purpose     parsers that take any bytes, and the walk over a folder laid out like /proc, so that
//             tests can give one of their own.
// Invariants  a text that is not as expected is "unavailable" or "unreadable", never a number.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/host/snapshot.h"

namespace cairn::host {

/// The first line of the kernel's stat file: the first eight counters, in ticks of 10 ms. Guest
/// time is already inside user and nice, so what follows is not added.
CpuTotals parse_kernel_stat(std::string_view text);

/// MemTotal and MemAvailable; available only when both are above 0.
MemoryTotals parse_meminfo(std::string_view text);

/// One process's stat file; the name may hold blanks and parentheses. The pid is the caller's.
/// Processor times or sizes that do not fit are marked unavailable; nothing when the text is not of
/// this form.
std::optional<ProcessEntry> parse_process_stat(std::string_view text, std::int64_t page_bytes);

/// A snapshot without times from the folder `root`. A numeric entry that cannot be read adds to
/// `unreadable` and marks the snapshot incomplete; without a list the note holds the reason.
Snapshot read_procfs(const std::string& root);

}  // namespace cairn::host

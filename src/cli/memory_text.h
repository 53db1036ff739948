// Memory plans and reports as commands print them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/json.h"
#include "base/status.h"
#include "runtime/memory.h"

namespace cairn::cli {

/// Answers that a server or a batch generates at once, unless a setting says otherwise.
inline constexpr std::size_t kServedSequences = 8;

/// What the server itself takes: 4 MiB of routes, documents and buffers of the connections that
/// answers are for, 16 MiB of responses that it keeps, and 8 MiB of streams.
inline constexpr std::uint64_t kServerBytes = 28 << 20;

/// The plan as lines: a table of kinds, the groups of the cache, and what fits.
std::string plan_text(const runtime::MemoryOutlook& outlook);
/// The same as one object; bytes are whole numbers.
Json plan_json(const runtime::MemoryOutlook& outlook);

/// Planned against actual as a table.
std::string memory_text(const runtime::MemoryReport& report);
/// The same as one object.
Json memory_json(const runtime::MemoryReport& report);
/// Prints the table on standard error. Errors: as Runtime::memory.
Status note_memory(const runtime::Runtime& model);

}  // namespace cairn::cli

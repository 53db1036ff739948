// What a model takes: planned before anything is allocated, compared with the truth after a run.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/memory.h"
#include "base/status.h"
#include "runtime/runtime.h"
#include "runtime/sizes.h"

namespace cairn::runtime {

/// What stands in memory before the weights do: measured, as the plan is made with it in place.
struct MemoryBase {
  std::uint64_t program_bytes = 0;  // code, libraries and heap, with what a run will touch of them
  std::uint64_t tokenizer_bytes = 0;  // vocabulary, chat template and the file's header
};

/// The memory of a model that is not loaded.
struct MemoryOutlook {
  std::string architecture = {};
  MemoryBase base = {};
  Sizes sizes = {};
  std::vector<std::string> warnings = {};

  /// With the sizes that were chosen, all of them in use.
  std::uint64_t total() const;
  /// The most that is there at any time, loading included.
  std::uint64_t peak() const;
};

/// Plans what Runtime::open of the same options would take. Errors: as Runtime::open, before it
/// allocates; a plan that does not fit is refused as there.
Result<MemoryOutlook> plan_memory(const OpenOptions& options);

/// Starts counting: what of this process is in memory before a file is opened. Errors: kIo.
Result<MemoryBase> measure_program();

/// Adds what was taken since measure_program() as the tokenizer's. Errors: kIo.
Status measure_tokenizer(MemoryBase& base);

/// One line per kind, and the kernel's own figures of the process.
MemoryReport report_of(const MemoryBase& base, const Sizes& sizes, std::uint64_t weight_bytes,
                       const std::vector<std::size_t>& touched_pages,
                       const ResidentMemory& resident);

}  // namespace cairn::runtime

#include "runtime/memory.h"

#include <algorithm>

#include "formats/model_file.h"
#include "runtime/guarded.h"
#include "runtime/open_model.h"
#include "runtime/quantize.h"

namespace cairn::runtime {
namespace {

/// Code that a run is the first to touch, stacks of its threads, and what the heap keeps for later.
constexpr std::uint64_t kLaterBytes = 4 << 20;

std::uint64_t all_of(const MemoryBase& base) { return base.program_bytes + base.tokenizer_bytes; }

std::uint64_t less(std::uint64_t from, std::uint64_t part) { return from - std::min(from, part); }

}  // namespace

std::uint64_t MemoryOutlook::total() const { return all_of(base) + sizes.total(); }

std::uint64_t MemoryOutlook::peak() const {
  return std::max(total(), all_of(base) + sizes.model.loading_bytes);
}

Result<MemoryBase> measure_program() {
  CAIRN_ASSIGN(const ResidentMemory resident, resident_memory());
  return MemoryBase{.program_bytes = resident.now_bytes + kLaterBytes};
}

Status measure_tokenizer(MemoryBase& base) {
  CAIRN_ASSIGN(const ResidentMemory resident, resident_memory());
  base.tokenizer_bytes = less(resident.now_bytes + kLaterBytes, base.program_bytes);
  return {};
}

namespace {

Result<MemoryOutlook> plan_unguarded(const OpenOptions& options) {
  MemoryOutlook outlook;
  CAIRN_ASSIGN(outlook.base, measure_program());
  CAIRN_ASSIGN(const formats::ModelFile file,
               open_in_type(options.path, options.quantize, outlook.warnings));
  Result<OpenModel> prepared = prepare_model(options, file, outlook.base);
  if (!prepared.ok()) return prepared.status().in(options.path);
  outlook.architecture = std::string(*file.metadata().string("general.architecture"));
  outlook.base = prepared->base;
  outlook.sizes = std::move(prepared->sizes);
  outlook.warnings.insert(outlook.warnings.end(), prepared->warnings.begin(),
                          prepared->warnings.end());
  return outlook;
}

}  // namespace

Result<MemoryOutlook> plan_memory(const OpenOptions& options) {
  return guarded(options.path, [&] { return plan_unguarded(options); });
}

MemoryReport report_of(const MemoryBase& base, const Sizes& sizes, std::uint64_t weight_bytes,
                       const std::vector<std::size_t>& touched_pages,
                       const ResidentMemory& resident) {
  std::uint64_t cache = 0;
  for (std::size_t group = 0; group < touched_pages.size(); ++group) {
    cache += touched_pages[group] * sizes.groups[group].page_bytes;
  }
  const models::MemoryPlan& model = sizes.model;
  const std::uint64_t working =
      model.scratch_bytes + model.logits_bytes + sizes.requests_bytes + sizes.server_bytes;
  // What is in no file was allocated: the tokenizer, then what follows here.
  const std::uint64_t program = less(resident.now_bytes, resident.anonymous_bytes);
  const std::uint64_t rest =
      less(resident.anonymous_bytes, weight_bytes + cache + base.tokenizer_bytes);
  MemoryReport report{.planned_bytes = all_of(base) + sizes.total(),
                      .resident_bytes = resident.now_bytes,
                      .peak_bytes = resident.peak_bytes};
  report.planned_peak_bytes = std::max(report.planned_bytes, all_of(base) + model.loading_bytes);
  report.rows = {{"program", base.program_bytes, program, "files that are mapped"},
                 {"tokenizer", base.tokenizer_bytes, base.tokenizer_bytes, "measured at opening"},
                 {"weights", model.packed_bytes, weight_bytes, "counted"},
                 {"cache", model.cache_bytes, cache, "pages that were used"},
                 {"working", working, rest, "the rest of what was allocated"}};
  return report;
}

}  // namespace cairn::runtime

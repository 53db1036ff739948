// Sizes: how many positions, sequences and pages a model gets, before anything is allocated.
//
// Purpose     one arithmetic for `cairn plan`, for loading and for the report after a run.
// Invariants  pages = floor(bytes / bytes of one page in every cache slot together), where bytes is
//             what was asked for, or what remains of the available memory after weights, scratch,
//             logits, requests, the server and the reserve; never more than the sequences can use.
//             What cannot fit is refused with settings that do.
// Threads     values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "engine/cache/cache_groups.h"
#include "formats/model_file.h"
#include "kernels/device.h"
#include "models/memory_plan.h"

namespace cairn::runtime {

struct SizeWish {
  std::size_t context = 0;  // positions of a sequence; 0: the model's length or what memory fits
  std::size_t sequences = 1;
  std::size_t step_rows = 0;
  std::size_t logits_rows = 0;                    // of a step, beside one per sequence
  std::optional<std::uint64_t> cache_bytes = {};  // of all pages; absent: as memory allows
  std::optional<std::size_t> pages = {};          // of each group; wins over cache_bytes
  std::uint64_t server_bytes = 0;
  std::uint64_t available_bytes = 0;
};

/// The cache slots that share block tables, and what a request takes of them.
struct GroupPlan {
  engine::CacheGroup group = {};
  std::size_t slots = 0;
  std::uint64_t page_bytes = 0;    // of one page in all its slots
  std::size_t request_pages = 0;   // of a request that fills the context, at most
  std::size_t retained_pages = 0;  // of them, once its prompt is computed
};

struct Sizes {
  std::size_t context = 0;
  std::size_t sequences = 0;
  std::size_t step_rows = 0;
  std::size_t pages = 0;            // of each group
  std::string context_reason = {};  // where the number comes from, in words
  std::string pages_reason = {};
  std::string warning = {};  // empty: none
  models::MemoryPlan model = {};
  std::vector<GroupPlan> groups = {};
  std::uint64_t requests_bytes = 0;  // what the engine keeps of running requests beside their pages
  std::uint64_t server_bytes = 0;
  std::uint64_t available_bytes = 0;
  std::uint64_t reserve_bytes = 0;  // of them, left alone unless asked for
  std::size_t pages_max = 0;        // that fit beside everything else and the reserve

  std::uint64_t total() const { return model.total() + requests_bytes + server_bytes; }
  /// Most pages that a request of the whole context takes of one group.
  std::size_t request_pages() const;
  /// Bytes of the pages that such a request takes of all groups together, at most.
  std::uint64_t request_bytes() const;
};

/// The groups of `caches` for requests of `context` positions.
std::vector<GroupPlan> plan_groups(const std::vector<models::CachePlan>& caches,
                                   std::size_t context);

/// Errors: kInvalidArgument for a context that the asked pages cannot hold; kTooLarge when it does
/// not fit, with the parts and settings that do.
Result<Sizes> choose_sizes(const formats::ModelFile& file, const kernels::Device& device,
                           const SizeWish& wish);

}  // namespace cairn::runtime

#include "runtime/sizes.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "base/bytes_text.h"

namespace cairn::runtime {
namespace {

using engine::pages_for;
using kernels::kPagePositions;

constexpr std::uint64_t kReserveShare = 8;  // a part of that is left alone: others take memory too
constexpr std::uint64_t kRequestBytes = 64 << 10;
constexpr std::size_t kSmallStep = 32;  // rows of a step that costs little scratch

/// Ids three times (asked for, generated, cached), block tables, and what sampling keeps per id.
std::uint64_t requests_bytes(const SizeWish& wish, const Sizes& sizes) {
  const std::uint64_t tables = sizes.groups.size() * pages_for(sizes.context);
  const std::uint64_t each =
      (3 * sizes.context + tables + 2 * sizes.model.vocabulary) * sizeof(std::uint32_t);
  return wish.sequences * (each + kRequestBytes);
}

/// Plans `pages` pages for sequences of sizes.context positions.
Status plan(const formats::ModelFile& file, const kernels::Device& device, const SizeWish& wish,
            std::size_t pages, Sizes& sizes) {
  const std::size_t positions = pages > std::numeric_limits<std::size_t>::max() / kPagePositions
                                    ? std::numeric_limits<std::size_t>::max()
                                    : pages * kPagePositions;
  const std::size_t rows = std::max(std::min(wish.step_rows, positions), wish.sequences);
  const models::MemoryNeed need{
      .pages = pages,
      .limits = {.rows_max = rows, .logits_rows_max = wish.sequences + wish.logits_rows}};
  CAIRN_ASSIGN(sizes.model, models::plan_memory(file, device, need));
  sizes.groups = plan_groups(sizes.model.caches, sizes.context);
  sizes.requests_bytes = requests_bytes(wish, sizes);
  sizes.pages = pages;
  return {};
}

/// Pages beside everything but the cache in `bytes`.
std::size_t pages_beside(const Sizes& sizes, std::uint64_t bytes) {
  const std::uint64_t fixed = sizes.total() - sizes.model.cache_bytes;
  return bytes <= fixed ? 0 : models::pages_in(sizes.model, bytes - fixed);
}

/// The pages that were asked for, by number or by bytes.
std::optional<std::size_t> asked_pages(const SizeWish& wish, const Sizes& sizes) {
  if (wish.pages) return wish.pages;
  if (wish.cache_bytes) return models::pages_in(sizes.model, *wish.cache_bytes);
  return std::nullopt;
}

std::string asked_text(const SizeWish& wish) {
  if (wish.pages) return fmt::format("--num-blocks {}", *wish.pages);
  return fmt::format("--kv-cache-memory {}", *wish.cache_bytes);
}

/// Settings with which the same model fits, as they would be written; empty when none do.
std::string fitting_settings(const formats::ModelFile& file, const kernels::Device& device,
                             const SizeWish& wish) {
  const SizeWish same{
      .sequences = wish.sequences, .step_rows = wish.step_rows, .logits_rows = wish.logits_rows};
  const SizeWish small{.sequences = 1,
                       .step_rows = std::min(wish.step_rows, kSmallStep),
                       .logits_rows = wish.logits_rows};
  for (SizeWish attempt : {same, small}) {
    attempt.server_bytes = wish.server_bytes;
    Sizes sizes{.server_bytes = wish.server_bytes};
    if (!plan(file, device, attempt, pages_for(attempt.step_rows), sizes).ok()) continue;
    const std::size_t fit = pages_beside(sizes, wish.available_bytes);
    // Requests keep their ids too, so that a page less always leaves room for them.
    const std::size_t most =
        std::min(wish.context > 0 ? wish.context : sizes.model.context_length,
                 std::min(sizes.model.context_length,
                          (fit - std::min<std::size_t>(fit, 1)) * kPagePositions));
    if (most == 0) continue;
    sizes.context = most;
    const std::size_t pages = pages_for(most);
    if (!plan(file, device, attempt, pages, sizes).ok()) continue;
    if (sizes.total() > wish.available_bytes) continue;
    std::string text = fmt::format("--ctx {} --num-blocks {}", most, pages);
    if (attempt.sequences != wish.sequences) text += " --max-num-seqs 1";
    if (attempt.step_rows != wish.step_rows) {
      text += fmt::format(" --step-rows {}", attempt.step_rows);
    }
    return text;
  }
  return {};
}

Status refusal(const formats::ModelFile& file, const kernels::Device& device, const SizeWish& wish,
               const Sizes& sizes) {
  const models::MemoryPlan& model = sizes.model;
  const std::string settings = fitting_settings(file, device, wish);
  return too_large(fmt::format(
      "the model needs {} (weights {}, cache {}, scratch {}, logits {}, requests {}, server {}) "
      "and {} are available; {}",
      bytes_text(sizes.total()), bytes_text(model.packed_bytes), bytes_text(model.cache_bytes),
      bytes_text(model.scratch_bytes), bytes_text(model.logits_bytes),
      bytes_text(sizes.requests_bytes), bytes_text(sizes.server_bytes),
      bytes_text(sizes.available_bytes),
      settings.empty() ? "no settings make it fit: it takes a smaller file"
                       : "these settings fit: " + settings));
}

/// The context, given how many pages there can be.
Status choose_context(const SizeWish& wish, std::size_t pages, Sizes& sizes) {
  const std::size_t trained = sizes.model.context_length;
  const std::size_t held =
      std::min(pages, std::numeric_limits<std::size_t>::max() / kPagePositions);
  if (wish.context == 0) {
    sizes.context = std::min(trained, held * kPagePositions);
    sizes.context_reason = sizes.context == trained
                               ? "the model's length"
                               : fmt::format("what memory fits; the model's length is {}", trained);
    return {};
  }
  sizes.context = wish.context;
  sizes.context_reason = "as asked for";
  if (wish.context > trained) {
    sizes.warning = fmt::format(
        "a context of {} positions is longer than the {} that the model was trained "
        "for",
        wish.context, trained);
  }
  return {};
}

/// Asked-for pages must hold one request of the whole context.
Status check_asked(const SizeWish& wish, std::size_t pages, const Sizes& sizes) {
  const std::size_t needed = std::max<std::size_t>(1, pages_for(sizes.context));
  if (pages >= needed) return {};
  const std::uint64_t bytes = needed * sizes.model.page_bytes;
  const std::string shorter =
      pages == 0 ? "" : fmt::format(", or --ctx {}", pages * kPagePositions);
  return invalid_argument(fmt::format(
      "{} gives {} pages of {} positions ({} bytes each), a context of {} needs {}; these settings "
      "do: --num-blocks {}, or --kv-cache-memory {}{}",
      asked_text(wish), pages, kPagePositions, sizes.model.page_bytes, sizes.context, needed,
      needed, bytes, shorter));
}

/// Pages that all sequences together can use, and where memory has fewer, those.
void choose_pages(const SizeWish& wish, std::size_t fit, std::size_t& pages, Sizes& sizes) {
  const std::size_t each = pages_for(sizes.context);
  const std::size_t wanted = each > std::numeric_limits<std::size_t>::max() / wish.sequences
                                 ? std::numeric_limits<std::size_t>::max()
                                 : each * wish.sequences;
  if (wish.context > 0 && fit < each) {  // does not fit: refused with the numbers of one request
    pages = each;
    return;
  }
  pages = std::min(wanted, fit);
  sizes.pages_reason = pages == wanted ? "every sequence at its whole length"
                                       : "what remains of the available memory";
}

}  // namespace

std::size_t Sizes::request_pages() const {
  std::size_t most = 0;
  for (const GroupPlan& group : groups) most = std::max(most, group.request_pages);
  return most;
}

std::uint64_t Sizes::request_bytes() const {
  std::uint64_t bytes = 0;
  for (const GroupPlan& group : groups) bytes += group.request_pages * group.page_bytes;
  return bytes;
}

std::vector<GroupPlan> plan_groups(const std::vector<models::CachePlan>& caches,
                                   std::size_t context) {
  std::vector<models::CacheSpec> slots;
  for (const models::CachePlan& cache : caches) slots.push_back(cache.spec);
  const engine::CacheGroups grouped = engine::groups_of(slots);
  std::vector<GroupPlan> groups;
  for (const engine::CacheGroup& group : grouped.groups) {
    const std::size_t pages = group.pages_for(context);
    const std::size_t behind = context == 0 ? 0 : group.first_page(context - 1);
    groups.push_back({.group = group,
                      .request_pages = pages,
                      .retained_pages = pages - std::min(pages, behind)});
  }
  for (std::size_t slot = 0; slot < caches.size(); ++slot) {
    GroupPlan& group = groups[grouped.group_of_slot[slot]];
    ++group.slots;
    group.page_bytes += caches[slot].page_bytes;
  }
  return groups;
}

Result<Sizes> choose_sizes(const formats::ModelFile& file, const kernels::Device& device,
                           const SizeWish& wish) {
  if (wish.sequences == 0) return invalid_argument("0 sequences at once, it needs 1 or more");
  Sizes sizes{.context = wish.context,
              .sequences = wish.sequences,
              .step_rows = wish.step_rows,
              .server_bytes = wish.server_bytes,
              .available_bytes = wish.available_bytes,
              .reserve_bytes = wish.available_bytes / kReserveShare};
  CAIRN_TRY(plan(file, device, wish, pages_for(wish.step_rows), sizes));
  if (wish.context == 0) {  // requests of the model's length, which is the most there will be
    sizes.context = sizes.model.context_length;
    sizes.requests_bytes = requests_bytes(wish, sizes);
  }
  sizes.pages_max = pages_beside(sizes, wish.available_bytes - sizes.reserve_bytes);
  const std::optional<std::size_t> asked = asked_pages(wish, sizes);
  CAIRN_TRY(choose_context(wish, asked.value_or(sizes.pages_max), sizes));
  std::size_t pages = asked.value_or(0);
  if (asked) {
    CAIRN_TRY(check_asked(wish, pages, sizes));
    sizes.pages_reason = "as asked for with " + asked_text(wish);
  } else {
    // A context that somebody asks for may take the reserve.
    const std::size_t fit = wish.context > 0 && sizes.pages_max < pages_for(wish.context)
                                ? pages_beside(sizes, wish.available_bytes)
                                : sizes.pages_max;
    choose_pages(wish, fit, pages, sizes);
  }
  const bool none = pages == 0;
  CAIRN_TRY(plan(file, device, wish, none ? 1 : pages, sizes));
  if (none || sizes.total() > wish.available_bytes) return refusal(file, device, wish, sizes);
  return sizes;
}

}  // namespace cairn::runtime

#include "cli/memory_text.h"

#include <fmt/core.h>

#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes_text.h"
#include "cli/terminal.h"
#include "cli/words.h"

namespace cairn::cli {
namespace {

using runtime::GroupPlan;
using runtime::MemoryOutlook;
using runtime::Sizes;

/// One line of a plan.
struct PlanRow {
  std::string_view kind;
  std::uint64_t bytes = 0;
  std::string note = {};
};

std::vector<PlanRow> rows_of(const MemoryOutlook& outlook) {
  const Sizes& sizes = outlook.sizes;
  const models::MemoryPlan& model = sizes.model;
  return {
      {"program", outlook.base.program_bytes, "this program before it opens a file"},
      {"tokenizer", outlook.base.tokenizer_bytes, "vocabulary, chat template, the file's header"},
      {"weights", model.packed_bytes,
       fmt::format("packed; as stored {}, given back while they are packed",
                   bytes_text(model.file_weight_bytes))},
      {"cache", model.cache_bytes,
       fmt::format("{}: {}", counted(sizes.pages, "page"), sizes.pages_reason)},
      {"scratch", model.scratch_bytes,
       fmt::format("steps of up to {}", counted(sizes.step_rows, "row"))},
      {"logits", model.logits_bytes, counted(sizes.sequences, "sequence") + " at once"},
      {"requests", sizes.requests_bytes, "their ids, block tables and sampling"},
      {"server", sizes.server_bytes,
       sizes.server_bytes > 0 ? "connections, stored responses" : "none"}};
}

std::string_view kind_text(models::CacheKind kind) {
  switch (kind) {
    case models::CacheKind::kKeysValues:
      return "keys and values";
    case models::CacheKind::kLatent:
      return "latent";
    case models::CacheKind::kRecurrent:
      return "recurrent state";
  }
  return "unknown";
}

std::string group_text(const GroupPlan& group, const Sizes& sizes) {
  std::string text =
      fmt::format("  {} of {}", kind_text(group.group.kind), counted(group.slots, "layer"));
  if (group.group.window > 0) text += fmt::format(", window {}", group.group.window);
  text += fmt::format(": {} a page, {} in all; a request of {} takes {}",
                      bytes_text(group.page_bytes), bytes_text(sizes.pages * group.page_bytes),
                      counted(sizes.context, "position"), counted(group.request_pages, "page"));
  if (group.retained_pages < group.request_pages) {
    text += fmt::format(", {} once its prompt is computed", group.retained_pages);
  }
  return text + "\n";
}

/// Requests of the whole context that have their pages at the same time.
std::size_t requests_in(const Sizes& sizes, std::size_t pages) {
  return sizes.request_pages() == 0 ? 0 : pages / sizes.request_pages();
}

std::string fit_text(const Sizes& sizes) {
  return fmt::format(
      "Available   {}, of which {} are kept in reserve\n"
      "Largest     a context of {}, {} in all pages that fit\n"
      "Requests    {} of {} in the planned pages, {} in all that fit; {} of cache each\n",
      bytes_text(sizes.available_bytes), bytes_text(sizes.reserve_bytes),
      counted(sizes.pages_max * kernels::kPagePositions, "position"),
      counted(sizes.pages_max, "page"), requests_in(sizes, sizes.pages),
      counted(sizes.context, "position"), requests_in(sizes, sizes.pages_max),
      bytes_text(sizes.request_bytes()));
}

Json groups_json(const Sizes& sizes) {
  Json groups = Json::array();
  for (const GroupPlan& group : sizes.groups) {
    groups.push_back({{"kind", kind_text(group.group.kind)},
                      {"window", group.group.window},
                      {"layers", group.slots},
                      {"page_bytes", group.page_bytes},
                      {"bytes", sizes.pages * group.page_bytes},
                      {"request_pages", group.request_pages},
                      {"request_pages_retained", group.retained_pages},
                      {"request_bytes", group.request_pages * group.page_bytes}});
  }
  return groups;
}

}  // namespace

std::string plan_text(const MemoryOutlook& outlook) {
  const Sizes& sizes = outlook.sizes;
  std::string text =
      fmt::format("{}: context {} ({}), {} at once\n\n", outlook.architecture, sizes.context,
                  sizes.context_reason, counted(sizes.sequences, "sequence"));
  for (const PlanRow& row : rows_of(outlook)) {
    text += fmt::format("{:<10} {:>10}  {}\n", row.kind, bytes_text(row.bytes), row.note);
  }
  text += fmt::format("{:<10} {:>10}  {} at most while it is loaded and run\n\n", "total",
                      bytes_text(outlook.total()), bytes_text(outlook.peak()));
  text += fmt::format("Cache: {} of {} positions, {} in all layers together\n",
                      counted(sizes.pages, "page"), kernels::kPagePositions,
                      bytes_text(sizes.model.page_bytes) + " a page");
  for (const GroupPlan& group : sizes.groups) text += group_text(group, sizes);
  return text + "\n" + fit_text(sizes);
}

Json plan_json(const MemoryOutlook& outlook) {
  const Sizes& sizes = outlook.sizes;
  Json kinds = Json::object();
  for (const PlanRow& row : rows_of(outlook)) kinds[std::string(row.kind)] = row.bytes;
  return {{"architecture", outlook.architecture},
          {"context", sizes.context},
          {"context_reason", sizes.context_reason},
          {"context_trained", sizes.model.context_length},
          {"max_num_seqs", sizes.sequences},
          {"step_rows", sizes.step_rows},
          {"kinds", std::move(kinds)},
          {"weights_stored_bytes", sizes.model.file_weight_bytes},
          {"total_bytes", outlook.total()},
          {"peak_bytes", outlook.peak()},
          {"page_positions", kernels::kPagePositions},
          {"page_bytes", sizes.model.page_bytes},
          {"pages", sizes.pages},
          {"pages_reason", sizes.pages_reason},
          {"groups", groups_json(sizes)},
          {"request_bytes", sizes.request_bytes()},
          {"available_bytes", sizes.available_bytes},
          {"reserve_bytes", sizes.reserve_bytes},
          {"pages_that_fit", sizes.pages_max},
          {"context_that_fits", sizes.pages_max * kernels::kPagePositions},
          {"requests_planned", requests_in(sizes, sizes.pages)},
          {"requests_that_fit", requests_in(sizes, sizes.pages_max)},
          {"warnings", outlook.warnings}};
}

std::string memory_text(const runtime::MemoryReport& report) {
  std::string text = fmt::format("{:<10} {:>10} {:>10}\n", "memory", "planned", "actual");
  for (const runtime::MemoryRow& row : report.rows) {
    text += fmt::format("{:<10} {:>10} {:>10}  {}\n", row.kind, bytes_text(row.planned_bytes),
                        bytes_text(row.actual_bytes), row.source);
  }
  text += fmt::format("{:<10} {:>10} {:>10}  resident now\n", "total",
                      bytes_text(report.planned_bytes), bytes_text(report.resident_bytes));
  return text + fmt::format("{:<10} {:>10} {:>10}  resident at most\n", "peak",
                            bytes_text(report.planned_peak_bytes), bytes_text(report.peak_bytes));
}

Json memory_json(const runtime::MemoryReport& report) {
  Json kinds = Json::array();
  for (const runtime::MemoryRow& row : report.rows) {
    kinds.push_back({{"kind", row.kind},
                     {"planned_bytes", row.planned_bytes},
                     {"actual_bytes", row.actual_bytes},
                     {"source", row.source}});
  }
  return {{"kinds", std::move(kinds)},
          {"planned_bytes", report.planned_bytes},
          {"planned_peak_bytes", report.planned_peak_bytes},
          {"resident_bytes", report.resident_bytes},
          {"peak_bytes", report.peak_bytes}};
}

Status note_memory(const runtime::Runtime& model) {
  CAIRN_ASSIGN(const runtime::MemoryReport report, model.memory());
  note(memory_text(report));
  return {};
}

}  // namespace cairn::cli

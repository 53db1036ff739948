#include "engine/engine_state.h"

#include <algorithm>
#include <utility>

namespace cairn::engine {
namespace {

KvCacheOptions cache_options(Forwarder& forwarder, const EngineOptions& options,
                             PageKeeper* keeper) {
  KvCacheOptions cache{
      .groups = {forwarder.groups().begin(), forwarder.groups().end()},
      .pages = forwarder.pages(),
      .identity = forwarder.cache_identity(),
      .events_max = options.cache_events,
      .snapshot_tokens = options.snapshot_tokens,
      .copy_page = [&forwarder](std::size_t group, std::uint32_t from,
                                std::uint32_t to) { forwarder.copy_page(group, from, to); },
      .fill_page =
          [&forwarder](std::size_t group, std::uint32_t page, std::span<const std::byte> bytes) {
            forwarder.fill_page(group, page, bytes);
          }};
  if (keeper == nullptr) return cache;
  cache.lose_page = [keeper](const PrefixNode& node, std::size_t group, std::uint32_t page) {
    keeper->offer(node, group, page);
  };
  return cache;
}

bool has_state(const Forwarder& forwarder) {
  return std::ranges::any_of(forwarder.groups(), &CacheGroup::recurrent);
}

ScheduleLimits schedule_limits(const Forwarder& forwarder, const EngineOptions& options) {
  return {.rows_max = forwarder.rows_max(),
          .sequences_max = options.sequences,
          .waiting_max = options.waiting_max,
          .aging_per_s = options.aging_per_s,
          .drafts_max = options.lookup.tokens_max,
          .snapshot_tokens = has_state(forwarder) ? options.snapshot_tokens : 0,
          .logits_max = forwarder.logits_rows_max()};
}

}  // namespace

EngineState::EngineState(std::unique_ptr<Forwarder> runner, const TokenBytes& bytes,
                         const EngineOptions& chosen, std::unique_ptr<PageKeeper> pages)
    : options(chosen),
      token_bytes(bytes),
      forwarder(std::move(runner)),
      vocabulary(bytes.size()),
      keeper(std::move(pages)),
      cache(cache_options(*forwarder, options, keeper.get())),
      scheduler(schedule_limits(*forwarder, options), *this),
      tables_(cache.groups().size()),
      row_costs_(options.sequences + options.lookup.tokens_max) {
  if (options.lookup.tokens_max > 0) drafts = DraftFigures();
  if (options.self_check > 0) {
    self_check = std::make_unique<SelfCheck>(options.self_check, *forwarder, cache, token_bytes);
  }
  rows_.reserve(forwarder->rows_max());
  for (auto& tables : tables_) tables.reserve(options.sequences);
}

GenerationLimits EngineState::limits() const {
  return {.vocabulary = vocabulary,
          .context = options.context,
          .on_full = options.on_full,
          .tokens_kept = options.tokens_kept,
          .lookup = options.lookup};
}

/// A self-check that has pages gives them up for whoever needs some.
bool EngineState::reserve(SequencePages& pages, std::size_t length) {
  if (pages.reserve(length)) return true;
  return self_check && self_check->give_way() && pages.reserve(length);
}

std::optional<std::size_t> EngineState::admit(RequestId id) {
  Generation& generation = *active.at(id).generation;
  SequencePages& pages = generation.pages();
  if (generation.may_reuse()) {
    pages.match(generation.reusable_ids());
    // Copied when the request is as good as admitted.
    if (pages.fits(generation.ids().size())) {
      pages.restore(generation.reusable_ids(), active.at(id).fetched.pages);
    }
  }
  if (!reserve(pages, generation.ids().size())) {
    pages.clear();
    return std::nullopt;
  }
  active.at(id).fetched = {};
  cache.count_lookup(generation.ids().size(), pages.ids().size());
  // Of the prompt: what a preemption or a full context has computed again is no part of it.
  if (generation.figures().preemptions + generation.figures().dropped_tokens == 0) {
    generation.figures().cached_tokens = pages.ids().size();
  }
  return pages.ids().size();
}

bool EngineState::grow(RequestId id, std::size_t length) {
  return reserve(active.at(id).generation->pages(), length);
}

FetchedPages EngineState::fetch(Generation& generation) {
  const Request& request = generation.request();
  if (!keeper || request.reuse == PrefixReuse::kNo) return {};
  std::size_t known = 0;
  {
    const Lock lock(mutex);
    known = generation.pages().match(generation.reusable_ids());
    generation.pages().clear();  // which makes them the last to be evicted
  }
  return keeper->fetch(generation.reusable_ids(), request.cache_salt, pages_for(known));
}

void EngineState::keep_idle_pages() {
  if (!keeper) return;
  active.clear();
  if (self_check) self_check->give_way();
  keeper->keep_all(cache);
}

std::size_t EngineState::draft(RequestId id, const DraftRoom& room) {
  return active.at(id).generation->draft(room, row_costs_);
}

void EngineState::drop(RequestId id) { active.at(id).generation->pages().clear(); }

Result<std::vector<RequestId>> EngineState::queue(
    std::vector<std::unique_ptr<Generation>> answers) {
  const double time = now();
  const Request& request = answers.front()->request();
  Job job{.priority = request.priority, .arrival_s = time, .length = request.prompt.size()};
  if (request.deadline_s) job.deadline_s = time + *request.deadline_s;
  job.logits_to = answers.front()->prompt_score().wanted_positions();
  job.id = next_id;
  CAIRN_TRY(scheduler.submit(job, time));
  std::vector<RequestId> ids;
  for (std::unique_ptr<Generation>& generation : answers) {
    job.id = next_id++;
    ids.push_back(job.id);
    active[job.id] = {.generation = std::move(generation), .job = job};
  }
  active.at(ids.front()).followers.assign(ids.begin() + 1, ids.end());
  changed.notify_all();
  return ids;
}

void EngineState::reap() {
  std::vector<RequestId> unwanted;
  for (const auto& [id, request] : active) {
    if (request.generation->stop_asked()) unwanted.push_back(id);
  }
  for (const RequestId id : unwanted) {
    scheduler.finished(id, now());
    end(id, FinishReason::kCancelled);
  }
}

void EngineState::end(RequestId id, FinishReason reason) {
  Generation& generation = *active.at(id).generation;
  if (!generation.finish_reason()) generation.finish(reason);
  generation.publish();
  if (self_check) self_check->ended(id, generation, limits());
  remove(id);
}

/// Takes the request out; of answers that still wait for its prompt the first takes its place.
void EngineState::remove(RequestId id) {
  std::vector<RequestId> followers = std::move(active.at(id).followers);
  active.erase(id);
  for (auto& [other, request] : active) std::erase(request.followers, id);
  if (followers.empty()) return;
  Active& leader = active.at(followers.front());
  scheduler.requeue(leader.job);
  leader.followers.assign(followers.begin() + 1, followers.end());
}

}  // namespace cairn::engine

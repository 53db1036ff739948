#include "engine/schedule/scheduler.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "engine/cache/cache_groups.h"

namespace cairn::engine {
namespace {

constexpr double kNewestService = 0.1;  // weight of the newest request's time

bool newest_alone(const Job& job) { return job.pending() == 1; }

}  // namespace

bool Scheduler::ByRank::operator()(const Job& a, const Job& b) const {
  const double rank_a = a.priority + aging_per_s * a.arrival_s;
  const double rank_b = b.priority + aging_per_s * b.arrival_s;
  return rank_a != rank_b ? rank_a < rank_b : a.id < b.id;
}

std::size_t Job::logits_of(std::size_t rows) const {
  const std::size_t end = std::min(computed + rows, logits_to);
  return end - std::min(end, logits_from) + (rows == pending() ? 1 : 0);
}

Scheduler::Scheduler(const ScheduleLimits& limits, SchedulePages& pages)
    : limits_(limits),
      pages_(pages),
      by_rank_{limits.aging_per_s},
      waiting_(by_rank_),
      costs_(limits.sequences_max + limits.drafts_max) {
  running_.reserve(limits.sequences_max);
}

Status Scheduler::submit(const Job& job, double now_s) {
  if (waiting_.size() >= limits_.waiting_max) {
    return unavailable(fmt::format("{} requests wait, accepted are {}; try again in {} s",
                                   waiting_.size(), limits_.waiting_max, retry_after_s()));
  }
  const std::optional<double> wait = first_id_s(job);
  if (job.deadline_s && wait && now_s + *wait > *job.deadline_s) {
    return unavailable(
        fmt::format("the deadline is in {:.3f} s, the first token would take {:.3f} s or more",
                    std::max(0.0, *job.deadline_s - now_s), *wait));
  }
  waiting_.insert(job);
  return {};
}

void Scheduler::run(const Job& job) {
  CAIRN_CHECK(can_run());
  running_.insert(std::ranges::upper_bound(running_, job, by_rank_), job);
}

double Scheduler::retry_after_s() const {
  const double each = service_s_.value_or(0) / static_cast<double>(limits_.sequences_max);
  return std::max(1.0, std::ceil(each));
}

std::optional<double> Scheduler::first_id_s(const Job& job) const {
  const std::optional<double> row_s = costs_.prompt_row_s();
  if (!row_s) return std::nullopt;
  std::size_t rows = job.pending();
  for (const Job& other : running_) rows += newest_alone(other) ? 0 : other.pending();
  for (const Job& other : waiting_) {
    if (by_rank_(job, other)) break;
    rows += other.pending();
  }
  return static_cast<double>(rows) * *row_s;
}

const Plan& Scheduler::plan(double now_s) {
  plan_ = {.chunks = std::move(plan_.chunks)};
  plan_.chunks.clear();
  expire(now_s);
  plan_newest();
  plan_drafts();
  const std::size_t rows = plan_.decode_rows;
  Room left{.rows = std::min(costs_.prompt_rows(rows, limits_.rows_max, limits_.gap),
                             limits_.rows_max - rows),
            .logits = limits_.logits_max - rows};
  plan_prompts(left);
  if (plan_.preempted.empty()) admit(left, now_s);
  return plan_;
}

void Scheduler::expire(double now_s) {
  const auto passed = [&](const Job& job) {
    if (!job.deadline_s || now_s < *job.deadline_s) return false;
    plan_.expired.push_back(job.id);
    return true;
  };
  std::erase_if(running_, passed);
  std::erase_if(waiting_, passed);
  for (const RequestId id : plan_.expired) pages_.drop(id);
}

/// Preempts until `job`, which runs, has its next page; false when it was itself the worst.
bool Scheduler::make_room(const Job& job) {
  const RequestId id = job.id;
  const std::size_t length = job.length;
  while (!pages_.grow(id, length)) {
    Job worst = running_.back();
    running_.pop_back();
    pages_.drop(worst.id);
    worst.computed = 0;
    waiting_.insert(worst);
    plan_.preempted.push_back(worst.id);
    if (worst.id == id) return false;
  }
  return true;
}

void Scheduler::plan_newest() {
  for (std::size_t i = 0; i < running_.size(); ++i) {
    if (!newest_alone(running_[i])) continue;
    if (!make_room(running_[i])) break;
    plan_.chunks.push_back({.id = running_[i].id, .rows = 1, .last = true});
    ++plan_.decode_rows;
  }
}

/// Pages for guesses are taken when every newest id has its own, so that none is preempted for
/// them.
void Scheduler::plan_drafts() {
  const bool prompts = !std::ranges::all_of(running_, newest_alone);
  if (limits_.drafts_max == 0 || prompts || !plan_.preempted.empty()) return;
  std::size_t left = std::min(limits_.drafts_max, limits_.rows_max - plan_.decode_rows);
  std::size_t others = plan_.chunks.size();
  for (Chunk& chunk : plan_.chunks) {
    const DraftRoom room{.tokens = (left + others - 1) / others,
                         .rows = plan_.decode_rows,
                         .sequences = plan_.chunks.size()};
    --others;
    const std::size_t drafts = pages_.draft(chunk.id, room);
    if (drafts == 0 || !pages_.grow(chunk.id, find_running(chunk.id)->length + drafts)) continue;
    chunk.drafts = drafts;
    chunk.rows += drafts;
    plan_.decode_rows += drafts;
    left -= drafts;
  }
}

/// `others` prompts may end in the same step: a row of logits is left for each.
void Scheduler::add_chunk(const Job& job, std::size_t others, Room& left) {
  std::size_t rows = std::min({job.pending(), left.rows, until_snapshot(job)});
  if (job.logits_from < job.logits_to) {
    const std::size_t read = job.logits_from - job.computed;  // before it was preempted
    rows = std::min(rows, read + left.logits - others);
  }
  const bool last = rows == job.pending();
  const std::size_t logits = job.logits_of(rows);
  left.rows -= rows;
  left.logits -= logits;
  plan_.chunks.push_back({.id = job.id, .rows = rows, .last = last});
  plan_.told_rows += logits - (last ? 1 : 0);
  plan_.prompt_rows += rows;
}

std::size_t Scheduler::until_snapshot(const Job& job) const {
  const std::size_t every = limits_.snapshot_tokens;
  if (every == 0) return job.pending();
  const std::size_t next = (job.computed / every + 1) * every;
  const std::size_t last = snapshot_position(job.length);
  return std::min(next, last > job.computed ? last : job.length) - job.computed;
}

/// Waiting requests that have a place.
std::size_t Scheduler::can_join() const {
  return std::min(limits_.sequences_max - running_.size(), waiting_.size());
}

void Scheduler::plan_prompts(Room& left) {
  std::size_t others =
      running_.size() - static_cast<std::size_t>(std::ranges::count_if(running_, newest_alone));
  for (const Job& job : running_) {
    if (left.rows == 0) return;
    if (!newest_alone(job)) add_chunk(job, --others + can_join(), left);
  }
}

void Scheduler::admit(Room& left, double now_s) {
  while (left.rows > 0 && can_run() && !waiting_.empty()) {
    const RequestId id = waiting_.begin()->id;
    const std::optional<std::size_t> found = pages_.admit(id);
    if (!found) return;
    Job job = *waiting_.begin();
    waiting_.erase(waiting_.begin());
    job.computed = *found;
    if (job.admitted_s == 0) job.admitted_s = now_s;
    plan_.admitted.push_back(id);
    run(job);
    add_chunk(job, can_join(), left);
  }
}

Job* Scheduler::find_running(RequestId id) {
  const auto found = std::ranges::find(running_, id, &Job::id);
  return found == running_.end() ? nullptr : &*found;
}

void Scheduler::computed(double seconds) {
  for (const Chunk& chunk : plan_.chunks) {
    Job* job = find_running(chunk.id);
    if (job == nullptr) continue;
    job->computed += chunk.rows - chunk.drafts;
    job->logits_from = std::max(job->logits_from, job->computed);
  }
  // Rows with logits cost more than those that prompts usually are.
  if (plan_.told_rows == 0) costs_.measured(plan_.decode_rows, plan_.prompt_rows, seconds);
}

void Scheduler::sampled(RequestId id, std::size_t ids) {
  Job* job = find_running(id);
  CAIRN_CHECK(job != nullptr && job->pending() == 0);
  job->length += ids;
  job->computed += ids - 1;
}

void Scheduler::restart(RequestId id, std::size_t length) {
  Job* running = find_running(id);
  CAIRN_CHECK(running != nullptr);
  Job job = *running;
  running_.erase(running_.begin() + (running - running_.data()));
  job.length = length;
  job.computed = 0;
  waiting_.insert(job);
}

void Scheduler::finished(RequestId id, double now_s) {
  if (const Job* job = find_running(id)) {
    const double service = now_s - job->admitted_s;
    service_s_ = service_s_ ? *service_s_ + kNewestService * (service - *service_s_) : service;
  }
  const auto same = [id](const Job& job) { return job.id == id; };
  std::erase_if(running_, same);
  std::erase_if(waiting_, same);
}

}  // namespace cairn::engine

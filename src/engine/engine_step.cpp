// The steps of EngineState: planned, laid out, computed, sampled, settled.
#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "engine/engine_state.h"

namespace cairn::engine {
namespace {

/// Adds the time since the last lap to one part after the other. The engine's own clock is not
/// asked: tests set it, and what it says decides things.
class Laps {
 public:
  void add_to(double& seconds) {
    const std::int64_t now_ns = steady_ns();
    seconds += static_cast<double>(now_ns - last_ns_) * 1e-9;
    last_ns_ = now_ns;
  }

 private:
  std::int64_t last_ns_ = steady_ns();
};

}  // namespace

bool EngineState::step(Lock& lock) {
  Laps laps;
  reap();
  const Plan& plan = scheduler.plan(now());
  note(plan);
  if (plan.chunks.empty()) {
    if (!plan.expired.empty()) tell_news();
    return check_alone(lock) || !plan.expired.empty();
  }
  const double begin = now();
  lay_out(plan);
  laps.add_to(step_seconds.plan);
  lock.unlock();
  const Matrix logits = forward();
  StepSeconds unlocked;
  laps.add_to(unlocked.forward);
  read_prompts(logits);
  sample(logits);
  pool();
  laps.add_to(unlocked.sample);
  lock.lock();
  step_seconds.forward += unlocked.forward;
  step_seconds.sample += unlocked.sample;
  settle(plan, now() - begin);
  ++steps;
  tell_news();
  laps.add_to(step_seconds.settle);
  (void)check_alone(lock);
  return true;
}

/// One step of a self-check, beside which nothing runs; false when there is none to do.
bool EngineState::check_alone(Lock& lock) {
  if (!self_check || !self_check->begin()) return false;
  lock.unlock();
  self_check->compute();
  lock.lock();
  self_check->settle();
  return true;
}

void EngineState::tell_news() const {
  if (options.on_news) options.on_news();
}

void EngineState::note(const Plan& plan) {
  for (const RequestId id : plan.expired) {
    // Every answer to the prompt has the same deadline.
    const std::vector<RequestId> followers = std::exchange(active.at(id).followers, {});
    for (const RequestId follower : followers) end(follower, FinishReason::kDeadline);
    end(id, FinishReason::kDeadline);
  }
  for (const RequestId id : plan.preempted) ++active.at(id).generation->figures().preemptions;
  preemptions += plan.preempted.size();
}

void EngineState::lay_out(const Plan& plan) {
  rows_.clear();
  choosers_.clear();
  readers_.clear();
  pooled_.clear();
  for (auto& tables : tables_) tables.clear();
  std::size_t row = 0;
  for (const Chunk& chunk : plan.chunks) {
    Generation& generation = *active.at(chunk.id).generation;
    const std::size_t first = rows_.size();
    const std::size_t read = lay_out(chunk, generation);
    if (generation.pools()) {
      pooled_.push_back({.row = first, .rows = chunk.rows, .generation = &generation});
      continue;
    }
    if (read > 0) {
      readers_.push_back(
          {.row = row, .rows = read, .chooses = chunk.last, .generation = &generation});
    }
    row += read;
    if (!chunk.last) continue;
    for (const RequestId follower : active.at(chunk.id).followers) {
      choosers_.push_back({.row = row, .generation = active.at(follower).generation.get()});
    }
    choosers_.push_back({.row = row,
                         .drafts = chunk.drafts,
                         .best = rows_.back().wants_best,
                         .generation = &generation});
    row += 1 + chunk.drafts;
  }
}

/// Adds the rows of one chunk; gives how many of them tell how likely the prompt's next id is.
std::size_t EngineState::lay_out(const Chunk& chunk, Generation& generation) {
  const auto sequence = static_cast<std::uint32_t>(tables_[0].size());
  for (std::size_t group = 0; group < tables_.size(); ++group) {
    tables_[group].push_back(generation.pages().block_table(group));
  }
  auto slot = static_cast<std::uint32_t>(generation.pages().ids().size());
  std::size_t read = 0;
  const auto add = [&](TokenId id) {
    const bool wanted = generation.prompt_score().wants(slot);
    rows_.push_back({.sequence = sequence,
                     .slot = slot,
                     .position = {slot, slot, slot},
                     .token = id,
                     .wants_logits = wanted,
                     .wants_hidden = generation.wants_hidden(slot)});
    read += wanted ? 1 : 0;
    ++slot;
  };
  std::ranges::for_each(generation.pending().first(chunk.rows - chunk.drafts), add);
  const bool answers = chunk.last && !generation.pools();
  rows_.back().wants_logits = rows_.back().wants_logits || answers;
  rows_.back().wants_best = answers && wants_best(chunk, generation);
  for (const TokenId id : generation.drafted().first(chunk.drafts)) {
    add(id);
    rows_.back().wants_logits = true;
  }
  return read;
}

/// Whether the two best logits of the chunk's last row are enough. Ids past the tokenizer's could
/// be among them where the model has more; guesses and followers look at whole rows.
bool EngineState::wants_best(const Chunk& chunk, const Generation& generation) const {
  return options.store_logits == StoreLogits::kWhereNeeded &&
         vocabulary == forwarder->vocabulary() && chunk.drafts == 0 &&
         active.at(chunk.id).followers.empty() && generation.needs_best_only();
}

Matrix EngineState::forward() {
  group_tables_.assign(tables_.begin(), tables_.end());
  return forwarder->forward(rows_, group_tables_);
}

/// An answer whose prompt failed, and those that wait for it, choose nothing.
void EngineState::read_prompts(const Matrix& logits) {
  for (const Reader& reader : readers_) {
    reader.generation->read_prompt({.data = logits.row(reader.row).data(),
                                    .rows = reader.rows,
                                    .cols = vocabulary,
                                    .stride = logits.stride});
    if (!reader.chooses || !reader.generation->finish_reason()) continue;
    std::erase_if(choosers_, [row = reader.row + reader.rows](const Chooser& chooser) {
      return chooser.row == row;
    });
  }
}

/// Chooses the next id of every request whose ids are all computed, and the first ids of those that
/// waited for the same prompt.
void EngineState::sample(const Matrix& logits) {
  for (std::size_t i = 0; i < choosers_.size(); ++i) {
    if (choosers_[i].best) {
      choosers_[i].generation->sample(forwarder->best()[choosers_[i].row]);
      continue;
    }
    if (choosers_[i].drafts > 0) {
      choosers_[i].right =
          choosers_[i].generation->verify({.data = logits.row(choosers_[i].row).data(),
                                           .rows = 1 + choosers_[i].drafts,
                                           .cols = vocabulary,
                                           .stride = logits.stride});
      continue;
    }
    std::span<float> row = logits.row(choosers_[i].row).first(vocabulary);
    if (i + 1 < choosers_.size() && choosers_[i + 1].row == choosers_[i].row) {
      row_.assign(row.begin(), row.end());
      row = row_;
    }
    choosers_[i].generation->sample(row);
  }
}

void EngineState::pool() {
  for (const Pooled& each : pooled_) {
    for (std::size_t row = each.row; row < each.row + each.rows; ++row) {
      if (rows_[row].wants_hidden) each.generation->pool(rows_[row].slot, forwarder->hidden(row));
    }
  }
}

void EngineState::settle(const Plan& plan, double seconds) {
  scheduler.computed(seconds);
  if (plan.prompt_rows == 0) row_costs_.measured(plan.decode_rows, seconds);
  for (const Chooser& each : choosers_) {
    if (each.drafts > 0) drafts->count(each.drafts, each.right);
  }
  for (const Chunk& chunk : plan.chunks) settle(chunk, seconds);
}

void EngineState::settle(const Chunk& chunk, double seconds) {
  Active& request = active.at(chunk.id);
  Generation& generation = *request.generation;
  RequestFigures& figures = generation.figures();
  const bool first = figures.generated_tokens <= (chunk.last ? 1U : 0U);
  (first ? figures.prompt_s : figures.decode_s) += seconds;
  SequencePages& pages = generation.pages();
  const std::size_t done = pages.ids().size();
  const std::size_t known = chunk.rows - chunk.drafts;  // before it was sampled
  const std::size_t sampled = generation.ids().size() - done - known;
  // Of the guesses' rows those count that were sampled from: their ids are the answer's.
  const std::size_t kept = chunk.drafts > 0 ? std::max<std::size_t>(sampled, 1) : chunk.rows;
  pages.append(generation.ids().subspan(done, kept));
  if (chunk.drafts > 0) pages.trim();
  if (chunk.last && generation.prompt_score().complete()) {
    follow(request);
  } else if (!generation.finish_reason()) {
    return;
  }
  if (!generation.finish_reason()) {
    if (generation.wants_room()) {
      generation.make_room();
      scheduler.restart(chunk.id, generation.ids().size());
    } else {
      scheduler.sampled(chunk.id, sampled);
    }
    return generation.publish();
  }
  scheduler.finished(chunk.id, now());
  end(chunk.id, *generation.finish_reason());
}

/// Those that waited for the prompt of `leader` have their first ids: they go on from its pages,
/// or, while too many run, wait for a place and find the prompt in the cache.
void EngineState::follow(Active& leader) {
  for (const RequestId id : std::exchange(leader.followers, {})) {
    Active& follower = active.at(id);
    Generation& generation = *follower.generation;
    generation.share_prompt_score(*leader.generation);
    if (generation.finish_reason()) {
      end(id, *generation.finish_reason());
      continue;
    }
    if (generation.wants_room()) generation.make_room();
    Job job = follower.job;
    job.length = generation.ids().size();
    job.logits_from = job.logits_to;
    if (scheduler.can_run() && generation.figures().dropped_tokens == 0) {
      generation.figures().cached_tokens = job.length - 1;
      generation.pages().fork(leader.generation->pages());
      job.computed = job.length - 1;
      scheduler.run(job);
    } else {
      scheduler.requeue(job);
    }
    generation.publish();
  }
}

}  // namespace cairn::engine

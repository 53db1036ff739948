// Scheduler: which requests run in the next step, and with how many rows.
//
// Purpose     pure logic over ids, lengths, a clock and a count of pages; it knows no model.
// Order       a request's rank is priority + aging * arrival time, smaller first, then arrival: at
//             every moment that orders requests by their priority less `aging_per_s` for each
//             second of waiting.
// Rules       1. Each running request whose newest id alone is missing gets its row, best rank
//                first. Where pages lack, the running request of the worst rank is preempted: its
//                pages go, and it waits again at its old rank.
//             2. Where no prompt is running and nothing was preempted, answers may add rows for ids
//                that they guess, within a budget of the step.
//             3. What the step costs allow beside them goes to running prompts, best rank first.
//                A prompt whose positions want logits takes as many of these as a step has beyond
//                one for every other prompt that could end in it.
//             4. What is left goes to waiting requests, strictly by rank, as long as the pages of
//                all their ids are there; none is admitted in a step that preempted.
// Invariants  a request that fits alone is served: the best rank is never preempted, and new
//             arrivals get ever worse ranks. A waiting request holds no pages.
// Threads     one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <vector>

#include "base/status.h"
#include "engine/schedule/step_costs.h"
#include "engine/speculation/lookup.h"

namespace cairn::engine {

using RequestId = std::uint64_t;  // ascending by arrival

struct ScheduleLimits {
  std::size_t rows_max = 256;      // of a step
  std::size_t sequences_max = 8;   // that run at once, at most rows_max
  std::size_t waiting_max = 1024;  // requests; later ones are refused
  double aging_per_s = 0.1;        // priority that a second of waiting is worth
  std::size_t drafts_max = 0;      // guessed ids of a step
  // A prompt's chunk ends wherever a snapshot of a recurrent state is kept: at multiples of this
  // and at the last page that ends before its last id; 0: nowhere.
  std::size_t snapshot_tokens = 0;
  // Rows of a step whose logits are computed, at least sequences_max + drafts_max.
  std::size_t logits_max = std::numeric_limits<std::size_t>::max();
  GapLimit gap = {};
};

/// What the scheduler knows of a request.
struct Job {
  RequestId id = 0;
  double priority = 0;                    // lower is served first
  double arrival_s = 0;                   // of the clock that plan() is given
  std::optional<double> deadline_s = {};  // of the same clock
  std::size_t length = 0;                 // ids it has: prompt, then answer too
  std::size_t computed = 0;               // of them, in the cache
  double admitted_s = 0;                  // the first time it ran
  // Positions of the prompt whose logits are wanted beside the last id's: from the first on below
  // the second. A preemption leaves them: what was read of them stays.
  std::size_t logits_from = 0;
  std::size_t logits_to = 0;

  std::size_t pending() const { return length - computed; }
  /// Of the next `rows` those whose logits are computed.
  std::size_t logits_of(std::size_t rows) const;
};

/// The pages of requests, as far as scheduling is concerned.
class SchedulePages {
 public:
  virtual ~SchedulePages() = default;
  /// Takes what the cache has of the request's ids, at most all but the last, and pages for all of
  /// them: how many were found. Nothing when there are too few pages; then it has none.
  virtual std::optional<std::size_t> admit(RequestId id) = 0;
  /// Takes pages so that `length` ids of a running request fit; false when there are too few.
  virtual bool grow(RequestId id, std::size_t length) = 0;
  /// How many ids a running request guesses behind its newest one, at most `room.tokens`.
  virtual std::size_t draft(RequestId, const DraftRoom&) { return 0; }
  /// Gives every page of the request back.
  virtual void drop(RequestId id) = 0;
};

/// Rows of one request in a step.
struct Chunk {
  RequestId id = 0;
  std::size_t rows = 0;
  bool last = false;       // afterwards nothing is pending: its logits are wanted
  std::size_t drafts = 0;  // of the rows, those of guessed ids, at the end

  bool operator==(const Chunk&) const = default;
};

/// Valid until the next plan.
struct Plan {
  std::vector<Chunk> chunks = {};
  std::vector<RequestId> preempted = {};
  std::vector<RequestId> admitted = {};
  std::vector<RequestId> expired = {};  // past their deadline: the scheduler knows them no more
  std::size_t decode_rows = 0;          // of newest and guessed ids
  std::size_t prompt_rows = 0;
  std::size_t told_rows = 0;  // of those, whose logits are computed to tell of the prompt
};

class Scheduler {
 public:
  Scheduler(const ScheduleLimits& limits, SchedulePages& pages);

  /// Queues a request. Errors: kUnavailable with the numbers when the queue is full or when the
  /// deadline would pass before its first id, as far as measured costs tell.
  Status submit(const Job& job, double now_s);
  /// Queues a request whose place in the order was taken before, whatever the queue's length.
  void requeue(const Job& job) { waiting_.insert(job); }
  /// A request that already has its pages runs from now on. Only when can_run().
  void run(const Job& job);
  bool can_run() const { return running_.size() < limits_.sequences_max; }

  /// The next step. Pages are taken and dropped as it says.
  const Plan& plan(double now_s);
  /// The rows of the last plan are computed; it took `seconds`.
  void computed(double seconds);
  /// A running request has `ids` more ids; of those guessed, all but the last one are computed.
  void sampled(RequestId id, std::size_t ids = 1);
  /// The ids of a running request changed: `length` of them wait to be computed from the first on.
  /// It keeps its rank; its pages are the caller's to give back.
  void restart(RequestId id, std::size_t length);
  /// The request is no more; its pages are the caller's to give back.
  void finished(RequestId id, double now_s);

  /// Seconds after which a queue that is full now will likely have a place, whole and at least 1.
  double retry_after_s() const;
  /// Seconds until the first id of a request of `length` ids and rank of `job`, at the least.
  std::optional<double> first_id_s(const Job& job) const;

  std::size_t running() const { return running_.size(); }
  std::size_t waiting() const { return waiting_.size(); }
  const StepCosts& costs() const { return costs_; }

 private:
  struct ByRank {
    double aging_per_s = 0;
    bool operator()(const Job& a, const Job& b) const;
  };

  void expire(double now_s);
  void plan_newest();
  bool make_room(const Job& job);
  void plan_drafts();
  /// Rows that a step still has room for, and those of them whose logits can be computed.
  struct Room {
    std::size_t rows = 0;
    std::size_t logits = 0;
  };
  void plan_prompts(Room& left);
  void admit(Room& left, double now_s);
  void add_chunk(const Job& job, std::size_t others, Room& left);
  std::size_t can_join() const;
  std::size_t until_snapshot(const Job& job) const;
  Job* find_running(RequestId id);

  ScheduleLimits limits_;
  SchedulePages& pages_;
  ByRank by_rank_;
  std::vector<Job> running_;  // by rank
  std::set<Job, ByRank> waiting_;
  StepCosts costs_;
  std::optional<double> service_s_;  // from admission to the end, of requests that ended
  Plan plan_;
};

}  // namespace cairn::engine

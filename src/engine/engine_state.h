// EngineState: what the thread that runs steps works on.
#pragma once

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "engine/cache/kv_cache.h"
#include "engine/engine.h"
#include "engine/generation.h"
#include "engine/page_keeper.h"
#include "engine/schedule/scheduler.h"
#include "engine/self_check.h"

namespace cairn::engine {

/// A request in the engine.
struct Active {
  std::unique_ptr<Generation> generation = {};
  Job job = {};  // as it was submitted
  // Further answers to the same prompt, which begin when it is computed: the scheduler does not
  // know them before.
  std::vector<RequestId> followers = {};
  FetchedPages fetched = {};  // that go into the cache when it is admitted
};

/// Guarded by `mutex`. While `driven` the forwarder, the cache, the plan and the generations in it
/// are the driving thread's: it computes and samples without the mutex.
struct EngineState final : SchedulePages {
  EngineState(std::unique_ptr<Forwarder> runner, const TokenBytes& bytes,
              const EngineOptions& chosen, std::unique_ptr<PageKeeper> pages);

  using Lock = std::unique_lock<std::mutex>;

  // Of the scheduler: pages of a request.
  std::optional<std::size_t> admit(RequestId id) override;
  bool grow(RequestId id, std::size_t length) override;
  std::size_t draft(RequestId id, const DraftRoom& room) override;
  void drop(RequestId id) override;

  GenerationLimits limits() const;
  /// Whether a step has something to do.
  bool has_work() const { return !active.empty() || (self_check && self_check->waiting()); }
  double now() const { return options.clock(); }
  /// What is kept elsewhere of the prompt of a request that has no pages yet; without the lock.
  FetchedPages fetch(Generation& generation);
  /// Keeps what can be found in the cache; ends all requests.
  void keep_idle_pages();
  /// Queues a checked request; its followers wait for it. Errors: as Scheduler::submit.
  Result<std::vector<RequestId>> queue(std::vector<std::unique_ptr<Generation>> answers);
  /// Runs one step; `driven` is set. False when there was nothing to do.
  bool step(Lock& lock);
  /// Ends requests whose owners want no more of them.
  void reap();
  /// Ends a request that may have a stream, and lets its followers take its place.
  void end(RequestId id, FinishReason reason);

  std::mutex mutex;
  std::condition_variable_any changed;  // tokens were published, a request came, driving ended
  bool driven = false;

  EngineOptions options;
  const TokenBytes& token_bytes;
  std::unique_ptr<Forwarder> forwarder;
  std::size_t vocabulary = 0;
  std::unique_ptr<PageKeeper> keeper;  // null: pages are kept in memory alone
  KvCache cache;
  Scheduler scheduler;
  std::map<RequestId, Active> active;
  RequestId next_id = 1;
  std::uint64_t steps = 0;
  std::uint64_t preemptions = 0;
  StepSeconds step_seconds;
  std::optional<DraftFigures> drafts;
  std::unique_ptr<SelfCheck> self_check;

 private:
  void tell_news() const;
  void note(const Plan& plan);
  void lay_out(const Plan& plan);
  std::size_t lay_out(const Chunk& chunk, Generation& generation);
  bool wants_best(const Chunk& chunk, const Generation& generation) const;
  Matrix forward();
  void read_prompts(const Matrix& logits);
  void sample(const Matrix& logits);
  void pool();
  void settle(const Plan& plan, double seconds);
  void settle(const Chunk& chunk, double seconds);
  void follow(Active& leader);
  bool check_alone(Lock& lock);
  bool reserve(SequencePages& pages, std::size_t length);
  void remove(RequestId id);

  std::vector<kernels::Row> rows_;
  std::vector<std::vector<std::span<const std::uint32_t>>> tables_;  // per group and sequence
  std::vector<BlockTables> group_tables_;
  // Who chooses ids from which rows of logits, and whoever waits for the same prompt.
  struct Chooser {
    std::size_t row = 0;
    std::size_t drafts = 0;  // rows after it, of guesses
    std::size_t right = 0;   // of them, once sampled
    bool best = false;       // of the row there are the two best logits alone
    Generation* generation = nullptr;
  };
  std::vector<Chooser> choosers_;
  // Whose prompt is told from which rows of logits.
  struct Reader {
    std::size_t row = 0;
    std::size_t rows = 0;
    bool chooses = false;  // from the row behind them
    Generation* generation = nullptr;
  };
  std::vector<Reader> readers_;
  // Whose rows become a vector.
  struct Pooled {
    std::size_t row = 0;   // of the step
    std::size_t rows = 0;  // from there on
    Generation* generation = nullptr;
  };
  std::vector<Pooled> pooled_;
  RowCosts row_costs_;
  std::vector<float> row_;  // a copy: sampling overwrites logits
};

}  // namespace cairn::engine

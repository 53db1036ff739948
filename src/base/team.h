// Team: the worker threads that run a step together.
//
// Purpose     every worker runs the same function; barriers stand where one reads what another
//             wrote. Nothing is forked or joined per op.
// Invariants  worker 0 is the thread that calls run(); the others live as long as the team.
//             In a run every worker calls barrier() equally often. Subnormals are kept and rounding
//             is to nearest in every worker, whatever the caller's thread had set.
// Threads     one thread at a time calls run(); barrier() is for the workers inside a run.
//             What is written before a barrier is seen by all after it; the same holds for run().
// Waiting     spins for TeamWaiting::spin_us, then sleeps on a futex; with more workers than
//             processors it sleeps at once, because spinning would hold up those it waits for.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace cairn {

/// Whether workers spin for less after spins that were in vain, because another program has a
/// processor that one of them needs.
enum class BackOff : std::uint8_t { kYes, kNo };

/// How a worker waits for the others.
struct TeamWaiting {
  std::size_t spin_us = 50;  // longer than the time between two barriers of a step, short against a
                             // sleep and wake (about 50 us with scheduling)
  BackOff back_off = BackOff::kYes;
};

class Team {
 public:
  /// Starts `workers` - 1 threads; at least one worker. All of them, and the caller of run() in a
  /// run, stay on `processors`, where some are given.
  explicit Team(std::size_t workers, const TeamWaiting& waiting = {},
                std::vector<std::size_t> processors = {});
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  /// How many workers there are, the caller of run() counted.
  std::size_t workers() const { return workers_; }

  /// Calls `work(worker)` once in every worker and returns when all are done. The work cannot fail:
  /// an exception that leaves it ends the program with its message.
  void run(const std::function<void(std::size_t worker)>& work);

  /// Returns when every worker of the run has called it.
  void barrier();

  /// Changes how workers wait; between two runs only.
  void set_waiting(const TeamWaiting& waiting);

 private:
  void serve(std::size_t worker);
  void end();
  bool spin_while(const std::atomic<std::uint32_t>& value, std::uint32_t seen,
                  std::size_t spin_us) const;
  void wait_at_barrier(std::uint32_t phase);

  // Each on its own cache line: they are written by different workers at different times.
  alignas(64) std::atomic<std::uint32_t> runs_ = 0;
  alignas(64) std::atomic<std::uint32_t> arrived_ = 0;
  alignas(64) std::atomic<std::uint32_t> phase_ = 0;
  alignas(64) std::atomic<std::uint32_t> in_vain_ = 0;  // steps of the back-off
  alignas(64) std::size_t workers_ = 1;
  std::size_t spin_us_ = 0;
  BackOff back_off_ = BackOff::kYes;
  std::vector<std::size_t> processors_;
  const std::function<void(std::size_t)>* work_ = nullptr;  // nullptr in a run: the team ends
  std::vector<std::jthread> threads_;                       // last: they use everything above
};

}  // namespace cairn

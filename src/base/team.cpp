#include "base/team.h"

#include <chrono>
#include <exception>
#include <string>
#include <utility>

#include "base/float_mode.h"
#include "base/processors.h"
#include "base/status.h"

namespace cairn {
namespace {

// A spin in vain makes the next ones shorter by this many halvings at most: a sixteenth of 50 us is
// about what looking at the clock a few times takes.
constexpr std::uint32_t kHalvingsMax = 4;

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  asm volatile("yield");
#endif
}

/// Other code's exceptions end here, with what they say.
void call(const std::function<void(std::size_t)>& work, std::size_t worker) {
  try {
    work(worker);
  } catch (const std::exception& error) {
    const std::string what = std::string("an exception left a worker: ") + error.what() + ";";
    check_failed(__FILE__, __LINE__, what.c_str());
  } catch (...) {
    check_failed(__FILE__, __LINE__, "an unknown exception left a worker");
  }
}

}  // namespace

Team::Team(std::size_t workers, const TeamWaiting& waiting, std::vector<std::size_t> processors)
    : workers_(workers), processors_(std::move(processors)) {
  CAIRN_CHECK(workers >= 1);
  set_waiting(waiting);
  threads_.reserve(workers - 1);
  try {
    for (std::size_t worker = 1; worker < workers; ++worker) {
      threads_.emplace_back([this, worker] { serve(worker); });
    }
  } catch (...) {  // the system has no thread left: those there are would wait for ever
    end();
    throw;
  }
}

Team::~Team() { end(); }

void Team::end() {
  work_ = nullptr;
  runs_.fetch_add(1);
  runs_.notify_all();
}

void Team::run(const std::function<void(std::size_t)>& work) {
  const FloatMode mode;
  const StayOn place(processors_);
  work_ = &work;
  runs_.fetch_add(1);
  runs_.notify_all();
  call(work, 0);
  barrier();
}

void Team::barrier() {
  const std::uint32_t phase = phase_.load();
  if (arrived_.fetch_add(1) + 1 < workers_) return wait_at_barrier(phase);
  // The last to arrive resets the count before it lets the others go on to the next barrier.
  arrived_.store(0);
  phase_.fetch_add(1);
  phase_.notify_all();
}

void Team::serve(std::size_t worker) {
  const FloatMode mode;
  const StayOn place(processors_);
  for (std::uint32_t seen = 0;; ++seen) {
    if (!spin_while(runs_, seen, spin_us_)) runs_.wait(seen);
    if (work_ == nullptr) return;
    call(*work_, worker);
    barrier();
  }
}

/// Looks for up to `spin_us`; returns whether the value has changed.
bool Team::spin_while(const std::atomic<std::uint32_t>& value, std::uint32_t seen,
                      std::size_t spin_us) const {
  using Clock = std::chrono::steady_clock;
  if (value.load() != seen) return true;
  if (spin_us == 0) return false;
  const auto until = Clock::now() + std::chrono::microseconds(spin_us);
  while (Clock::now() < until) {
    for (int i = 0; i < 32; ++i) {
      if (value.load() != seen) return true;
      pause();
    }
  }
  return false;
}

void Team::wait_at_barrier(std::uint32_t phase) {
  const bool backs_off = back_off_ == BackOff::kYes;
  const std::uint32_t halvings = backs_off ? in_vain_.load(std::memory_order_relaxed) : 0;
  // The count is a hint: workers that change it at once lose a step, nothing else.
  if (spin_while(phase_, phase, spin_us_ >> halvings)) {
    if (halvings > 0) in_vain_.store(halvings - 1, std::memory_order_relaxed);
    return;
  }
  if (backs_off && halvings < kHalvingsMax) {
    in_vain_.store(halvings + 1, std::memory_order_relaxed);
  }
  phase_.wait(phase);
}

void Team::set_waiting(const TeamWaiting& waiting) {
  const bool alone = workers_ <= std::thread::hardware_concurrency();
  spin_us_ = alone ? waiting.spin_us : 0;
  back_off_ = waiting.back_off;
}

}  // namespace cairn

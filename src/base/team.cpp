#include "base/team.h"

#include <chrono>
#include <exception>
#include <string>

#include "base/float_mode.h"
#include "base/status.h"

namespace cairn {
namespace {

// Longer than the time between two barriers of a step, short against a sleep and wake (about 50 us
// with scheduling).
constexpr std::size_t kSpinUs = 50;

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  asm volatile("yield");
#endif
}

/// Other code's exceptions end here, with what they say.
void call(const std::function<void(std::size_t)>& work, std::size_t worker) {
  std::string what = "an unknown exception left a worker";
  try {
    work(worker);
    return;
  } catch (const std::exception& error) {
    what = std::string("an exception left a worker: ") + error.what() + ";";
  } catch (...) {
  }
  check_failed(__FILE__, __LINE__, what.c_str());
}

}  // namespace

Team::Team(std::size_t workers) : workers_(workers) {
  CAIRN_CHECK(workers >= 1);
  if (workers <= std::thread::hardware_concurrency()) spin_us_ = kSpinUs;
  threads_.reserve(workers - 1);
  for (std::size_t worker = 1; worker < workers; ++worker) {
    threads_.emplace_back([this, worker] { serve(worker); });
  }
}

Team::~Team() {
  work_ = nullptr;
  runs_.fetch_add(1);
  runs_.notify_all();
}

void Team::run(const std::function<void(std::size_t)>& work) {
  const FloatMode mode;
  work_ = &work;
  runs_.fetch_add(1);
  runs_.notify_all();
  call(work, 0);
  barrier();
}

void Team::barrier() {
  const std::uint32_t phase = phase_.load();
  if (arrived_.fetch_add(1) + 1 < workers_) return wait_while(phase_, phase);
  // The last to arrive resets the count before it lets the others go on to the next barrier.
  arrived_.store(0);
  phase_.fetch_add(1);
  phase_.notify_all();
}

void Team::serve(std::size_t worker) {
  const FloatMode mode;
  for (std::uint32_t seen = 0;; ++seen) {
    wait_while(runs_, seen);
    if (work_ == nullptr) return;
    call(*work_, worker);
    barrier();
  }
}

void Team::wait_while(std::atomic<std::uint32_t>& value, std::uint32_t seen) const {
  using Clock = std::chrono::steady_clock;
  if (value.load() != seen) return;
  const auto until = Clock::now() + std::chrono::microseconds(spin_us_);
  while (spin_us_ != 0 && Clock::now() < until) {
    for (int i = 0; i < 32; ++i) {
      if (value.load() != seen) return;
      pause();
    }
  }
  value.wait(seen);
}

}  // namespace cairn

// The thread of Models: whose turn it is, steps, rest.
#include <fmt/core.h>

#include <chrono>
#include <utility>

#include "base/clock.h"
#include "server/models/models.h"

namespace cairn::server {
namespace {

constexpr std::int64_t kNsPerMs = 1'000'000;

}  // namespace

void Models::serve(const std::stop_token& stop) {
  Lock lock(mutex_);
  while (!stop.stop_requested()) {
    settle(lock, stop);
    const bool rests =
        !active_ || (options_.idle_unload_ms > 0 && entries_[*active_].requests == 0);
    if (rests) {
      rest(lock, stop);
    } else {
      step(lock, stop);
    }
  }
}

/// Serves those who wait as far as can be, and unloads what was idle for long.
void Models::settle(Lock& lock, const std::stop_token& stop) {
  while (due() && !stop.stop_requested()) {
    Turn& first = *waiting_.front();
    if (first.kind_ == TurnKind::kUse) {
      use(lock, first.index_, stop);
      continue;
    }
    waiting_.pop_front();
    const std::size_t index = first.index_;
    end_wait(first, {}, nullptr);  // the memory is free a moment later
    unload(lock, index, "as asked for");
  }
  while (const std::optional<std::size_t> index = idle(steady_ns())) {
    unload(lock, *index, fmt::format("nobody asked for {} ms", options_.idle_unload_ms));
  }
}

/// Makes a model the one that answers, and lets in those who wait for it, up to the first who wants
/// it unloaded.
void Models::use(Lock& lock, std::size_t index, const std::stop_token& stop) {
  if (active_ != index) active_.reset();
  Status status;
  if (entries_[index].loaded == nullptr) status = load(lock, index, stop);
  if (!status.ok()) {
    note(fmt::format("model \"{}\" cannot be loaded: {}", options_.sources[index].name,
                     status.message()));
  } else {
    active_ = index;
  }
  for (auto at = waiting_.begin(); at != waiting_.end();) {
    Turn& turn = **at;
    if (turn.index_ == index && turn.kind_ == TurnKind::kUnload) break;
    if (turn.index_ != index) {
      ++at;
      continue;
    }
    at = waiting_.erase(at);
    end_wait(turn, status, status.ok() ? entries_[index].loaded : nullptr);
  }
}

/// Runs the steps of the active model until somebody else's turn has come.
void Models::step(Lock& lock, const std::stop_token& stop) {
  std::stop_source ended;
  const std::stop_callback link(stop, [&ended] { ended.request_stop(); });
  const std::shared_ptr<const LoadedModel> model = entries_[*active_].loaded;
  stepping_ = &ended;
  lock.unlock();
  model->served.runtime->serve(ended.get_token());
  lock.lock();
  stepping_ = nullptr;
}

/// Waits until there is something to do.
void Models::rest(Lock& lock, const std::stop_token& stop) {
  const auto busy = [&] { return due() || (active_ && entries_[*active_].requests > 0); };
  const std::optional<std::int64_t> until_ns = idle_from_ns();
  if (!until_ns) {
    changed_.wait(lock, stop, busy);
    return;
  }
  const std::int64_t left_ns = std::max<std::int64_t>(0, *until_ns - steady_ns());
  changed_.wait_for(lock, stop, std::chrono::nanoseconds(left_ns), busy);
}

/// A loaded model that nobody used for long.
std::optional<std::size_t> Models::idle(std::int64_t now_ns) const {
  if (options_.idle_unload_ms == 0) return std::nullopt;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const Entry& entry = entries_[i];
    if (entry.loaded == nullptr || entry.requests > 0) continue;
    const auto idle_ns = static_cast<std::int64_t>(options_.idle_unload_ms) * kNsPerMs;
    if (now_ns - entry.used_ns >= idle_ns) return i;
  }
  return std::nullopt;
}

/// When the next model will have been idle for long; nothing while none can be.
std::optional<std::int64_t> Models::idle_from_ns() const {
  if (options_.idle_unload_ms == 0) return std::nullopt;
  std::optional<std::int64_t> first;
  for (const Entry& entry : entries_) {
    if (entry.loaded == nullptr || entry.requests > 0) continue;
    const std::int64_t from_ns =
        entry.used_ns + static_cast<std::int64_t>(options_.idle_unload_ms) * kNsPerMs;
    if (!first || from_ns < *first) first = from_ns;
  }
  return first;
}

}  // namespace cairn::server

#include "server/models/models.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <set>
#include <utility>

#include "base/clock.h"

namespace cairn::server {

std::string_view name_of(ModelState state) {
  constexpr std::array<std::string_view, 4> kNames = {"unloaded", "loading", "loaded", "failed"};
  return kNames[static_cast<std::size_t>(state)];
}

Turn::~Turn() { models_.give_up(*this); }

bool Turn::over() const {
  const std::scoped_lock lock(models_.mutex_);
  return over_;
}

Result<std::shared_ptr<const LoadedModel>> Turn::model() const {
  const std::scoped_lock lock(models_.mutex_);
  if (!status_.ok()) return status_;
  return model_;
}

Models::Models(Options options) : options_(std::move(options)), entries_(options_.sources.size()) {}

Result<std::unique_ptr<Models>> Models::create(Options options) {
  if (options.sources.empty()) return invalid_argument("models: none is named");
  std::set<std::string_view> names;
  for (const ModelSource& source : options.sources) {
    if (source.name.empty()) return invalid_argument("models: a name is empty");
    if (names.insert(source.name).second) continue;
    return invalid_argument(fmt::format("models: the name \"{}\" stands twice", source.name));
  }
  return std::unique_ptr<Models>(new Models(std::move(options)));
}

std::optional<std::size_t> Models::find(std::string_view name) const {
  const auto found = std::ranges::find(options_.sources, name, &ModelSource::name);
  if (found == options_.sources.end()) return std::nullopt;
  return static_cast<std::size_t>(found - options_.sources.begin());
}

std::vector<ModelStatus> Models::status() const {
  const std::scoped_lock lock(mutex_);
  std::vector<ModelStatus> all;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    all.push_back({.name = options_.sources[i].name,
                   .state = entries_[i].state,
                   .requests = entries_[i].requests,
                   .loaded = entries_[i].loaded});
  }
  return all;
}

void Models::note(const std::string& line) const {
  if (options_.note) options_.note(line);
}

bool Models::comes_at_once(std::size_t index) const {
  const std::scoped_lock lock(mutex_);
  return waiting_.empty() && active_ == index;
}

std::shared_ptr<Turn> Models::ask(std::size_t index, TurnKind kind, Waker waker) {
  const std::shared_ptr<Turn> turn(new Turn(*this, index, kind, std::move(waker)));
  const std::scoped_lock lock(mutex_);
  if (kind == TurnKind::kUse && waiting_.empty() && active_ == index) {
    end_wait(*turn, {}, entries_[index].loaded);
  } else {
    waiting_.push_back(turn.get());
  }
  look_again();
  return turn;
}

void Models::end_wait(Turn& turn, Status status, std::shared_ptr<const LoadedModel> model) {
  turn.over_ = true;
  turn.status_ = std::move(status);
  turn.model_ = std::move(model);
  if (turn.model_ != nullptr) ++entries_[turn.index_].requests;
  turn.waker_.wake();
}

void Models::give_up(Turn& turn) {
  const std::scoped_lock lock(mutex_);
  std::erase(waiting_, &turn);
  if (turn.model_ != nullptr) {
    Entry& entry = entries_[turn.index_];
    --entry.requests;
    entry.used_ns = steady_ns();
    turn.model_.reset();  // now: whoever holds the last of it takes long
  }
  look_again();
}

/// Wakes the thread of serve(), out of the steps too where there is something else to do.
void Models::look_again() {
  changed_.notify_all();
  const bool resting = options_.idle_unload_ms > 0 && active_ && entries_[*active_].requests == 0;
  if (stepping_ != nullptr && (due() || resting)) stepping_->request_stop();
}

/// Whether the first who waits can be served now.
bool Models::due() const {
  if (waiting_.empty()) return false;
  const Turn& first = *waiting_.front();
  if (first.kind_ == TurnKind::kUnload) return entries_[first.index_].requests == 0;
  return active_ == first.index_ || !active_ || entries_[*active_].requests == 0;
}

Status Models::load(std::size_t index, const std::stop_token& stop) {
  Lock lock(mutex_);
  CAIRN_TRY(load(lock, index, stop));
  active_ = index;
  return {};
}

/// Without the lock while it opens. Errors: the opener's.
Status Models::load(Lock& lock, std::size_t index, const std::stop_token& stop) {
  Entry& entry = entries_[index];
  entry.state = ModelState::kLoading;
  const auto fail = [&](const Status& status) {
    entry.state = ModelState::kFailed;
    return status;
  };
  for (;;) {
    const Result<std::uint64_t> promised = promised_bytes(lock);
    if (!promised.ok()) return fail(promised.status());
    lock.unlock();
    Result<LoadedModel> opened = options_.open(options_.sources[index], *promised, stop);
    lock.lock();
    if (opened.ok()) {
      entry.loaded = std::make_shared<const LoadedModel>(std::move(*opened));
      entry.state = ModelState::kLoaded;
      entry.used_ns = steady_ns();
      return {};
    }
    const bool full = opened.status().code() == StatusCode::kTooLarge;
    if (!full || !unload_oldest(lock)) return fail(opened.status());
  }
}

/// What loaded models may still take of their plans and the system therefore calls free.
Result<std::uint64_t> Models::promised_bytes(Lock& lock) const {
  std::vector<std::shared_ptr<const LoadedModel>> loaded;
  for (const Entry& entry : entries_) {
    if (entry.loaded != nullptr) loaded.push_back(entry.loaded);
  }
  lock.unlock();
  std::uint64_t bytes = 0;
  Status status;
  for (const auto& model : loaded) {
    const Result<runtime::MemoryReport> report = model->served.runtime->memory();
    if (!report.ok()) status = report.status();
    if (!status.ok()) break;
    for (const runtime::MemoryRow& row : report->rows) {
      bytes += row.planned_bytes - std::min(row.planned_bytes, row.actual_bytes);
    }
  }
  loaded.clear();
  lock.lock();
  CAIRN_TRY(status);
  return bytes;
}

/// Of those that answer nothing. Whether there was one.
bool Models::unload_oldest(Lock& lock) {
  std::optional<std::size_t> oldest;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (entries_[i].loaded == nullptr || entries_[i].requests > 0) continue;
    if (!oldest || entries_[i].used_ns < entries_[*oldest].used_ns) oldest = i;
  }
  if (oldest) unload(lock, *oldest, "its memory is needed");
  return oldest.has_value();
}

void Models::unload(Lock& lock, std::size_t index, std::string_view why) {
  Entry& entry = entries_[index];
  std::shared_ptr<const LoadedModel> model = std::exchange(entry.loaded, nullptr);
  entry.state = ModelState::kUnloaded;
  if (active_ == index) active_.reset();
  if (model == nullptr) return;
  lock.unlock();
  model->served.runtime->finish_checks();
  model.reset();
  note(fmt::format("model \"{}\" is unloaded: {}", options_.sources[index].name, why));
  lock.lock();
}

}  // namespace cairn::server

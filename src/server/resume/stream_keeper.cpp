#include "server/resume/stream_keeper.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace cairn::server {
namespace {

using KeepClock = std::chrono::steady_clock;

}  // namespace

/// A source and what it wrote lately. `mutex` guards all but the last two.
class StreamKeeper::Stream {
 public:
  explicit Stream(std::unique_ptr<EventSource> source) : source_(std::move(source)) {}

  /// The byte at which a reader begins. Errors: as resume().
  Result<std::uint64_t> begin_of(const StreamPlace& place) const {
    const std::uint64_t next = first_event_ + ends_.size();
    if (!place.after_event) {
      if (place.byte >= first_byte_ && place.byte <= end()) return place.byte;
      return invalid_argument(fmt::format("from: {} was found; bytes {} to {} are kept", place.byte,
                                          first_byte_, end()));
    }
    const std::uint64_t event = *place.after_event;
    if (event + 1 == first_event_) return first_byte_;
    if (event >= first_event_ && event < next) return ends_[event - first_event_];
    return invalid_argument(fmt::format("Last-Event-ID: {} was found; events {} to {} are kept",
                                        event, first_event_, next == 0 ? 0 : next - 1));
  }

  /// Adds what stands behind `position` to `out` and moves it there.
  Pulled read(std::string& out, std::uint64_t& position, std::size_t bytes_wanted,
              std::uint64_t bytes_kept) {
    if (position == end() && source_ != nullptr) {
      std::string news;
      const bool more = source_->pull(news, bytes_wanted) == Pulled::kMore;
      if (!more) source_.reset();
      add(news);
    }
    const std::uint64_t bytes = std::min<std::uint64_t>(bytes_wanted, end() - position);
    out.append(text_, position - first_byte_, bytes);
    position += bytes;
    if (position < end()) return Pulled::kMore;
    trim(bytes_kept);
    return source_ == nullptr ? Pulled::kEnd : Pulled::kMore;
  }

  /// Whoever reads it is at the end.
  void cut() {
    const std::scoped_lock lock(mutex);
    ++reader;
  }

  void end_early(std::string& out, EndReason reason) {
    if (source_ == nullptr) return;
    std::string news;
    source_->end_early(news, reason);
    source_.reset();
    add(news);
    out += news;
  }

  std::mutex mutex;
  std::uint64_t reader = 0;  // the newest, by its number
  bool attached = true;      // under the keeper's mutex, as is the next
  KeepClock::time_point detached_at = {};

 private:
  std::uint64_t end() const { return first_byte_ + text_.size(); }

  /// Whole events, each of which ends in an empty line.
  void add(const std::string& news) {
    for (std::size_t at = news.find("\n\n"); at != std::string::npos;
         at = news.find("\n\n", at + 2)) {
      ends_.push_back(end() + at + 2);
    }
    text_ += news;
  }

  /// Forgets the oldest events beyond `bytes`.
  void trim(std::uint64_t bytes) {
    while (text_.size() > bytes && !ends_.empty()) {
      const std::uint64_t cut = ends_.front() - first_byte_;
      text_.erase(0, cut);
      first_byte_ += cut;
      ends_.pop_front();
      ++first_event_;
    }
  }

  std::unique_ptr<EventSource> source_;  // null once it has said everything
  std::string text_;
  std::uint64_t first_byte_ = 0;   // of all that was written, where `text_` begins
  std::uint64_t first_event_ = 0;  // and the number of its first event
  std::deque<std::uint64_t> ends_;
};

/// One connection's view of a stream.
class StreamKeeper::Reader final : public EventSource {
 public:
  Reader(StreamKeeper& keeper, std::shared_ptr<Stream> stream, std::uint64_t number,
         std::uint64_t position, std::shared_ptr<void> wakes)
      : keeper_(keeper),
        stream_(std::move(stream)),
        number_(number),
        position_(position),
        wakes_(std::move(wakes)) {}
  ~Reader() override { keeper_.detach(*stream_, number_); }

  Pulled pull(std::string& out, std::size_t bytes_wanted) override {
    const std::scoped_lock lock(stream_->mutex);
    if (stream_->reader != number_) return Pulled::kEnd;  // somebody else reads on
    return stream_->read(out, position_, bytes_wanted, keeper_.limits_.bytes);
  }

  void end_early(std::string& out, EndReason reason) override {
    const std::scoped_lock lock(stream_->mutex);
    if (stream_->reader == number_) stream_->end_early(out, reason);
  }

 private:
  StreamKeeper& keeper_;
  std::shared_ptr<Stream> stream_;
  const std::uint64_t number_;
  std::uint64_t position_;
  std::shared_ptr<void> wakes_;
};

StreamKeeper::StreamKeeper(Limits limits)
    : limits_(limits), watcher_([this](const std::stop_token& stop) { watch(stop); }) {}

StreamKeeper::~StreamKeeper() = default;

Result<std::unique_ptr<EventSource>> StreamKeeper::keep(const StreamName& name,
                                                        std::unique_ptr<EventSource> source) {
  const auto stream = std::make_shared<Stream>(std::move(source));
  std::shared_ptr<Stream> gone;  // destroyed without the lock
  Lock lock(mutex_);
  const auto earlier = streams_.find(name);
  if (earlier != streams_.end()) {
    gone = std::exchange(earlier->second, stream);
    gone->cut();
  } else {
    gone = make_room(lock);
    if (streams_.size() >= limits_.count) {
      return unavailable(
          fmt::format("{} streams are kept and read; that is the most", limits_.count));
    }
    streams_.emplace(name, stream);
  }
  lock.unlock();
  return std::unique_ptr<EventSource>(std::make_unique<Reader>(*this, stream, 0, 0, nullptr));
}

/// Takes the stream out that has been without a reader for longest, where there is no room.
std::shared_ptr<StreamKeeper::Stream> StreamKeeper::make_room(Lock& /*lock*/) {
  if (streams_.size() < limits_.count) return nullptr;
  auto oldest = streams_.end();
  for (auto at = streams_.begin(); at != streams_.end(); ++at) {
    if (at->second->attached) continue;
    const bool older =
        oldest == streams_.end() || at->second->detached_at < oldest->second->detached_at;
    if (older) oldest = at;
  }
  if (oldest == streams_.end()) return nullptr;
  std::shared_ptr<Stream> gone = std::move(oldest->second);
  streams_.erase(oldest);
  return gone;
}

Result<std::unique_ptr<EventSource>> StreamKeeper::resume(const StreamName& name,
                                                          const StreamPlace& place,
                                                          std::shared_ptr<void> wakes) {
  const std::scoped_lock lock(mutex_);
  const auto found = streams_.find(name);
  if (found == streams_.end()) {
    return not_found(
        fmt::format("no stream is kept for the conversation \"{}\": it was never "
                    "begun, or is forgotten by now",
                    name.conversation));
  }
  const std::shared_ptr<Stream>& stream = found->second;
  const std::scoped_lock reading(stream->mutex);
  CAIRN_ASSIGN(const std::uint64_t position, stream->begin_of(place));
  stream->attached = true;
  return std::unique_ptr<EventSource>(
      std::make_unique<Reader>(*this, stream, ++stream->reader, position, std::move(wakes)));
}

bool StreamKeeper::forget(const StreamName& name) {
  std::shared_ptr<Stream> gone;
  const std::scoped_lock lock(mutex_);
  const auto found = streams_.find(name);
  if (found == streams_.end()) return false;
  gone = std::move(found->second);
  streams_.erase(found);
  gone->cut();
  return true;
}

void StreamKeeper::detach(Stream& stream, std::uint64_t reader) {
  const std::scoped_lock lock(mutex_);
  {
    const std::scoped_lock reading(stream.mutex);
    if (stream.reader != reader) return;
  }
  stream.attached = false;
  stream.detached_at = KeepClock::now();
  changed_.notify_all();
}

void StreamKeeper::watch(const std::stop_token& stop) {
  std::vector<std::shared_ptr<Stream>> gone;
  Lock lock(mutex_);
  while (!stop.stop_requested()) {
    std::optional<KeepClock::time_point> next;
    for (auto at = streams_.begin(); at != streams_.end();) {
      Stream& stream = *at->second;
      const KeepClock::time_point until = stream.detached_at + limits_.time;
      if (!stream.attached && KeepClock::now() >= until) {
        gone.push_back(std::move(at->second));
        at = streams_.erase(at);
        continue;
      }
      if (!stream.attached && (!next || until < *next)) next = until;
      ++at;
    }
    if (!gone.empty()) {
      lock.unlock();
      gone.clear();
      lock.lock();
      continue;
    }
    const auto never = [] { return false; };
    if (next) {
      changed_.wait_until(lock, stop, *next, never);
    } else {
      const auto some = [this] {
        return std::ranges::any_of(streams_,
                                   [](const auto& each) { return !each.second->attached; });
      };
      changed_.wait(lock, stop, some);
    }
  }
}

}  // namespace cairn::server

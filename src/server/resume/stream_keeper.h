// StreamKeeper: streams of events that go on without their connection, and what they said.
//
// Purpose     a client that lost its connection takes the same answer up where it was; one that
//             comes back too late, or never, costs a stated time and size.
// Invariants  a stream has one reader, the newest: an older one ends. What a reader was given is
//             kept up to a size, oldest events forgotten first; what nobody reads is not even
//             written, it waits in the engine. A stream without a reader is cancelled in time.
// Threads     any; a reader is one thread's at a time. The keeper outlives its readers.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "base/status.h"
#include "server/http/reply.h"

namespace cairn::server {

/// What a stream is found by: the name that its client gave it, and the key it came with.
struct StreamName {
  std::string conversation = {};
  std::string owner = {};

  auto operator<=>(const StreamName&) const = default;
};

/// Where a reader goes on: behind an event, else from a byte of all that was written.
struct StreamPlace {
  std::optional<std::uint64_t> after_event = {};
  std::uint64_t byte = 0;
};

class StreamKeeper {
 public:
  struct Limits {
    std::size_t count = 16;                  // streams
    std::uint64_t bytes = 512 << 10;         // of what one said
    std::chrono::milliseconds time{60'000};  // without a reader
  };

  explicit StreamKeeper(Limits limits);
  ~StreamKeeper();
  StreamKeeper(const StreamKeeper&) = delete;
  StreamKeeper& operator=(const StreamKeeper&) = delete;

  /// Keeps `source` under a name, in the place of an earlier one of that name; returns its first
  /// reader. Errors: kUnavailable while as many streams as are kept have readers.
  Result<std::unique_ptr<EventSource>> keep(const StreamName& name,
                                            std::unique_ptr<EventSource> source);

  /// A new reader; `wakes` is held as long as it lives. Errors: kNotFound for a name that is
  /// unknown or forgotten, kInvalidArgument for a place that has not been written or is no longer
  /// kept.
  Result<std::unique_ptr<EventSource>> resume(const StreamName& name, const StreamPlace& place,
                                              std::shared_ptr<void> wakes);

  /// Cancels and forgets a stream. Whether there was one.
  bool forget(const StreamName& name);

 private:
  class Stream;
  class Reader;
  using Lock = std::unique_lock<std::mutex>;

  std::shared_ptr<Stream> make_room(Lock& lock);
  void detach(Stream& stream, std::uint64_t reader);
  void watch(const std::stop_token& stop);

  const Limits limits_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::map<StreamName, std::shared_ptr<Stream>> streams_;
  std::jthread watcher_;  // forgets those whose time is over
};

}  // namespace cairn::server

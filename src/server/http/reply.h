// What a handler gives back: a response, an answer that is not there yet, or a stream of events.
//
// Purpose     the seam between HTTP and the layers above. A handler runs on the I/O thread (short)
//             or on the preparation thread; what it returns is polled and pulled on the I/O thread.
// Invariants  an answer or a source is destroyed on the I/O thread as soon as its client is gone:
//             its destructor is how a request is cancelled. It is asked for more only after wake()
//             or once its earlier bytes have left, so a slow reader holds at most one batch.
// Threads     wake() may be called from any thread; all else belongs to the I/O thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>

#include "server/http/message.h"
#include "server/http/sse.h"

namespace cairn::server {

class WakeBoard;
struct WakeSlot;

/// Tells the I/O thread that an answer has news; outlives the connection and the server harmlessly.
class Waker {
 public:
  Waker() = default;
  Waker(std::shared_ptr<WakeBoard> board, std::shared_ptr<WakeSlot> slot);

  /// From any thread. Many calls before the I/O thread looks are one.
  void wake() const;
  /// All of `wakers`, which belong to one server or to nobody, with at most one message to the I/O
  /// thread: what an engine calls once per step.
  static void wake_all(std::span<const Waker> wakers);

 private:
  std::shared_ptr<WakeBoard> board_;
  std::shared_ptr<WakeSlot> slot_;
};

/// Why a stream is ended before its source ends it.
enum class EndReason : std::uint8_t { kServerStops };

/// Whether a source has said everything.
enum class Pulled : std::uint8_t { kMore, kEnd };

/// What makes the events of one streamed answer.
class EventSource {
 public:
  EventSource() = default;
  EventSource(const EventSource&) = delete;
  EventSource& operator=(const EventSource&) = delete;
  virtual ~EventSource() = default;

  /// Adds the events that are ready to `out` (append_event) and stops at about `bytes_wanted`;
  /// never waits. Adding nothing with kMore means: not before the next wake.
  virtual Pulled pull(std::string& out, std::size_t bytes_wanted) = 0;

  /// Adds the last events of a stream that the server ends; pull is not called again.
  virtual void end_early(std::string& out, EndReason reason) = 0;
};

/// A streamed answer: its head, then its events.
struct EventStream {
  Response head = {.status = 200, .content_type = "text/event-stream", .headers = {}, .body = {}};
  std::unique_ptr<EventSource> source = {};
};

struct Exchange;

/// The handler is to be called again where it ran before: what it waited for is there.
struct CallAgain {
  std::shared_ptr<Exchange> exchange = {};
};

class PendingAnswer;
using Reply = std::variant<Response, std::unique_ptr<PendingAnswer>, EventStream, CallAgain>;

/// An answer that is being made.
class PendingAnswer {
 public:
  PendingAnswer() = default;
  PendingAnswer(const PendingAnswer&) = delete;
  PendingAnswer& operator=(const PendingAnswer&) = delete;
  virtual ~PendingAnswer() = default;

  /// The answer, a response or a stream, once it is there, or that the handler is to be called
  /// again; nothing before the next wake; never waits.
  virtual std::optional<Reply> poll() = 0;

  /// The response when the server ends it.
  virtual Response end_early(EndReason reason) = 0;
};

/// A request and how its answer wakes its connection.
struct Exchange {
  Request request = {};
  Waker waker = {};
  /// The values of the path's "{}" parts, in order.
  std::vector<std::string> path_values = {};
  /// What a handler keeps for itself until it is called again.
  std::shared_ptr<void> held = {};
};

/// Answers one request. An exception becomes a 500.
using Handler = std::function<Reply(Exchange& exchange)>;

}  // namespace cairn::server

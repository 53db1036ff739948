// One connection: its requests one after another, each answered before the next is begun.
//
// Purpose     two coroutines, one that reads bytes into a bounded inbox and notices when the client
//             goes away, and one that takes requests from the inbox and writes their answers.
// Invariants  what the client sends beyond the inbox stays in the kernel; what it does not read is
//             at most one batch here. Whatever waits for the client has a deadline.
// Threads     the I/O thread alone.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "server/http/reply.h"
#include "server/http/request_reader.h"
#include "server/http/response_head.h"
#include "server/http/service.h"
#include "server/http/transport.h"

namespace cairn::server {

/// Whether a connection is served, or told that there are too many.
enum class Admission : std::uint8_t { kServe, kRefuse };

class Session : public std::enable_shared_from_this<Session> {
 public:
  using Clock = std::chrono::steady_clock;

  Session(Service& service, std::unique_ptr<Transport> transport, Admission admission);

  /// Serves until the end, then calls `on_end`.
  void start(std::function<void(const Session*)> on_end);

  /// Called a few times a second: ends what waited too long.
  void expire(Clock::time_point now);
  /// The server stops: an idle connection ends now, a busy one after its answer.
  void drain();
  /// The time to drain is over: a running answer is given its last words.
  void end_answer();
  /// At once.
  void close();

 private:
  enum class Waiting : std::uint8_t { kNothing, kRequest, kTransport };
  struct Job;

  boost::asio::awaitable<void> run();
  boost::asio::awaitable<void> read_loop();
  boost::asio::awaitable<void> serve();
  boost::asio::awaitable<bool> serve_one();
  boost::asio::awaitable<bool> read_head();
  boost::asio::awaitable<bool> read_body();
  boost::asio::awaitable<bool> refuse(Cause cause, std::string_view message);
  boost::asio::awaitable<bool> answer(RouteMatch match);
  boost::asio::awaitable<std::optional<Reply>> call(const Route& route,
                                                    std::shared_ptr<Exchange> exchange);
  boost::asio::awaitable<std::optional<Reply>> settle_all(Reply reply);
  boost::asio::awaitable<bool> write_reply(Reply reply);
  boost::asio::awaitable<std::optional<Reply>> prepare(const Route& route,
                                                       std::shared_ptr<Exchange> exchange);
  boost::asio::awaitable<std::optional<Reply>> settle(std::unique_ptr<PendingAnswer> pending);
  boost::asio::awaitable<bool> write_response(Response response);
  boost::asio::awaitable<bool> write_stream(EventStream stream);
  boost::asio::awaitable<bool> write(std::string_view bytes);
  boost::asio::awaitable<void> compress(Response& response);
  boost::asio::awaitable<void> wait();
  boost::asio::awaitable<void> linger();
  boost::asio::awaitable<bool> probe(std::string_view bytes);
  std::string_view early_probe() const;

  void feed_reader();
  void notify();
  void wait_for(Waiting what, std::uint64_t duration_ms);
  std::vector<Header> common_headers() const;
  KeepAlive keep_alive() const;
  bool log(int status);

  Service& service_;
  std::unique_ptr<Transport> transport_;
  Admission admission_;
  boost::asio::steady_timer news_timer_;
  boost::asio::steady_timer room_timer_;
  std::shared_ptr<WakeSlot> wake_slot_;

  std::string inbox_;
  bool peer_gone_ = false;
  bool peer_sends_no_more_ = false;
  bool probed_ = false;  // since then, a client that is gone altogether has been found out
  bool discard_ = false;
  bool news_ = false;
  bool draining_ = false;
  bool end_answer_ = false;
  bool closed_ = false;

  Waiting waiting_ = Waiting::kNothing;
  bool expired_ = false;
  Clock::time_point deadline_ = Clock::time_point::max();

  // The request at hand.
  std::optional<RequestReader> reader_;
  std::string route_;     // the pattern that its path fits
  Request request_head_;  // without body: what the answer's headers and the log need
  bool served_before_ = false;
  bool close_after_ = false;
  std::uint64_t sent_bytes_ = 0;
  std::uint64_t body_bytes_ = 0;
  Clock::time_point begun_ = {};
};

}  // namespace cairn::server

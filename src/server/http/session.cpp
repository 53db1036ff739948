#include "server/http/session.h"

#include <algorithm>
#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>
#include <utility>

#include "base/clock.h"
#include "server/http/awaiting.h"
#include "server/http/checks.h"
#include "server/http/request_id.h"

namespace cairn::server {
namespace {

namespace asio = boost::asio;

constexpr std::size_t kReadBytes = 16 << 10;
constexpr std::size_t kInboxBytesMax = 64 << 10;
constexpr std::size_t kPieceBytes = 64 << 10;
constexpr std::uint64_t kLingerMs = 1000;

}  // namespace

Session::Session(Service& service, std::unique_ptr<Transport> transport, Admission admission)
    : service_(service),
      transport_(std::move(transport)),
      admission_(admission),
      news_timer_(service.io),
      room_timer_(service.io),
      wake_slot_(std::make_shared<WakeSlot>()) {}

void Session::start(std::function<void(const Session*)> on_end) {
  wake_slot_->on_wake = [this] { notify(); };
  asio::co_spawn(
      service_.io, [self = shared_from_this()] { return self->run(); },
      [self = shared_from_this(), on_end = std::move(on_end)](const std::exception_ptr&) {
        self->wake_slot_->on_wake = nullptr;
        self->close();
        on_end(self.get());
      });
}

asio::awaitable<void> Session::run() {
  wait_for(Waiting::kTransport, service_.settings.first_byte_ms);
  const bool shaken = co_await transport_->handshake();
  if (!shaken) co_return;
  asio::co_spawn(
      service_.io, [self = shared_from_this()] { return self->read_loop(); }, asio::detached);
  co_await serve();
  co_await linger();
}

asio::awaitable<void> Session::read_loop() {
  std::array<char, kReadBytes> buffer;
  while (true) {
    while (inbox_.size() >= kInboxBytesMax && !closed_) {
      room_timer_.expires_at(Clock::time_point::max());
      co_await room_timer_.async_wait(kTuple);
    }
    const TransportResult result = co_await transport_->read_some(buffer);
    if (result.ok && !discard_) inbox_.append(buffer.data(), result.bytes);
    if (result.ok) {
      notify();
      continue;
    }
    if (result.only_sending_ended) {
      peer_sends_no_more_ = true;
      notify();
      co_await transport_->wait_until_gone();
    }
    peer_gone_ = true;
    notify();
    co_return;
  }
}

asio::awaitable<void> Session::serve() {
  bool goes_on = true;
  while (goes_on) {
    goes_on = co_await serve_one();
    served_before_ = true;
  }
}

/// Whether the connection goes on.
asio::awaitable<bool> Session::serve_one() {
  RequestReader& reader =
      reader_.emplace(ReadLimits{.header_bytes_max = service_.settings.header_bytes_max,
                                 .headers_max = service_.settings.headers_max,
                                 .body_bytes_max = service_.settings.body_bytes_max});
  request_head_ = {};
  route_.clear();
  close_after_ = false;
  sent_bytes_ = 0;
  body_bytes_ = 0;
  const bool has_head = co_await read_head();
  if (!has_head) co_return false;
  reader.request().arrived_ns =
      std::chrono::duration_cast<std::chrono::nanoseconds>(begun_.time_since_epoch()).count();
  request_head_ = reader.request();
  request_head_.id = request_id(request_head_);
  reader.request().id = request_head_.id;
  if (admission_ == Admission::kRefuse) {
    const bool goes_on = co_await refuse(Cause::kTooManyConnections,
                                         "the server has as many connections as it accepts");
    co_return goes_on;
  }
  Checked checked =
      check_request({.router = service_.router,
                     .keys = service_.keys,
                     .cors = service_.cors,
                     .draining = service_.draining,
                     .loading = service_.loading,
                     .answers_to_loopback_names_only = service_.answers_to_loopback_names_only},
                    reader.request());
  request_head_.access = reader.request().access;
  if (checked.match.route != nullptr) route_ = checked.match.route->path;
  if (checked.response.has_value()) {
    // What follows a body that nobody reads cannot be told from it.
    close_after_ = reader.body_follows();
    const bool goes_on = co_await write_response(std::move(*checked.response));
    co_return goes_on;
  }
  const bool has_body = co_await read_body();
  if (!has_body) co_return false;
  const bool goes_on = co_await answer(std::move(checked.match));
  co_return goes_on;
}

void Session::feed_reader() {
  const std::size_t taken = reader_->feed(inbox_);
  inbox_.erase(0, taken);
  if (taken > 0) room_timer_.cancel();
}

asio::awaitable<bool> Session::read_head() {
  wait_for(Waiting::kRequest,
           served_before_ ? service_.settings.idle_ms : service_.settings.first_byte_ms);
  bool begun = false;
  while (true) {
    feed_reader();
    if (reader_->state() != RequestReader::State::kReadingHead) break;
    if (reader_->begun() && !std::exchange(begun, true)) {
      begun_ = Clock::now();
      wait_for(Waiting::kRequest, service_.settings.header_ms);
    }
    if (peer_gone_ || peer_sends_no_more_) co_return false;
    if ((draining_ || expired_) && !begun) co_return false;
    if (expired_) {
      co_await refuse(Cause::kTimeout, "HTTP: the head of the request did not come in time");
      co_return false;
    }
    co_await wait();
  }
  if (!begun) begun_ = Clock::now();
  if (reader_->state() == RequestReader::State::kHead) co_return true;
  co_await refuse(reader_->error().cause, reader_->error().message);
  co_return false;
}

asio::awaitable<bool> Session::read_body() {
  wait_for(Waiting::kRequest, service_.settings.body_ms);
  if (reader_->body_follows() && reader_->expects_continue() && inbox_.empty()) {
    const bool written = co_await write("HTTP/1.1 100 Continue\r\n\r\n");
    if (!written) co_return log(499);
    wait_for(Waiting::kRequest, service_.settings.body_ms);
  }
  while (true) {
    feed_reader();
    if (reader_->state() != RequestReader::State::kReadingBody) break;
    if (peer_gone_ || peer_sends_no_more_) co_return log(499);
    if (expired_) {
      co_await refuse(Cause::kTimeout, "HTTP: the body of the request did not come in time");
      co_return false;
    }
    co_await wait();
  }
  wait_for(Waiting::kNothing, 0);
  body_bytes_ = reader_->request().body.size();
  if (reader_->state() == RequestReader::State::kDone) co_return true;
  co_await refuse(reader_->error().cause, reader_->error().message);
  co_return false;
}

/// `message` stays valid until it is done. It takes no aggregate: g++ 12 destroys one that is made
/// in an awaited call's arguments twice.
asio::awaitable<bool> Session::refuse(Cause cause, std::string_view message) {
  close_after_ = true;
  const WireError error{.cause = cause, .message = std::string(message), .param = {}, .code = {}};
  Response response = error_response(Flavour::kOpenAi, error);
  const bool goes_on = co_await write_response(std::move(response));
  co_return goes_on;
}

/// Whether all of it was taken; every piece has its own time.
asio::awaitable<bool> Session::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::string_view piece = bytes.substr(0, kPieceBytes);
    wait_for(Waiting::kTransport, service_.settings.write_ms);
    const bool written = co_await transport_->write(piece);
    wait_for(Waiting::kNothing, 0);
    if (!written) {
      peer_gone_ = true;
      co_return false;
    }
    sent_bytes_ += piece.size();
    bytes.remove_prefix(piece.size());
  }
  co_return true;
}

/// A client that sends no more either waits for its answer or is gone: the kernel says which once
/// it was written to. `bytes` mean nothing to the client. Whether the answer is still wanted.
asio::awaitable<bool> Session::probe(std::string_view bytes) {
  if (!peer_sends_no_more_ || std::exchange(probed_, true)) co_return !peer_gone_;
  const bool written = co_await write(bytes);
  co_return written;
}

asio::awaitable<void> Session::wait() {
  if (!news_) {
    news_timer_.expires_at(Clock::time_point::max());
    co_await news_timer_.async_wait(kTuple);
  }
  news_ = false;
}

/// Closing a connection with unread bytes makes the kernel reset it, and the client may then lose
/// the response that was just written: what still comes is read and dropped for a while.
asio::awaitable<void> Session::linger() {
  if (peer_gone_ || peer_sends_no_more_ || closed_) co_return;
  if (draining_ && reader_.has_value() && !reader_->begun()) co_return;
  discard_ = true;
  inbox_.clear();
  room_timer_.cancel();
  transport_->shutdown_send();
  wait_for(Waiting::kRequest, kLingerMs);
  while (!peer_gone_ && !closed_ && !expired_ && !end_answer_) co_await wait();
}

void Session::notify() {
  news_ = true;
  news_timer_.cancel();
}

void Session::wait_for(Waiting what, std::uint64_t duration_ms) {
  // Beyond a year a time is as good as none, and the clock cannot overflow.
  constexpr std::uint64_t kYearMs = 365ULL * 24 * 3600 * 1000;
  waiting_ = what;
  expired_ = false;
  deadline_ = what == Waiting::kNothing
                  ? Clock::time_point::max()
                  : Clock::now() + std::chrono::milliseconds(std::min(duration_ms, kYearMs));
}

void Session::expire(Clock::time_point now) {
  if (now < deadline_) return;
  deadline_ = Clock::time_point::max();
  expired_ = true;
  if (waiting_ == Waiting::kTransport) close();
  notify();
}

void Session::drain() {
  draining_ = true;
  notify();
}

void Session::end_answer() {
  end_answer_ = true;
  notify();
}

void Session::close() {
  closed_ = true;
  transport_->close();
  room_timer_.cancel();
  notify();
}

/// Always false, for the end of a connection.
bool Session::log(int status) {
  if (service_.log) {
    service_.log(
        {.id = request_head_.id,
         .method = request_head_.method,
         .path = request_head_.path,
         .route = route_,
         .status = status,
         .body_bytes = body_bytes_,
         .sent_bytes = sent_bytes_,
         .duration_us =
             std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begun_).count(),
         .time_ms = utc_ns() / 1'000'000});
  }
  return false;
}

}  // namespace cairn::server

#include "server/http/session.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>
#include <utility>

#include "server/http/checks.h"
#include "server/http/gzip.h"
#include "server/http/request_id.h"

namespace cairn::server {
namespace {

namespace asio = boost::asio;

constexpr auto kTuple = asio::as_tuple(asio::use_awaitable);
constexpr std::size_t kReadBytes = 16 << 10;
constexpr std::size_t kInboxBytesMax = 64 << 10;
constexpr std::size_t kBatchBytes = 64 << 10;
// Up to here compression takes the I/O thread less than a millisecond.
constexpr std::size_t kInlineGzipBytes = 32 << 10;
constexpr std::uint64_t kLingerMs = 1000;

Response internal_fault(Flavour flavour, const std::exception& error) {
  return error_response(flavour, {.cause = Cause::kInternal,
                                  .message = std::string("internal fault: ") + error.what(),
                                  .param = {},
                                  .code = {}});
}

Response too_busy(Flavour flavour, std::uint64_t waiting_max) {
  return error_response(flavour, {.cause = Cause::kBusy,
                                  .message = "too many requests wait to be prepared; at most " +
                                             std::to_string(waiting_max) + " are accepted",
                                  .param = {},
                                  .code = {}});
}

/// The door for exceptions of handlers.
Reply call_handler(const Route& route, Exchange& exchange) {
  try {
    return route.handler(exchange);
  } catch (const std::exception& error) {
    return internal_fault(route.flavour, error);
  }
}

std::optional<Reply> poll(PendingAnswer& pending) {
  try {
    return pending.poll();
  } catch (const std::exception& error) {
    return internal_fault(Flavour::kOpenAi, error);
  }
}

}  // namespace

/// A handler's run on the preparation thread. Made and destroyed on the I/O thread.
struct Session::Job {
  std::shared_ptr<Exchange> exchange;
  std::atomic<bool> abandoned = false;
  bool done = false;
  std::optional<Reply> reply;
};

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
    if (!result.ok) peer_gone_ = true;
    notify();
    if (!result.ok) co_return;
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
  close_after_ = false;
  sent_bytes_ = 0;
  body_bytes_ = 0;
  const bool has_head = co_await read_head();
  if (!has_head) co_return false;
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
                     .answers_to_loopback_names_only = service_.answers_to_loopback_names_only},
                    reader.request());
  request_head_.access = reader.request().access;
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
    if (peer_gone_ || (draining_ && !begun) || (expired_ && !begun)) co_return false;
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
    if (peer_gone_) co_return log(499);
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

asio::awaitable<bool> Session::answer(RouteMatch match) {
  auto exchange = std::make_shared<Exchange>();
  exchange->request = std::move(reader_->request());
  exchange->waker = Waker(service_.board, wake_slot_);
  exchange->path_values = std::move(match.path_values);
  const Route& route = *match.route;
  if (route.run_on == RunOn::kIo) {
    Reply reply = call_handler(route, *exchange);
    const bool goes_on = co_await answer_with(std::move(reply));
    co_return goes_on;
  }
  std::optional<Reply> reply = co_await prepare(route, std::move(exchange));
  if (!reply.has_value()) co_return log(499);
  const bool goes_on = co_await answer_with(std::move(*reply));
  co_return goes_on;
}

/// The handler's reply from the preparation thread; nothing when the client went away.
asio::awaitable<std::optional<Reply>> Session::prepare(const Route& route,
                                                       std::shared_ptr<Exchange> exchange) {
  auto job = std::make_shared<Job>();
  job->exchange = std::move(exchange);
  const auto run = [job, &route, &io = service_.io, self = weak_from_this()]() mutable {
    if (!job->abandoned) {
      job->reply = call_handler(route, *job->exchange);
    }
    // The job goes back, since a reply may be destroyed on the I/O thread alone.
    asio::post(io, [job = std::move(job), self = std::move(self)] {
      job->done = true;
      if (const std::shared_ptr<Session> session = self.lock()) session->notify();
    });
  };
  if (!service_.jobs.add(run)) {
    co_return too_busy(route.flavour, service_.settings.waiting_jobs_max);
  }
  while (!job->done) {
    if (peer_gone_ || closed_) {
      job->abandoned = true;
      co_return std::nullopt;
    }
    co_await wait();
  }
  co_return std::move(job->reply);
}

asio::awaitable<bool> Session::answer_with(Reply reply) {
  while (auto* const pending = std::get_if<std::unique_ptr<PendingAnswer>>(&reply)) {
    std::optional<Reply> settled = co_await settle(std::move(*pending));
    if (!settled.has_value()) co_return log(499);
    reply = std::move(*settled);
  }
  bool goes_on = false;
  if (auto* const stream = std::get_if<EventStream>(&reply)) {
    goes_on = co_await write_stream(std::move(*stream));
  } else {
    goes_on = co_await write_response(std::move(std::get<Response>(reply)));
  }
  co_return goes_on;
}

/// What a pending answer became; nothing when the client went away, and then it is destroyed.
asio::awaitable<std::optional<Reply>> Session::settle(std::unique_ptr<PendingAnswer> pending) {
  while (true) {
    if (peer_gone_ || closed_) co_return std::nullopt;
    if (end_answer_) co_return pending->end_early(EndReason::kServerStops);
    std::optional<Reply> reply = poll(*pending);
    if (reply.has_value()) co_return std::move(reply);
    co_await wait();
  }
}

std::vector<Header> Session::common_headers() const {
  std::vector<Header> headers = service_.cors.headers_for(request_head_);
  if (!request_head_.id.empty()) {
    headers.push_back({.name = "X-Request-Id", .value = request_head_.id});
  }
  return headers;
}

KeepAlive Session::keep_alive() const {
  const bool keeps = !close_after_ && !draining_ && !service_.draining && reader_->keep_alive();
  return keeps ? KeepAlive::kYes : KeepAlive::kNo;
}

asio::awaitable<void> Session::compress(Response& response) {
  const bool wanted = response.body.size() >= service_.settings.gzip_bytes_min &&
                      list_accepts(request_head_.header("accept-encoding").value_or(""), "gzip");
  for (const Header& header : response.headers) {
    if (header.name == "Content-Encoding") co_return;
  }
  response.headers.push_back({.name = "Vary", .value = "Accept-Encoding"});
  if (!wanted) co_return;
  auto packed = std::make_shared<std::optional<Result<std::string>>>();
  if (response.body.size() <= kInlineGzipBytes) {
    packed->emplace(gzip(response.body));
  } else {
    const auto body = std::make_shared<const std::string>(response.body);
    const auto run = [packed, body, &io = service_.io, self = weak_from_this()] {
      Result<std::string> bytes = gzip(*body);
      asio::post(io, [packed, bytes = std::move(bytes), self]() mutable {
        packed->emplace(std::move(bytes));
        if (const std::shared_ptr<Session> session = self.lock()) session->notify();
      });
    };
    // A busy preparation thread is no reason to wait: the body then goes as it is.
    if (!service_.jobs.add(run)) co_return;
    while (!packed->has_value() && !peer_gone_ && !closed_) co_await wait();
  }
  if (!packed->has_value() || !(*packed)->ok()) co_return;
  response.body = std::move((*packed)->value());
  response.headers.push_back({.name = "Content-Encoding", .value = "gzip"});
}

asio::awaitable<bool> Session::write_response(Response response) {
  const bool has_body = !response.body.empty();
  if (has_body) co_await compress(response);
  const KeepAlive keeps = keep_alive();
  const std::vector<Header> more = common_headers();
  std::string head = response_head(
      response,
      {.keep_alive = keeps, .content_bytes = response.body.size(), .chunked = false, .more = more});
  if (request_head_.method == Method::kHead) response.body.clear();
  bool written = false;
  if (response.body.size() <= kBatchBytes) {
    head += response.body;
    written = co_await write(head);
  } else {
    written = co_await write(head);
    if (written) written = co_await write(response.body);
  }
  log(written ? response.status : 499);
  co_return written&& keeps == KeepAlive::kYes;
}

asio::awaitable<bool> Session::write_stream(EventStream stream) {
  const bool chunked = reader_->knows_chunks();
  if (!chunked) close_after_ = true;
  const KeepAlive keeps = keep_alive();
  std::vector<Header> more = common_headers();
  more.push_back({.name = "Cache-Control", .value = "no-store"});
  more.push_back({.name = "X-Accel-Buffering", .value = "no"});
  std::string out = response_head(
      stream.head,
      {.keep_alive = keeps, .content_bytes = std::nullopt, .chunked = chunked, .more = more});
  Pulled pulled = request_head_.method == Method::kHead ? Pulled::kEnd : Pulled::kMore;
  while (true) {
    std::string batch;
    if (pulled == Pulled::kMore && end_answer_) {
      stream.source->end_early(batch, EndReason::kServerStops);
      pulled = Pulled::kEnd;
    } else if (pulled == Pulled::kMore) {
      pulled = stream.source->pull(batch, kBatchBytes);
    }
    const bool idle = batch.empty() && pulled == Pulled::kMore;
    if (chunked) {
      append_chunk(out, batch);
      if (pulled == Pulled::kEnd && request_head_.method != Method::kHead) out += kLastChunk;
    } else {
      out += batch;
    }
    if (!out.empty()) {
      const bool written = co_await write(out);
      if (!written) co_return log(499);
      out.clear();
    }
    if (pulled == Pulled::kEnd) break;
    if (peer_gone_ || closed_) co_return log(499);
    if (idle) co_await wait();
  }
  log(stream.head.status);
  co_return keeps == KeepAlive::kYes && !draining_;
}

/// Whether all of it was taken; every piece has its own time.
asio::awaitable<bool> Session::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::string_view piece = bytes.substr(0, kBatchBytes);
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
  if (peer_gone_ || closed_ || (draining_ && reader_.has_value() && !reader_->begun())) co_return;
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
         .status = status,
         .body_bytes = body_bytes_,
         .sent_bytes = sent_bytes_,
         .duration_us =
             std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begun_).count()});
  }
  return false;
}

}  // namespace cairn::server

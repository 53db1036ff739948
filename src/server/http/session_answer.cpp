// The half of a connection that makes answers and writes them.
#include <atomic>
#include <boost/asio/post.hpp>
#include <exception>
#include <utility>

#include "server/http/gzip.h"
#include "server/http/session.h"

namespace cairn::server {
namespace {

namespace asio = boost::asio;

constexpr std::size_t kBatchBytes = 64 << 10;
// Up to here compression takes the I/O thread less than a millisecond.
constexpr std::size_t kInlineGzipBytes = 32 << 10;
// What a client passes over, before an answer (RFC 9110, 15.2) and within a stream of events.
constexpr std::string_view kProbe = "HTTP/1.1 100 Continue\r\n\r\n";
constexpr std::string_view kStreamProbe = ":\n\n";
constexpr std::string_view kChunkedProbe = "3\r\n:\n\n\r\n";

Response too_busy(Flavour flavour, std::uint64_t waiting_max) {
  return error_response(flavour, {.cause = Cause::kBusy,
                                  .message = "too many requests wait to be prepared; at most " +
                                             std::to_string(waiting_max) + " are accepted",
                                  .param = {},
                                  .code = {}});
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

/// HTTP/1.0 has nothing that stands before an answer.
std::string_view Session::early_probe() const { return reader_->knows_chunks() ? kProbe : ""; }

asio::awaitable<bool> Session::answer(RouteMatch match) {
  auto exchange = std::make_shared<Exchange>();
  exchange->request = std::move(reader_->request());
  exchange->waker = Waker(service_.board, wake_slot_);
  exchange->path_values = std::move(match.path_values);
  while (true) {
    std::optional<Reply> reply = co_await call(*match.route, std::move(exchange));
    if (reply.has_value()) reply = co_await settle_all(std::move(*reply));
    if (!reply.has_value()) co_return log(499);
    auto* const again = std::get_if<CallAgain>(&*reply);
    if (again == nullptr) {
      const bool goes_on = co_await write_reply(std::move(*reply));
      co_return goes_on;
    }
    exchange = std::move(again->exchange);
  }
}

/// The handler's reply from where its row says; nothing when the client went away.
asio::awaitable<std::optional<Reply>> Session::call(const Route& route,
                                                    std::shared_ptr<Exchange> exchange) {
  if (route.run_on == RunOn::kIo) co_return call_handler(route, *exchange);
  std::optional<Reply> reply = co_await prepare(route, std::move(exchange));
  co_return std::move(reply);
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
    const bool wanted = co_await probe(early_probe());
    if (!wanted || peer_gone_ || closed_) {
      job->abandoned = true;
      co_return std::nullopt;
    }
    co_await wait();
  }
  co_return std::move(job->reply);
}

/// What a reply became that has nothing pending any more; nothing when the client went away.
asio::awaitable<std::optional<Reply>> Session::settle_all(Reply reply) {
  std::optional<Reply> settled = std::move(reply);
  while (settled.has_value()) {
    auto* const pending = std::get_if<std::unique_ptr<PendingAnswer>>(&*settled);
    if (pending == nullptr) break;
    settled = co_await settle(std::move(*pending));
  }
  co_return std::move(settled);
}

asio::awaitable<bool> Session::write_reply(Reply reply) {
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
    const bool wanted = co_await probe(early_probe());
    if (!wanted || peer_gone_ || closed_) co_return std::nullopt;
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
    if (idle) {
      const bool wanted = co_await probe(chunked ? kChunkedProbe : kStreamProbe);
      if (!wanted) co_return log(499);
    }
    if (peer_gone_ || closed_) co_return log(499);
    if (idle) co_await wait();
  }
  log(stream.head.status);
  co_return keeps == KeepAlive::kYes && !draining_;
}

}  // namespace cairn::server

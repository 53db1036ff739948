#include "server/batch/batch_runner.h"

#include <utility>
#include <variant>

#include "base/json.h"

namespace cairn::server {
namespace {

constexpr auto kStopLook = std::chrono::milliseconds(100);

/// Events belong to a connection; a line of results has none.
Response no_stream() {
  return error_response(Flavour::kOpenAi,
                        {.cause = Cause::kBadRequest,
                         .message = "stream: not in a batch, whose results are whole",
                         .param = "stream"});
}

}  // namespace

Result<BatchTotals> count_done(const BatchFile& file, const BatchResults& results) {
  BatchTotals totals;
  totals.requests = file.lines().size();
  for (const BatchLine& line : file.lines()) {
    CAIRN_ASSIGN(const bool done, results.has(line));
    totals.done_before += done ? 1 : 0;
  }
  return totals;
}

BatchRunner::BatchRunner(const Api& api, BatchResults& results, Options options)
    : router_(api_routes(api)),
      newsroom_(*api.newsroom),
      results_(results),
      options_(std::move(options)) {}

Status BatchRunner::run(const BatchFile& file, BatchTotals& totals) {
  std::uint64_t seen = 0;
  auto next = file.lines().begin();
  for (;;) {
    if (options_.stop_asked && options_.stop_asked()) return cancelled("stopped");
    bool place = true;
    while (place && in_hand_.size() < options_.in_hand_max && next != file.lines().end()) {
      CAIRN_ASSIGN(place, begin(*next, totals));
      if (place) ++next;
    }
    CAIRN_TRY(collect(totals));
    if (options_.progress) options_.progress(totals);
    if (in_hand_.empty() && next == file.lines().end()) return results_.flush();
    if (!in_hand_.empty()) seen = newsroom_.wait(seen, kStopLook);
  }
}

/// False while the queue has no place for it: it is tried again when others have ended.
Result<bool> BatchRunner::begin(const BatchLine& line, BatchTotals& totals) {
  CAIRN_ASSIGN(const bool done, results_.has(line));
  if (done) return true;
  CAIRN_ASSIGN(BatchRequest request, parse_batch_line(line.text));
  Exchange exchange;
  exchange.request = {
      .method = Method::kPost, .path = request.url, .body = std::move(request.body), .id = line.id};
  const RouteMatch match = router_.match(Method::kPost, request.url);
  CAIRN_CHECK(match.route != nullptr);  // parse_batch_line knows those there are
  Reply reply = call_handler(*match.route, exchange);
  const auto* response = std::get_if<Response>(&reply);
  const bool busy = response != nullptr && (response->status == 429 || response->status == 503);
  if (busy && !in_hand_.empty()) return false;
  CAIRN_TRY(take(line, *match.route, std::move(reply), totals));
  return true;
}

Status BatchRunner::take(const BatchLine& line, const Route& route, Reply reply,
                         BatchTotals& totals) {
  while (auto* const again = std::get_if<CallAgain>(&reply)) {
    const std::shared_ptr<Exchange> exchange = std::move(again->exchange);
    reply = call_handler(route, *exchange);
  }
  if (auto* pending = std::get_if<std::unique_ptr<PendingAnswer>>(&reply)) {
    in_hand_.push_back({.line = &line, .route = &route, .answer = std::move(*pending)});
    return {};
  }
  auto* response = std::get_if<Response>(&reply);
  return finish(line, response != nullptr ? std::move(*response) : no_stream(), totals);
}

Status BatchRunner::collect(BatchTotals& totals) {
  for (auto at = in_hand_.begin(); at != in_hand_.end();) {
    std::optional<Reply> reply = at->answer->poll();
    if (!reply) {
      ++at;
      continue;
    }
    const BatchLine& line = *at->line;
    const Route& route = *at->route;
    at = in_hand_.erase(at);
    CAIRN_TRY(take(line, route, std::move(*reply), totals));
  }
  return {};
}

Status BatchRunner::finish(const BatchLine& line, Response response, BatchTotals& totals) {
  const BatchAnswer answer{.status = response.status, .body = std::move(response.body)};
  CAIRN_TRY(results_.add(line, answer));
  if (answer.status != 200) {
    ++totals.failed;
    return {};
  }
  ++totals.completed;
  CAIRN_ASSIGN(const Json body, parse_json(answer.body));
  totals.prompt_tokens += body["usage"]["prompt_tokens"].get<std::uint64_t>();
  totals.completion_tokens += body["usage"].value("completion_tokens", std::uint64_t{0});
  return {};
}

}  // namespace cairn::server

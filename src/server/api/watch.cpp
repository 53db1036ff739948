#include "server/api/watch.h"

#include <utility>

#include "base/clock.h"

namespace cairn::server {

void Watch::keep(const RequestRecord& record) {
  const std::scoped_lock lock(mutex_);
  const bool known = records_.contains(record.id);
  records_[record.id] = record;
  if (known) return;
  order_.push_back(record.id);
  if (order_.size() <= kRecordsMax) return;
  records_.erase(order_.front());
  order_.pop_front();
}

std::optional<RequestRecord> Watch::find(const std::string& id) const {
  const std::scoped_lock lock(mutex_);
  const auto found = records_.find(id);
  return found == records_.end() ? std::nullopt : std::optional(found->second);
}

WatchedRequest::WatchedRequest(std::shared_ptr<Watch> watch, RequestRecord record)
    : watch_(std::move(watch)), record_(std::move(record)) {
  watch_->keep(record_);
}

WatchedRequest::~WatchedRequest() {
  while (record_.finish_reasons.size() < record_.answers) record_.finish_reasons.push_back("abort");
  record_.ended_ns = steady_ns();
  watch_->metrics().count_request(record_);
  watch_->keep(record_);
}

void WatchedRequest::tokens(std::uint64_t answer, std::uint64_t count) {
  if (count == 0) return;
  const std::int64_t now = steady_ns();
  const auto last = last_ns_.find(answer);
  constexpr double kSecondsPerNs = 1e-9;
  const double seconds =
      last == last_ns_.end() ? 0 : static_cast<double>(now - last->second) * kSecondsPerNs;
  watch_->metrics().count_tokens(record_.model, count, seconds);
  last_ns_[answer] = now;
  record_.generated_tokens += count;
  if (record_.first_token_ns != 0) return;
  record_.first_token_ns = now;
  watch_->keep(record_);
}

void WatchedRequest::ended(const std::string& finish_reason) {
  record_.finish_reasons.push_back(finish_reason);
}

}  // namespace cairn::server

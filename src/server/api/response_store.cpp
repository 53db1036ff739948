#include "server/api/response_store.h"

#include <utility>

#include "base/clock.h"

namespace cairn::server {
namespace {}  // namespace

ResponseStore::ResponseStore(Limits limits) : limits_(std::move(limits)) {
  if (!limits_.clock_s) limits_.clock_s = &utc_s;
}

void ResponseStore::erase(const std::string& id) {
  const auto found = kept_.find(id);
  if (found == kept_.end()) return;
  bytes_ -= found->second.bytes;
  kept_.erase(found);
  std::erase(order_, id);
}

/// Forgets from the oldest on until the bounds hold.
void ResponseStore::make_room() {
  const std::int64_t now_s = limits_.clock_s();
  const auto full = [&] { return kept_.size() > limits_.count || bytes_ > limits_.bytes; };
  while (!order_.empty()) {
    if (!full() && kept_.at(order_.front()).ends_s > now_s) return;
    erase(std::string(order_.front()));
  }
}

void ResponseStore::keep(const std::string& id, StoredResponse response) {
  const std::uint64_t bytes =
      response.response.size() + response.items.size() + response.messages.size();
  const std::scoped_lock lock(mutex_);
  kept_[id] = {.response = std::move(response),
               .bytes = bytes,
               .ends_s = limits_.clock_s() + limits_.seconds};
  order_.push_back(id);
  bytes_ += bytes;
  make_room();
}

std::optional<StoredResponse> ResponseStore::find(const std::string& id) {
  const std::scoped_lock lock(mutex_);
  make_room();
  const auto found = kept_.find(id);
  return found == kept_.end() ? std::nullopt : std::optional(found->second.response);
}

bool ResponseStore::forget(const std::string& id) {
  const std::scoped_lock lock(mutex_);
  make_room();
  const bool known = kept_.contains(id);
  erase(id);
  return known;
}

std::uint64_t ResponseStore::bytes() const {
  const std::scoped_lock lock(mutex_);
  return bytes_;
}

}  // namespace cairn::server

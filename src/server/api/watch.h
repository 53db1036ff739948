// Watch: what becomes of requests, for /metrics and /v1/requests/{id}.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "server/metrics/metrics.h"
#include "server/metrics/request_record.h"

namespace cairn::server {

/// Keeps the records of the newest requests, running ones among them. Any thread.
class Watch {
 public:
  /// Records kept; older ones are forgotten.
  static constexpr std::size_t kRecordsMax = 4096;

  Metrics& metrics() { return metrics_; }
  /// Keeps it, in the place of an earlier one of that id.
  void keep(const RequestRecord& record);
  /// The record of a request; nothing for one that is unknown or forgotten.
  std::optional<RequestRecord> find(const std::string& id) const;

 private:
  Metrics metrics_;
  mutable std::mutex mutex_;
  std::map<std::string, RequestRecord> records_;
  std::deque<std::string> order_;
};

/// One request being watched: every event is told once.
class WatchedRequest {
 public:
  WatchedRequest(std::shared_ptr<Watch> watch, RequestRecord record);
  /// Answers that did not end count as aborted.
  ~WatchedRequest();
  WatchedRequest(const WatchedRequest&) = delete;
  WatchedRequest& operator=(const WatchedRequest&) = delete;

  /// `count` tokens came of the answer of that index.
  void tokens(std::uint64_t answer, std::uint64_t count);
  /// An answer ended.
  void ended(const std::string& finish_reason);
  /// What has been counted so far; changed by the owner before the end.
  RequestRecord& record() { return record_; }

 private:
  std::shared_ptr<Watch> watch_;
  RequestRecord record_;
  std::map<std::uint64_t, std::int64_t> last_ns_;  // of each answer's newest token
};

}  // namespace cairn::server

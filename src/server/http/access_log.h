// The access log: one line of JSON per request, written away from the I/O thread.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "server/http/access_record.h"

namespace cairn::server {

/// One record as a line of JSON without its end: time (UTC, seconds since 1970), id, method, path,
/// status, body_bytes, sent_bytes, duration_ms. Never a query, a header or a body.
std::string access_line(const AccessRecord& record);

/// Hands lines to a sink that may be slow, on a thread of its own.
class AccessLog {
 public:
  /// `write` gets whole lines with their ends and is called by one thread.
  explicit AccessLog(std::function<void(std::string_view)> write);
  /// Writes what waits, and a line of "lines_lost" alone where no record came to tell it.
  ~AccessLog();
  AccessLog(const AccessLog&) = delete;
  AccessLog& operator=(const AccessLog&) = delete;

  /// From any thread; never waits for the sink. Past kWaitingMax lines it is left out and counted
  /// in the next line's "lines_lost".
  void add(const AccessRecord& record);

  /// Most lines that wait for the sink.
  static constexpr std::size_t kWaitingMax = 16'384;

 private:
  void run();

  std::function<void(std::string_view)> write_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> waiting_;
  std::uint64_t lost_ = 0;
  bool closed_ = false;
  std::thread thread_;
};

}  // namespace cairn::server

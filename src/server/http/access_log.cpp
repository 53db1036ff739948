#include "server/http/access_log.h"

#include <utility>

#include "base/json.h"

namespace cairn::server {
namespace {

Json access_object(const AccessRecord& record) {
  constexpr double kMsPerUs = 1e-3;
  constexpr double kSecondsPerMs = 1e-3;
  return {{"time", static_cast<double>(record.time_ms) * kSecondsPerMs},
          {"id", record.id},
          {"method", name_of(record.method)},
          {"path", record.path},
          {"status", record.status},
          {"body_bytes", record.body_bytes},
          {"sent_bytes", record.sent_bytes},
          {"duration_ms", static_cast<double>(record.duration_us) * kMsPerUs}};
}

}  // namespace

std::string access_line(const AccessRecord& record) { return line_of(access_object(record)); }

AccessLog::AccessLog(std::function<void(std::string_view)> write)
    : write_(std::move(write)), thread_([this] { run(); }) {}

AccessLog::~AccessLog() {
  {
    const std::scoped_lock lock(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void AccessLog::add(const AccessRecord& record) {
  {
    const std::scoped_lock lock(mutex_);
    if (waiting_.size() >= kWaitingMax) {
      ++lost_;
      return;
    }
    Json object = access_object(record);
    if (lost_ > 0) object["lines_lost"] = std::exchange(lost_, 0);
    waiting_.push_back(line_of(object) + "\n");
  }
  changed_.notify_one();
}

void AccessLog::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return closed_ || !waiting_.empty(); });
    if (waiting_.empty()) break;
    std::deque<std::string> lines = std::exchange(waiting_, {});
    lock.unlock();
    for (const std::string& line : lines) write_(line);
    lock.lock();
  }
  if (lost_ > 0) write_(line_of({{"lines_lost", lost_}}) + "\n");
}

}  // namespace cairn::server

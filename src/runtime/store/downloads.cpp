#include "runtime/store/downloads.h"

#include <fmt/core.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <optional>
#include <system_error>
#include <thread>

#include "base/bytes_text.h"
#include "base/checked.h"
#include "base/file.h"
#include "runtime/store/http.h"

namespace cairn::runtime {

DownloadTracker::DownloadTracker(const std::vector<DownloadJob>& jobs, ProgressSink& sink)
    : jobs_(jobs), sink_(sink), done_(jobs.size(), 0) {
  for (const DownloadJob& job : jobs) total_ += job.bytes;
}

void DownloadTracker::update(std::size_t job, std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  sum_ += bytes - done_[job];
  done_[job] = bytes;
  sink_.update({.file = jobs_[job].name,
                .file_bytes = bytes,
                .file_bytes_total = jobs_[job].bytes,
                .bytes = sum_,
                .bytes_total = total_});
}

Downloads::Downloads(const StoreOptions& options, const std::vector<DownloadJob>& jobs,
                     ProgressSink& sink)
    : options_(options), jobs_(jobs), tracker_(jobs, sink), fetched_(jobs.size(), 0) {}

Status Downloads::run(const std::stop_token& stop) {
  const std::stop_callback forward(stop, [this] { stop_.request_stop(); });
  {
    std::vector<std::jthread> threads;
    const std::size_t count = std::min(options_.downloads_max, jobs_.size());
    for (std::size_t i = 0; i < count; ++i) threads.emplace_back([this] { work(); });
  }
  return first_error_;
}

/// One thread: the door that foreign exceptions stop at.
void Downloads::work() {
  try {
    if (const Status status = work_off(); !status.ok()) fail(status);
  } catch (const std::exception& error) {
    fail(internal_error(std::string("a download ended by ") + error.what()));
  }
}

Status Downloads::work_off() {
  HttpClient client(options_, stop_.get_token());
  for (std::size_t at = next_++; at < jobs_.size() && !stop_.stop_requested(); at = next_++) {
    const DownloadProgress progress = [this, at](std::uint64_t n) { tracker_.update(at, n); };
    CAIRN_ASSIGN(fetched_[at], download(client, jobs_[at], progress));
  }
  return stop_.stop_requested() ? cancelled("the pull was stopped") : Status();
}

void Downloads::fail(const Status& status) {
  const std::lock_guard lock(mutex_);
  if (first_error_.ok()) first_error_ = status;
  stop_.request_stop();
}

/// Refuses early what the disk can not hold.
Status check_space(const std::string& folder, const std::vector<DownloadJob>& jobs) {
  std::optional<std::uint64_t> sum = 0;
  for (const DownloadJob& job : jobs) {
    std::error_code error;
    const std::uint64_t here = std::filesystem::file_size(job.path + ".part", error);
    const std::uint64_t missing = error ? job.bytes : job.bytes - std::min(job.bytes, here);
    if (sum) sum = checked_add(*sum, missing);
  }
  struct statvfs disk = {};
  if (::statvfs(folder.c_str(), &disk) != 0) {
    return errno_status(folder, "cannot ask for its space");
  }
  const std::uint64_t free = std::uint64_t{disk.f_bavail} * disk.f_frsize;
  if (sum && *sum <= free) return {};
  return io_error(fmt::format("{}: the disk has {} free, {} are needed", folder, bytes_text(free),
                              sum ? bytes_text(*sum) : "more than 64 bits can count"));
}

}  // namespace cairn::runtime

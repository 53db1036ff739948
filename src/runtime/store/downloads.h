// Several downloads at once, with one progress and one end.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "base/status.h"
#include "runtime/store/download.h"
#include "runtime/store/store.h"

namespace cairn::runtime {

/// Sums up the progress of downloads that run at once.
///
/// Threads: any.
class DownloadTracker {
 public:
  DownloadTracker(const std::vector<DownloadJob>& jobs, ProgressSink& sink);

  /// Job number `job` has `bytes` bytes here by now.
  void update(std::size_t job, std::uint64_t bytes);

 private:
  const std::vector<DownloadJob>& jobs_;
  ProgressSink& sink_;
  std::mutex mutex_;
  std::vector<std::uint64_t> done_;
  std::uint64_t sum_ = 0;
  std::uint64_t total_ = 0;
};

/// Downloads several files at once; the first error stops the others. Borrows what it is given.
class Downloads {
 public:
  Downloads(const StoreOptions& options, const std::vector<DownloadJob>& jobs, ProgressSink& sink);

  /// Returns when every download has ended. Errors: the first one of any job; kCancelled.
  Status run(const std::stop_token& stop);

  /// What came over the network for a job.
  std::uint64_t fetched(std::size_t job) const { return fetched_[job]; }

 private:
  void work();
  Status work_off();
  void fail(const Status& status);

  const StoreOptions& options_;
  const std::vector<DownloadJob>& jobs_;
  DownloadTracker tracker_;
  std::vector<std::uint64_t> fetched_;
  std::atomic<std::size_t> next_ = 0;
  std::stop_source stop_;
  std::mutex mutex_;
  Status first_error_;
};

/// Refuses early what the disk of `folder` can not hold. Errors: kIo with what is free and needed.
Status check_space(const std::string& folder, const std::vector<DownloadJob>& jobs);

}  // namespace cairn::runtime

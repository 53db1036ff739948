// Batches: files of requests that are answered beside those of connections, and survive a restart.
//
// Purpose     /v1/batches: records of what was asked for, and the thread that works them off, the
//             oldest first.
// Invariants  a record on the disk is whole; every answer is there once it is made. What a stop or
//             kill -9 leaves is gone on with at the next start, nothing lost and nothing twice.
// Threads     serve() on a thread of its own; the others on any, but not the I/O thread.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/status.h"
#include "server/batch/batch_file.h"
#include "server/batch/batch_results.h"
#include "server/batch/batch_runner.h"
#include "server/files/file_store.h"

namespace cairn::server {

/// What a client asked for.
struct BatchWish {
  std::string input_file_id = {};
  std::string endpoint = {};
  Json metadata = {};  // an object, or null
};

class Batches {
 public:
  struct Limits {
    std::size_t kept = 1000;    // of those that have ended; older ones are forgotten
    std::size_t waiting = 100;  // of the others; more are refused
    std::size_t lines = 50'000;
    std::int64_t seconds = 86'400;              // for one batch
    std::int64_t result_seconds = 30 * 86'400;  // that its results are kept
    /// Unix time; absent: the system's.
    std::function<std::int64_t()> clock_s = {};
  };

  /// Reads what is in the folder. `files` outlives it. Errors: kIo; kInvalidFile naming a record.
  static Result<std::unique_ptr<Batches>> open(const std::string& folder, FileStore& files,
                                               const Limits& limits);

  /// The object of a new batch. Errors: kInvalidArgument for an endpoint that has none; kNotFound
  /// for the file; kUnavailable when too many wait; kIo.
  Result<Json> create(const BatchWish& wish);
  /// The object of a batch; nothing for one that is unknown.
  std::optional<Json> find(const std::string& id);
  /// Objects, oldest first.
  Json list();
  /// The object of a batch that ends as soon as what runs has ended; nothing for one that is
  /// unknown. Errors: kInvalidArgument for one that has ended.
  Result<std::optional<Json>> cancel(const std::string& id);

  /// Works batches off until `stop` asks for the end.
  void serve(const Api& api, const std::stop_token& stop);

 private:
  Batches(std::string folder, FileStore& files, Limits limits);
  Status read();
  Status save(const Json& batch) const;
  std::string record_path(const std::string& id) const { return folder_ + "/" + id + ".json"; }
  std::string results_path(const std::string& id) const { return folder_ + "/" + id + ".jsonl"; }
  std::optional<std::string> next(const std::stop_token& stop);
  Status work(const Api& api, const std::string& id, const std::stop_token& stop);
  Status run(const Api& api, const Json& batch, const BatchFile& file, BatchResults& results,
             const std::stop_token& stop);
  Status finish(const std::string& id, const BatchFile& file, const BatchResults& results);
  void fail(const std::string& id, const Status& status);
  Status check_lines(const Json& batch, const BatchFile& file) const;
  bool must_end(const std::string& id);
  Status set(const std::string& id, const Json& changes);
  void forget_old();

  std::string folder_;
  FileStore& files_;
  Limits limits_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::map<std::string, Json> batches_;
};

}  // namespace cairn::server

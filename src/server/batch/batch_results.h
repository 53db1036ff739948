// The results of a batch: a file that lines are added to, whole or not at all.
//
// Purpose     one line per request that has its answer, in the order in which answers came.
// Invariants  a line is there once its request is done, and then it is never written again: a run
//             that was ended at any moment is gone on with from what the file holds. A last line
//             without its end was being written; it is taken away.
// Threads     one; another process that has the same file is kept out.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/file_descriptor.h"
#include "base/status.h"
#include "server/batch/batch_file.h"

namespace cairn::server {

/// What a request was answered with.
struct BatchAnswer {
  int status = 200;       // of HTTP
  std::string body = {};  // one line of JSON
};

class BatchResults {
 public:
  /// Opens or makes the file and reads what is done. Errors: kIo; kUnavailable while another
  /// process writes it; kInvalidFile for a file that holds anything but results, which is left as
  /// it is.
  static Result<BatchResults> open(const std::string& path);

  /// Whether the result of `line` is there. Errors: kInvalidArgument where its custom_id has the
  /// result of another request.
  Result<bool> has(const BatchLine& line) const;
  std::size_t size() const { return done_.size(); }

  /// Adds the result of `line`. Errors: kIo (a full disk); the file ends with the last whole line.
  Status add(const BatchLine& line, const BatchAnswer& answer);
  /// Flushes to the disk. Errors: kIo.
  Status flush() const;

 private:
  Status read();
  Status cut(std::size_t size) const;

  std::string path_;
  FileDescriptor file_;
  std::size_t size_ = 0;                               // bytes of whole lines
  std::unordered_map<std::string, std::string> done_;  // id by custom_id
};

}  // namespace cairn::server

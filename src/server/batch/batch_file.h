// The requests of a batch: a file with one per line.
// Source: OpenAI's API reference, batches, "the request input object".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "base/status.h"

namespace cairn::server {

/// A line that holds a request.
struct BatchLine {
  std::size_t number = 0;      // of the line, from 1
  std::string_view text = {};  // valid as long as the BatchFile
  std::string custom_id = {};
  std::string url = {};
  std::string id = {};  // "batch_req_" and 32 digits of the line's hash: another line, another id
};

/// What a line asks.
struct BatchRequest {
  std::string custom_id = {};
  std::string url = {};    // a path of batch_urls()
  std::string model = {};  // of the body; empty: none
  std::string body = {};   // JSON as text
};

/// The paths that a line may ask.
std::vector<std::string_view> batch_urls();

/// Reads one line. Errors: kInvalidArgument saying what was found and expected.
Result<BatchRequest> parse_batch_line(std::string_view text);

class BatchFile {
 public:
  /// Reads every line once; empty ones are skipped. Errors: as MappedFile::open; kInvalidArgument
  /// naming the numbers of lines that are no requests or have a custom_id that stood before, or
  /// for a file without any request.
  static Result<BatchFile> open(const std::string& path);

  const std::vector<BatchLine>& lines() const { return lines_; }

 private:
  MappedFile file_;
  std::vector<BatchLine> lines_;
};

}  // namespace cairn::server

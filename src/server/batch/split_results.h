// The results of a batch as its two files.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/status.h"
#include "server/batch/batch_file.h"
#include "server/batch/batch_results.h"

namespace cairn::server {

struct SplitResults {
  std::string output = {};     // lines that were answered with 200
  std::string errors = {};     // the others, those without an answer among them
  std::size_t answered = 0;    // with 200
  std::size_t unanswered = 0;  // not at all
};

/// `path` is where `results` lie; a request without a result gets an error of that code. Errors: as
/// MappedFile::open and BatchResults::has.
Result<SplitResults> split_results(const BatchFile& file, const BatchResults& results,
                                   const std::string& path, std::string_view code);

}  // namespace cairn::server

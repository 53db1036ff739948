// What git knows of a file's past.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"

namespace cairn::cli {

/// A file at one commit.
struct FileVersion {
  std::string commit;    // the short hash
  std::string time_utc;  // of the commit, RFC 3339
  std::string text;
};

/// Every version of `path` below `root` that a commit of the current branch wrote, oldest first;
/// none for a file that was never committed. Errors: kNotFound when `root` is no git work tree or
/// there is no git, kIo when git fails otherwise.
Result<std::vector<FileVersion>> file_history(const std::string& root, const std::string& path);

}  // namespace cairn::cli

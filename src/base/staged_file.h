// A file that is opened early and appears late: what is opened can be written, and what a reader
// finds at the path is the old file or the whole new one.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "base/file_descriptor.h"
#include "base/status.h"

namespace cairn {

/// A temporary file (mode 0600) beside `path` that commit() renames over it. Destroyed without a
/// commit, it takes the temporary file away and `path` stays as it was.
class StagedFile {
 public:
  StagedFile(StagedFile&& other) noexcept;
  StagedFile& operator=(StagedFile&&) = delete;
  StagedFile(const StagedFile&) = delete;
  StagedFile& operator=(const StagedFile&) = delete;
  ~StagedFile();

  /// Errors: kInvalidArgument when something that is no regular file stands at `path` (a rename
  /// would replace a folder or a device), kNotFound, kIo.
  static Result<StagedFile> open(const std::string& path);

  /// Writes `bytes` behind what was written before. Errors: kIo.
  Status append(std::span<const std::byte> bytes);

  /// Writes `bytes` behind what was appended, flushes them to the disk and renames. Errors: kIo;
  /// the file at the path is then unchanged.
  Status commit(std::string_view bytes);

 private:
  StagedFile(std::string path, std::string temporary, FileDescriptor file);

  std::string path_;
  std::string temporary_;  // empty once renamed or moved away
  FileDescriptor file_;
};

}  // namespace cairn

// A file descriptor that closes itself, and the calls on it that need care.
#pragma once

#include <unistd.h>

#include <string>
#include <string_view>
#include <utility>

#include "base/status.h"

namespace cairn {

/// Owns a descriptor, or none (-1).
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int descriptor) : descriptor_(descriptor) {}
  FileDescriptor(FileDescriptor&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  /// Whether it holds one.
  bool valid() const { return descriptor_ >= 0; }
  /// The descriptor; it stays owned here.
  int get() const { return descriptor_; }

 private:
  int descriptor_ = -1;
};

/// Writes all of `bytes`; `path` is for the message. Errors: kIo (a full disk, a closed pipe).
Status write_all(const FileDescriptor& file, const std::string& path, std::string_view bytes);

/// Flushes a folder's entries to the disk, so that a rename in it outlives a power cut.
Status flush_folder(const std::string& folder);

}  // namespace cairn

// Files: mapped for models, read and written whole for the rest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/status.h"

namespace cairn {

/// A regular file mapped for reading. A file cut short by somebody else while it is mapped makes
/// the operating system end the program: nothing short of copying can prevent that.
class MappedFile {
 public:
  MappedFile() = default;
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  /// Errors: kNotFound, kInvalidFile (a directory, a pipe), kIo; all name the path.
  static Result<MappedFile> open(const std::string& path);

  /// The whole file; valid while this object lives.
  std::span<const std::byte> bytes() const { return {data_, size_}; }

  /// When it was last written, as of opening: nanoseconds since 1970.
  std::int64_t modified_ns() const { return modified_ns_; }

  /// Gives the memory of whole pages inside the range back; a later read loads them again. Returns
  /// the bytes of those pages, 0 where the system declines. The last page of the file counts as far
  /// as the file reaches.
  std::size_t release(std::size_t offset, std::size_t size) const;

 private:
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  std::int64_t modified_ns_ = 0;
};

/// Asks the system to give up what it keeps of the file in memory, so that the next read comes from
/// the disk; pages that somebody maps stay. Errors: as MappedFile::open.
Status drop_cached(const std::string& path);

/// The folder that holds `path`: "." for a bare name, "/" at the root.
std::string folder_of(const std::string& path);

/// The whole file or pipe. Errors: kNotFound, kIo, kTooLarge when it holds more than `bytes_max`.
Result<std::string> read_file(const std::string& path, std::uint64_t bytes_max);

/// Replaces the file at `path` by `bytes`, all or nothing: written beside it, flushed to the disk,
/// then renamed. Errors: kIo with the path and the reason (a full disk, no right to write).
Status write_file_whole(const std::string& path, std::string_view bytes);

/// "`path`: `what`: the reason errno gives", as kNotFound when nothing is there, else kIo.
Status errno_status(std::string_view path, std::string_view what);

}  // namespace cairn

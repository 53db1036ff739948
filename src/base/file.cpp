#include "base/file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "base/file_descriptor.h"

namespace cairn {
namespace {

/// What is there in place of a regular file.
std::string kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISCHR(mode) || S_ISBLK(mode)) return "a device";
  return S_ISSOCK(mode) ? "a socket" : "no file";
}

Result<FileDescriptor> open_for_reading(const std::string& path, int flags = 0) {
  FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | flags));
  if (!file.valid()) return errno_status(path, "cannot open");
  return file;
}

Status write_and_flush(const FileDescriptor& file, const std::string& path,
                       std::string_view bytes) {
  CAIRN_TRY(write_all(file, path, bytes));
  // mkstemp makes the file private to its owner; what replaces a file should be as readable as one
  // that was made in the usual way.
  if (::fchmod(file.get(), 0644) != 0) return errno_status(path, "cannot set its mode");
  if (::fsync(file.get()) != 0) return errno_status(path, "cannot flush to the disk");
  return {};
}

}  // namespace

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

Status errno_status(std::string_view path, std::string_view what) {
  const int code = errno;
  std::string message(path);
  message.append(": ").append(what).append(": ");
  message += std::error_code(code, std::generic_category()).message();
  if (code == ENOENT || code == ENOTDIR) return not_found(std::move(message));
  return io_error(std::move(message));
}

Status write_all(const FileDescriptor& file, const std::string& path, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno_status(path, "cannot write");
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      modified_ns_(other.modified_ns_) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(modified_ns_, other.modified_ns_);
  return *this;
}

MappedFile::~MappedFile() {
  // munmap takes the address that mmap gave, which is not const.
  if (data_ != nullptr) ::munmap(const_cast<std::byte*>(data_), size_);
}

Result<MappedFile> MappedFile::open(const std::string& path) {
  // Without O_NONBLOCK a pipe would be waited for until somebody writes to it.
  CAIRN_ASSIGN(const FileDescriptor file, open_for_reading(path, O_NONBLOCK));
  struct stat status = {};
  if (::fstat(file.get(), &status) != 0) return errno_status(path, "cannot look at");
  if (!S_ISREG(status.st_mode)) {
    return invalid_file(path + ": found " + kind_of(status.st_mode) + ", expected a regular file");
  }
  MappedFile mapped;
  mapped.modified_ns_ =
      static_cast<std::int64_t>(status.st_mtim.tv_sec) * 1'000'000'000 + status.st_mtim.tv_nsec;
  if (status.st_size == 0) return mapped;  // mmap refuses a length of 0
  const auto size = static_cast<std::size_t>(status.st_size);
  void* data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (data == MAP_FAILED) return errno_status(path, "cannot map");
  mapped.data_ = static_cast<const std::byte*>(data);
  mapped.size_ = size;
  return mapped;
}

std::size_t MappedFile::release(std::size_t offset, std::size_t size) const {
  if (offset >= size_) return 0;
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t end = size < size_ - offset ? offset + size : size_;
  const std::size_t first = (offset + page - 1) / page * page;
  const std::size_t last = end == size_ ? end : end / page * page;
  if (first >= last) return 0;
  // Advice only: when the kernel declines, memory is used for longer and nothing else changes.
  void* const pages = const_cast<std::byte*>(data_) + first;
  return ::madvise(pages, last - first, MADV_DONTNEED) == 0 ? last - first : 0;
}

Status drop_cached(const std::string& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) return errno_status(path, "cannot open");
  const int code = ::posix_fadvise(file.get(), 0, 0, POSIX_FADV_DONTNEED);
  if (code == 0) return {};
  return io_error(path + ": cannot be dropped from memory: " +
                  std::error_code(code, std::generic_category()).message());
}

Result<std::string> read_file(const std::string& path, std::uint64_t bytes_max) {
  CAIRN_ASSIGN(const FileDescriptor file, open_for_reading(path));
  std::string text;
  constexpr std::size_t kPiece = 65536;
  while (true) {
    const std::size_t size = text.size();
    text.resize(size + kPiece);
    const ssize_t got = ::read(file.get(), text.data() + size, kPiece);
    text.resize(size + (got > 0 ? static_cast<std::size_t>(got) : 0));
    if (got < 0 && errno != EINTR) return errno_status(path, "cannot read");
    if (got == 0) return text;
    if (text.size() > bytes_max) {
      return too_large(path + ": holds more than the " + std::to_string(bytes_max) +
                       " bytes that are accepted here");
    }
  }
}

Status write_file_whole(const std::string& path, std::string_view bytes) {
  std::string temporary = path + ".XXXXXX";
  FileDescriptor file(::mkostemp(temporary.data(), O_CLOEXEC));
  if (!file.valid()) return errno_status(path, "cannot make a temporary file beside it");
  Status status = write_and_flush(file, path, bytes);
  if (status.ok() && std::rename(temporary.c_str(), path.c_str()) != 0) {
    status = errno_status(path, "cannot rename its temporary file");
  }
  if (!status.ok()) {
    ::unlink(temporary.c_str());
    return status;
  }
  return flush_folder(folder_of(path));
}

Status flush_folder(const std::string& folder) {
  const FileDescriptor file(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!file.valid()) return errno_status(folder, "cannot open the folder");
  // Some file systems cannot flush a folder and say EINVAL; the rename itself has happened.
  if (::fsync(file.get()) != 0 && errno != EINVAL) {
    return errno_status(folder, "cannot flush the folder to the disk");
  }
  return {};
}

}  // namespace cairn

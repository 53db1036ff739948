#include "base/staged_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "base/file.h"

namespace cairn {
StagedFile::StagedFile(std::string path, std::string temporary, FileDescriptor file)
    : path_(std::move(path)), temporary_(std::move(temporary)), file_(std::move(file)) {}

StagedFile::StagedFile(StagedFile&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, {})),
      file_(std::move(other.file_)) {}

StagedFile::~StagedFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

Result<StagedFile> StagedFile::open(const std::string& path) {
  if (path.empty() || path.back() == '/') {
    return invalid_argument("'" + path + "': found no file name, expected the path of a file");
  }
  struct stat status = {};
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    return invalid_argument(path + ": found " + (S_ISDIR(status.st_mode) ? "a folder" : "no file") +
                            ", expected a regular file or nothing");
  }
  std::string temporary = path + ".XXXXXX";
  FileDescriptor file(::mkostemp(temporary.data(), O_CLOEXEC));
  if (!file.valid()) return errno_status(path, "cannot make a temporary file beside it");
  return StagedFile(path, std::move(temporary), std::move(file));
}

Status StagedFile::append(std::span<const std::byte> bytes) {
  return write_all(file_, path_, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

Status StagedFile::commit(std::string_view bytes) {
  CAIRN_TRY(write_all(file_, path_, bytes));
  if (::fsync(file_.get()) != 0) return errno_status(path_, "cannot flush to the disk");
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) {
    return errno_status(path_, "cannot rename its temporary file");
  }
  temporary_.clear();
  return flush_folder(folder_of(path_));
}

}  // namespace cairn

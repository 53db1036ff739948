#include "cli/bench/lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <thread>

#include "base/ascii.h"
#include "base/file.h"
#include "evidence/bench/bench_record.h"

namespace cairn::cli {
namespace {

/// Another user's file in a folder like /tmp may be opened and not created, so that comes first.
Result<FileDescriptor> open_lock(const std::string& path) {
  constexpr mode_t kEveryone = 0666;
  int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (file < 0 && errno == ENOENT) {
    file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, kEveryone);
    if (file >= 0) (void)::fchmod(file, kEveryone);
  }
  if (file < 0) return errno_status(path, "cannot open the lock of benchmarks");
  return FileDescriptor(file);
}

/// The process that wrote itself into the lock; 0 when none did.
pid_t holder_of(const std::string& path) {
  const Result<std::string> text = read_file(path, 64);
  if (!text.ok()) return 0;
  const std::string_view digits = trimmed(*text);
  pid_t holder = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), holder);
  return read.ec == std::errc() && holder > 0 ? holder : 0;
}

Status write_holder(const FileDescriptor& file) {
  const std::string text = fmt::format("{}\n", ::getpid());
  if (::ftruncate(file.get(), 0) == 0 && ::pwrite(file.get(), text.data(), text.size(), 0) > 0) {
    return {};
  }
  return errno_status(bench_lock_path(), "cannot write the lock of benchmarks");
}

}  // namespace

std::string bench_lock_path() { return "/tmp/" + std::string(evidence::kBenchLock); }

Result<BenchLock> BenchLock::take(std::chrono::milliseconds wait,
                                  const std::function<bool()>& cancelled) {
  constexpr std::chrono::milliseconds kStep{50};
  const std::string path = bench_lock_path();
  CAIRN_ASSIGN(FileDescriptor file, open_lock(path));
  const auto end = std::chrono::steady_clock::now() + wait;
  while (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) return errno_status(path, "cannot be locked");
    if (cancelled()) return cairn::cancelled("stopped while waiting for another benchmark");
    if (std::chrono::steady_clock::now() >= end) {
      return unavailable(fmt::format(
          "another benchmark (process {}) holds {}: two would measure each other; wait for its end "
          "or give --lock-wait SECONDS",
          holder_of(path), path));
    }
    std::this_thread::sleep_for(kStep);
  }
  CAIRN_TRY(write_holder(file));
  return BenchLock(std::move(file));
}

Status BenchLock::held_by(pid_t holder) {
  const std::string path = bench_lock_path();
  CAIRN_ASSIGN(const FileDescriptor file, open_lock(path));
  const bool free = ::flock(file.get(), LOCK_EX | LOCK_NB) == 0;
  if (!free && holder_of(path) == holder) return {};
  return invalid_argument(
      fmt::format("--series {}: that process does not hold {}, so this would "
                  "be measured beside others",
                  holder, path));
}

}  // namespace cairn::cli

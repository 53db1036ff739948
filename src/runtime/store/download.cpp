#include "runtime/store/download.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <optional>
#include <string_view>

#include "base/file.h"
#include "base/file_descriptor.h"
#include "runtime/store/model_name.h"

namespace cairn::runtime {
namespace {

constexpr int kDropsMax = 1000;  // a bound for servers that give a byte at a time

std::optional<std::uint64_t> parse_number(std::string_view text) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

/// PATH.part, its hash so far, and where the next byte goes.
class Part final : public HttpSink {
 public:
  Part(const DownloadJob& job, const DownloadProgress& progress)
      : job_(job), path_(job.path + ".part"), progress_(progress), hash_(new_hash()) {}

  /// Opens what an earlier pull left, or a new file.
  Status open() {
    file_ = FileDescriptor(::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
    if (!file_.valid()) return errno_status(path_, "cannot open");
    if (::flock(file_.get(), LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK) return errno_status(path_, "cannot lock");
      return unavailable(path_ + ": another process is fetching this file");
    }
    CAIRN_TRY(hash_what_is_there());
    // More than the file can have is nothing to go on from.
    return bytes_ > job_.bytes ? restart() : Status();
  }

  /// Forgets everything.
  Status restart() {
    if (bytes_ > 0 && ::ftruncate(file_.get(), 0) != 0) return errno_status(path_, "cannot empty");
    if (::lseek(file_.get(), 0, SEEK_SET) < 0) return errno_status(path_, "cannot rewind");
    bytes_ = 0;
    hash_ = new_hash();
    return {};
  }

  Status head(const HttpHead& head) override {
    CAIRN_TRY(check_file(head));
    if (head.status == 200) {
      CAIRN_TRY(restart());
    } else {
      CAIRN_TRY(check_range(head.header("content-range")));
    }
    return check_length(head.header("content-length"));
  }

  Status body(std::string_view bytes) override {
    if (bytes.size() > job_.bytes - bytes_) {
      return lie(fmt::format("the server sent more than the {} bytes of its listing", job_.bytes));
    }
    CAIRN_TRY(write_all(file_, path_, bytes));
    hash_.update(bytes);
    bytes_ += bytes.size();
    fetched_ += bytes.size();
    progress_(bytes_);
    return {};
  }

  bool whole() const { return bytes_ == job_.bytes; }
  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t fetched() const { return fetched_; }
  const std::string& path() const { return path_; }

  /// Checks the hash and gives the file its name. Errors: kInvalidFile when the bytes are wrong,
  /// which removes them.
  Status finish() {
    const std::string found = hash_.hex();
    if (found != job_.hash.hex) {
      ::unlink(path_.c_str());
      return lie(
          fmt::format("found {} {}, expected {} as the hub lists it; the wrong bytes were "
                      "removed",
                      name_of(job_.hash.kind), found, job_.hash.hex));
    }
    if (::fsync(file_.get()) != 0) return errno_status(path_, "cannot flush to the disk");
    if (std::rename(path_.c_str(), job_.path.c_str()) != 0) {
      return errno_status(path_, "cannot rename");
    }
    return {};
  }

 private:
  ContentHash new_hash() const { return {job_.hash.kind, job_.bytes}; }

  Status lie(std::string_view what) const {
    return invalid_file(fmt::format("{}: {}", job_.name, what));
  }

  Status hash_what_is_there() {
    std::array<char, 65536> piece = {};
    while (true) {
      const ssize_t got = ::read(file_.get(), piece.data(), piece.size());
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return errno_status(path_, "cannot read");
      if (got == 0) return {};
      const auto size = static_cast<std::size_t>(got);
      hash_.update({piece.data(), size});
      bytes_ += size;
      if (bytes_ > job_.bytes) return {};
    }
  }

  /// The hub's own words about the file on the way to its bytes.
  Status check_file(const HttpHead& head) const {
    std::string_view etag = head.header("x-linked-etag");
    if (etag.size() > 2 && etag.front() == '"') etag = etag.substr(1, etag.size() - 2);
    const bool comparable = job_.hash.kind == HashKind::kSha256 && is_hex(etag, 64);
    if (comparable && etag != job_.hash.hex) {
      return lie(
          fmt::format("the hub offers SHA-256 {}, its listing says {}", etag, job_.hash.hex));
    }
    const auto size = parse_number(head.header("x-linked-size"));
    if (size.has_value() && *size != job_.bytes) {
      return lie(fmt::format("the hub offers {} bytes, its listing says {}", *size, job_.bytes));
    }
    const std::string_view encoding = head.header("content-encoding");
    if (!encoding.empty() && encoding != "identity") {
      return lie(
          fmt::format("the server sent it encoded as \"{}\", expected it as it is", encoding));
    }
    return {};
  }

  /// "bytes FROM-TO/TOTAL" or "bytes FROM-TO/*".
  Status check_range(std::string_view range) const {
    const std::size_t dash = range.find('-');
    const std::size_t slash = range.find('/');
    const bool formed = range.starts_with("bytes ") && dash != std::string_view::npos &&
                        slash != std::string_view::npos && dash < slash;
    if (!formed || parse_number(range.substr(6, dash - 6)) != bytes_) {
      return lie(fmt::format("the server answered with the range \"{}\", expected one from byte {}",
                             range, bytes_));
    }
    const std::string_view total = range.substr(slash + 1);
    if (total != "*" && parse_number(total) != job_.bytes) {
      return lie(
          fmt::format("the server says it has {} bytes, its listing says {}", total, job_.bytes));
    }
    return {};
  }

  Status check_length(std::string_view length) const {
    if (length.empty() || parse_number(length) == job_.bytes - bytes_) return {};
    return lie(fmt::format("the server announces {} bytes, expected {} by its listing", length,
                           job_.bytes - bytes_));
  }

  const DownloadJob& job_;
  std::string path_;
  const DownloadProgress& progress_;
  FileDescriptor file_;
  ContentHash hash_;
  std::uint64_t bytes_ = 0;
  std::uint64_t fetched_ = 0;
};

/// Tries until the part is whole.
Status fetch(HttpClient& client, const DownloadJob& job, Part& part) {
  int attempt = 0;
  for (int drops = 0; drops < kDropsMax; ++drops) {
    const std::uint64_t before = part.bytes();
    HttpResult result = client.get({.url = job.url, .range_from = before}, part);
    if (result.status.ok() && part.whole()) return {};
    if (result.status.ok() && result.head.status == 416) CAIRN_TRY(part.restart());
    if (result.status.ok()) {
      result.status = unavailable(fmt::format("{}: the connection ended after {} of {} bytes",
                                              job.name, part.bytes(), job.bytes));
    }
    if (result.status.code() != StatusCode::kUnavailable) return result.status;
    attempt = part.bytes() > before ? 1 : attempt + 1;
    CAIRN_TRY(client.wait_to_retry(attempt, result));
  }
  return unavailable(fmt::format("{}: the connection broke {} times", job.name, kDropsMax));
}

}  // namespace

Result<std::uint64_t> download(HttpClient& client, const DownloadJob& job,
                               const DownloadProgress& progress) {
  Part part(job, progress);
  CAIRN_TRY(part.open());
  const bool resumed = part.bytes() > 0;
  progress(part.bytes());
  if (!part.whole()) CAIRN_TRY(fetch(client, job, part));
  const Status status = part.finish();
  // What an earlier pull left may have been wrong; the hub gets the benefit of the doubt once.
  if (!status.ok() && status.code() == StatusCode::kInvalidFile && resumed) {
    return download(client, job, progress);
  }
  CAIRN_TRY(status);
  return part.fetched();
}

}  // namespace cairn::runtime

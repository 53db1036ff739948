#include "server/batch/batch_results.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/file.h"
#include "base/json.h"

namespace cairn::server {
namespace {

/// What every line begins with.
constexpr std::string_view kBegin = R"({"id":"batch_req_)";

/// The ids of a result's line.
Result<std::pair<std::string, std::string>> ids_of(std::string_view text) {
  const Result<Json> object = parse_json(text);
  const auto is_text = [&](const char* name) {
    return object->contains(name) && (*object)[name].is_string();
  };
  if (!object.ok() || !object->is_object() || !is_text("id") || !is_text("custom_id")) {
    return invalid_file("no result of a batch");
  }
  return std::pair((*object)["custom_id"].get<std::string>(), (*object)["id"].get<std::string>());
}

/// Whether `text` can be the beginning of a result that was being written.
bool begins_a_result(std::string_view text) {
  const std::size_t size = std::min(text.size(), kBegin.size());
  return text.substr(0, size) == kBegin.substr(0, size);
}

}  // namespace

Result<BatchResults> BatchResults::open(const std::string& path) {
  BatchResults results;
  results.path_ = path;
  results.file_ =
      FileDescriptor(::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (!results.file_.valid()) return errno_status(path, "cannot open for writing");
  if (::flock(results.file_.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return errno_status(path, "cannot lock");
    return unavailable(path + ": another process writes results to it");
  }
  CAIRN_TRY(results.read());
  return results;
}

Status BatchResults::read() {
  CAIRN_ASSIGN(const MappedFile mapped, MappedFile::open(path_));
  const std::string_view all(reinterpret_cast<const char*>(mapped.bytes().data()),
                             mapped.bytes().size());
  for (std::size_t number = 1; size_ < all.size(); ++number) {
    const std::size_t end = all.find('\n', size_);
    const std::string_view text = all.substr(size_, end - size_);
    const bool whole = end != std::string_view::npos;
    if (!whole && begins_a_result(text)) return cut(size_);
    Result<std::pair<std::string, std::string>> ids = ids_of(text);
    if (!whole || !ids.ok()) {
      return invalid_file(fmt::format(
          "{}: line {} is no result of a batch; name another file for the results", path_, number));
    }
    if (!done_.insert(std::move(*ids)).second) {
      return invalid_file(
          fmt::format("{}: line {} has a custom_id that stood before", path_, number));
    }
    size_ = end + 1;
  }
  return {};
}

Status BatchResults::cut(std::size_t size) const {
  if (::ftruncate(file_.get(), static_cast<off_t>(size)) == 0) return {};
  return errno_status(path_, "cannot cut the unfinished last line");
}

Result<bool> BatchResults::has(const BatchLine& line) const {
  const auto found = done_.find(line.custom_id);
  if (found == done_.end()) return false;
  if (found->second == line.id) return true;
  return invalid_argument(fmt::format(
      "line {}: custom_id \"{}\" has the result of another request in {}; name another file for "
      "the results",
      line.number, line.custom_id, path_));
}

Status BatchResults::add(const BatchLine& line, const BatchAnswer& answer) {
  const std::string text = fmt::format(
      R"({{"id":"{0}","custom_id":{1},"response":{{"status_code":{2},"request_id":"{0}","body":{3}}},"error":null}})"
      "\n",
      line.id, line_of(Json(line.custom_id)), answer.status, answer.body);
  if (Status status = write_all(file_, path_, text); !status.ok()) {
    const Status whole = cut(size_);
    return whole.ok() ? status : whole;
  }
  size_ += text.size();
  done_.emplace(line.custom_id, line.id);
  return {};
}

Status BatchResults::flush() const {
  if (::fdatasync(file_.get()) == 0) return {};
  return errno_status(path_, "cannot flush to the disk");
}

}  // namespace cairn::server

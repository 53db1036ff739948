#include "server/files/file_store.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <system_error>
#include <utility>

#include "base/bytes_text.h"
#include "base/clock.h"
#include "base/file.h"

namespace cairn::server {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kRecordEnd = ".json";
constexpr std::uint64_t kRecordBytesMax = 1 << 20;

Json record_of(const StoredFile& file) {
  return {{"id", file.id},       {"name", file.name},         {"purpose", file.purpose},
          {"bytes", file.bytes}, {"created", file.created_s}, {"expires", file.expires_s}};
}

Result<StoredFile> file_of(const std::string& path) {
  CAIRN_ASSIGN(const std::string text, read_file(path, kRecordBytesMax));
  const Result<Json> record = parse_json(text);
  StoredFile file;
  const auto text_in = [&](const char* key, std::string& out) {
    const bool good = record->contains(key) && (*record)[key].is_string();
    if (good) out = (*record)[key].get<std::string>();
    return good;
  };
  const auto number_in = [&](const char* key, auto& out) {
    const bool good = record->contains(key) && (*record)[key].is_number_integer();
    if (good) (*record)[key].get_to(out);
    return good;
  };
  const bool good = record.ok() && record->is_object() && text_in("id", file.id) &&
                    text_in("name", file.name) && text_in("purpose", file.purpose) &&
                    number_in("bytes", file.bytes) && number_in("created", file.created_s) &&
                    number_in("expires", file.expires_s);
  if (!good || file.id + std::string(kRecordEnd) != fs::path(path).filename().string()) {
    return invalid_file(path + ": no record of a file, expected one that this program wrote");
  }
  return file;
}

Status remove_path(const std::string& path) {
  std::error_code error;
  fs::remove(path, error);
  return error ? io_error(fmt::format("{}: cannot be removed: {}", path, error.message()))
               : Status();
}

}  // namespace

std::string told(const Status& status) {
  const bool ours = status.code() == StatusCode::kIo || status.code() == StatusCode::kInvalidFile;
  return ours ? "the server's folder for files cannot be read or written" : status.message();
}

std::string drawn_name(std::string_view prefix) {
  std::random_device source;
  std::string name(prefix);
  for (int i = 0; i < 4; ++i) name += fmt::format("{:08x}", source());
  return name;
}

Json file_object(const StoredFile& file) {
  return {{"id", file.id},
          {"object", "file"},
          {"bytes", file.bytes},
          {"created_at", file.created_s},
          {"expires_at", file.expires_s == 0 ? Json() : Json(file.expires_s)},
          {"filename", file.name},
          {"purpose", file.purpose},
          {"status", "processed"}};
}

FileStore::FileStore(std::string folder, Limits limits)
    : folder_(std::move(folder)), limits_(std::move(limits)) {
  if (!limits_.clock_s) limits_.clock_s = &utc_s;
}

std::string FileStore::content_path(const std::string& id) const { return folder_ + "/" + id; }

std::string FileStore::record_path(const std::string& id) const {
  return content_path(id) + std::string(kRecordEnd);
}

Result<std::unique_ptr<FileStore>> FileStore::open(const std::string& folder,
                                                   const Limits& limits) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return io_error(fmt::format("{}: cannot be made: {}", folder, error.message()));
  std::unique_ptr<FileStore> store(new FileStore(folder, limits));
  CAIRN_TRY(store->read());
  return store;
}

Status FileStore::read() {
  std::vector<std::string> contents;
  std::error_code error;
  for (fs::directory_iterator at(folder_, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (!name.ends_with(kRecordEnd)) {
      if (name.starts_with("file-")) contents.push_back(name);
      continue;
    }
    CAIRN_ASSIGN(StoredFile file, file_of(at->path().string()));
    bytes_ += file.bytes;
    files_[file.id] = std::move(file);
  }
  if (error) return io_error(fmt::format("{}: cannot be read: {}", folder_, error.message()));
  for (const std::string& name : contents) {
    if (!files_.contains(name)) CAIRN_TRY(remove_path(content_path(name)));
  }
  return {};
}

/// The record first: without it there is no file.
Status FileStore::erase(const std::string& id) {
  CAIRN_TRY(remove_path(record_path(id)));
  const auto found = files_.find(id);
  bytes_ -= found->second.bytes;
  files_.erase(found);
  return remove_path(content_path(id));
}

Status FileStore::expire() {
  const std::int64_t now_s = limits_.clock_s();
  std::vector<std::string> over;
  for (const auto& [id, file] : files_) {
    if (file.expires_s != 0 && file.expires_s <= now_s) over.push_back(id);
  }
  for (const std::string& id : over) CAIRN_TRY(erase(id));
  return {};
}

Result<StoredFile> FileStore::add(const std::string& name, const std::string& purpose,
                                  std::int64_t seconds, std::string_view content) {
  const std::scoped_lock lock(mutex_);
  CAIRN_TRY(expire());
  if (files_.size() >= limits_.files || bytes_ + content.size() > limits_.bytes) {
    return too_large(fmt::format("the store has {} files of {}, it holds {} of {}; delete some",
                                 files_.size(), bytes_text(bytes_), limits_.files,
                                 bytes_text(limits_.bytes)));
  }
  const std::int64_t now_s = limits_.clock_s();
  StoredFile file{.id = drawn_name("file-"),
                  .name = name,
                  .purpose = purpose,
                  .bytes = content.size(),
                  .created_s = now_s,
                  .expires_s = seconds == 0 ? 0 : now_s + seconds};
  CAIRN_TRY(write_file_whole(content_path(file.id), content));
  CAIRN_TRY(write_file_whole(record_path(file.id), line_of(record_of(file))));
  bytes_ += file.bytes;
  files_[file.id] = file;
  return file;
}

std::optional<StoredFile> FileStore::find(const std::string& id) {
  const std::scoped_lock lock(mutex_);
  const auto found = files_.find(id);
  if (found == files_.end()) return std::nullopt;
  const std::int64_t expires_s = found->second.expires_s;
  if (expires_s != 0 && expires_s <= limits_.clock_s()) return std::nullopt;
  return found->second;
}

std::vector<StoredFile> FileStore::list() {
  const std::scoped_lock lock(mutex_);
  const std::int64_t now_s = limits_.clock_s();
  std::vector<StoredFile> all;
  for (const auto& [id, file] : files_) {
    if (file.expires_s == 0 || file.expires_s > now_s) all.push_back(file);
  }
  std::ranges::stable_sort(all, {}, &StoredFile::created_s);
  return all;
}

Result<bool> FileStore::remove(const std::string& id) {
  const std::scoped_lock lock(mutex_);
  if (!files_.contains(id)) return false;
  CAIRN_TRY(erase(id));
  return true;
}

}  // namespace cairn::server

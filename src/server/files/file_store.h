// FileStore: files that clients gave and batches made, in a folder.
//
// Purpose     /v1/files, and where batches read and write.
// Invariants  a file is there whole or not at all, also after kill -9: its content is written
//             first, then the record that makes it known. No name of a client becomes a path.
// Threads     any, but not the I/O thread: it reads and writes the disk.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/status.h"

namespace cairn::server {

/// What is known of a file.
struct StoredFile {
  std::string id = {};  // "file-" and 32 digits
  std::string name = {};
  std::string purpose = {};
  std::uint64_t bytes = 0;
  std::int64_t created_s = 0;  // Unix time, as is the next
  std::int64_t expires_s = 0;  // 0: never
};

/// As OpenAI's clients read it.
Json file_object(const StoredFile& file);

class FileStore {
 public:
  struct Limits {
    std::size_t files = 10'000;
    std::uint64_t bytes = 4'000'000'000;  // of all files
    /// Unix time; absent: the system's.
    std::function<std::int64_t()> clock_s = {};
  };

  /// Makes the folder where it is missing and reads what is there; contents without a record are
  /// taken away. Errors: kIo; kInvalidFile naming a record that is none.
  static Result<std::unique_ptr<FileStore>> open(const std::string& folder, const Limits& limits);

  /// `seconds` until it is forgotten; 0: never. Errors: kTooLarge with the numbers; kIo.
  Result<StoredFile> add(const std::string& name, const std::string& purpose, std::int64_t seconds,
                         std::string_view content);
  /// Nothing for an id that is unknown, removed or past its time.
  std::optional<StoredFile> find(const std::string& id);
  /// Oldest first.
  std::vector<StoredFile> list();
  /// Whether it was there. Errors: kIo.
  Result<bool> remove(const std::string& id);
  /// Where the content of a file of that id lies.
  std::string content_path(const std::string& id) const;

 private:
  FileStore(std::string folder, Limits limits);
  Status read();
  Status erase(const std::string& id);
  Status expire();
  std::string record_path(const std::string& id) const;

  std::string folder_;
  Limits limits_;
  std::mutex mutex_;
  std::map<std::string, StoredFile> files_;
  std::uint64_t bytes_ = 0;
};

/// What a client may read of an error: nothing of where files lie on this machine.
std::string told(const Status& status);

/// `prefix` and 32 random digits.
std::string drawn_name(std::string_view prefix);

}  // namespace cairn::server

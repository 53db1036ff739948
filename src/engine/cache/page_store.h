// PageStore: pages of the prefix cache in a folder, where they outlive the process.
//
// Purpose     takes pages that memory has no place for any more, and gives them back, also to the
//             next process.
// Invariants  a page is given back only if its file says that it is this very page of this very
//             identity, and its hash is right; any other file is a warning and is passed over. A
//             file appears whole or not at all. All files together have at most bytes_max; those
//             unused for longest go first, whoever wrote them.
// Threads     any. Files are written by a thread of its own and read by whoever calls read(), which
//             is never the thread that runs steps.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/status.h"
#include "engine/cache/page_file.h"

namespace cairn::engine {

struct PageStoreOptions {
  std::string folder = {};
  std::string identity = {};  // what pages depend on beside ids, in words
  std::uint64_t bytes_max = 0;
  std::uint64_t queued_bytes_max = 64 << 20;  // that wait to be written
  /// Told why a file was not used or not written; by any thread.
  std::function<void(const std::string&)> on_warning = {};
};

/// Counts since the store was opened, and its state now.
struct PageStoreFigures {
  std::uint64_t written_pages = 0;
  std::uint64_t read_pages = 0;
  std::uint64_t refused_pages = 0;  // by the disk, or by their own bytes when they were read
  std::uint64_t passed_pages = 0;   // for which the queue had no room
  std::uint64_t removed_files = 0;  // for others
  std::size_t files = 0;
  std::uint64_t bytes = 0;
};

class PageStore {
 public:
  /// Looks what is in the folder, which is made where there is none. Errors: kIo with the path;
  /// kInvalidArgument where the folder's name is a file's.
  static Result<std::unique_ptr<PageStore>> open(PageStoreOptions options);
  /// Writes what waits.
  ~PageStore();
  PageStore(const PageStore&) = delete;
  PageStore& operator=(const PageStore&) = delete;

  /// Whether the page has a file, which need not be right.
  bool has(const PageKey& key) const;
  /// The contents of a page that has `bytes` of them; nothing where there is no file that is right.
  std::optional<std::vector<std::byte>> read(const PageKey& key, std::size_t bytes);

  /// Whether a page of `bytes` is not here and the queue has room for it.
  bool wants(const PageKey& key, std::size_t bytes);
  /// Has the page written, which wants() wanted; returns at once.
  void write(PageContents page);
  /// Returns once nothing waits to be written.
  void flush();

  std::uint64_t bytes_max() const { return options_.bytes_max; }
  PageStoreFigures figures() const;

 private:
  struct File {
    std::uint64_t bytes = 0;
    std::uint64_t used = 0;  // greater: later
    bool refused = false;    // it is there and takes its bytes, and is not what its name says
  };

  explicit PageStore(PageStoreOptions options);
  Status look();
  void write_queued(const std::stop_token& stop);
  void write_one(const PageContents& page);
  void make_room(std::uint64_t bytes);
  void remove(const std::string& name);
  void refuse(const std::string& name, const Status& status);
  std::string path(const std::string& name) const { return options_.folder + "/" + name; }
  void warn(const std::string& text) const;

  PageStoreOptions options_;
  Sha256Digest identity_ = {};
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::unordered_map<std::string, File> files_;  // by name
  std::uint64_t bytes_ = 0;                      // of all files
  std::uint64_t clock_ = 0;
  std::deque<PageContents> queue_;  // the first one is being written
  std::unordered_set<std::string> queued_;
  std::uint64_t queued_bytes_ = 0;
  PageStoreFigures figures_;
  std::jthread writer_;  // last: ends before the rest goes
};

}  // namespace cairn::engine

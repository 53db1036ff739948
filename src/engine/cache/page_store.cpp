#include "engine/cache/page_store.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/file.h"
#include "base/staged_file.h"

namespace cairn::engine {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPageEnding = ".page";
// A temporary file that nobody wrote to for so long was left by a process that ended while writing.
constexpr std::chrono::hours kLeftOver{1};

bool is_page(const std::string& name) { return name.ends_with(kPageEnding); }

/// As StagedFile names what it has not renamed yet: ".page.", then six letters.
bool is_unfinished_page(const std::string& name) {
  constexpr std::size_t kLetters = 7;
  return name.size() > kLetters &&
         std::string_view(name).substr(0, name.size() - kLetters).ends_with(kPageEnding) &&
         name[name.size() - kLetters] == '.';
}

struct Seen {
  fs::file_time_type time = {};
  std::string name = {};
  std::uint64_t bytes = 0;
};

/// Pages of the folder, the one that was used longest ago first. What was left half written goes.
Result<std::vector<Seen>> pages_in(const std::string& folder) {
  std::vector<Seen> pages;
  std::error_code error;
  const fs::file_time_type old = fs::file_time_type::clock::now() - kLeftOver;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    std::error_code unread;  // another process may remove it meanwhile
    const std::string name = at->path().filename().string();
    const auto time = at->last_write_time(unread);
    if (unread || !at->is_regular_file(unread)) continue;
    if (is_unfinished_page(name) && time < old) fs::remove(at->path(), unread);
    const std::uint64_t bytes = is_page(name) ? at->file_size(unread) : 0;
    if (!unread && is_page(name)) pages.push_back({.time = time, .name = name, .bytes = bytes});
  }
  if (error) return io_error(fmt::format("{}: {}", folder, error.message()));
  std::ranges::sort(pages, [](const Seen& a, const Seen& b) {
    return std::pair(a.time, a.name) < std::pair(b.time, b.name);
  });
  return pages;
}

}  // namespace

PageStore::PageStore(PageStoreOptions options)
    : options_(std::move(options)), identity_(sha256(options_.identity)) {}

Result<std::unique_ptr<PageStore>> PageStore::open(PageStoreOptions options) {
  std::unique_ptr<PageStore> store(new PageStore(std::move(options)));
  CAIRN_TRY(store->look());
  store->writer_ =
      std::jthread([self = store.get()](const std::stop_token& stop) { self->write_queued(stop); });
  return store;
}

PageStore::~PageStore() { flush(); }

Status PageStore::look() {
  std::error_code error;
  fs::create_directories(options_.folder, error);
  if (error) return io_error(fmt::format("{}: {}", options_.folder, error.message()));
  CAIRN_ASSIGN(const std::vector<Seen> pages, pages_in(options_.folder));
  for (const Seen& page : pages) {
    files_[page.name] = {.bytes = page.bytes, .used = ++clock_};
    bytes_ += page.bytes;
  }
  make_room(0);
  return {};
}

bool PageStore::has(const PageKey& key) const {
  const std::string name = page_file_name(identity_, key);
  const std::lock_guard lock(mutex_);
  const auto found = files_.find(name);
  return found != files_.end() && !found->second.refused;
}

std::optional<std::vector<std::byte>> PageStore::read(const PageKey& key, std::size_t bytes) {
  const std::string name = page_file_name(identity_, key);
  {
    const std::lock_guard lock(mutex_);
    const auto found = files_.find(name);
    if (found == files_.end() || found->second.refused) return std::nullopt;
    found->second.used = ++clock_;
  }
  const Result<std::string> text = read_file(path(name), page_file_bytes(bytes));
  const auto contents = text.ok()
                            ? parse_page(std::as_bytes(std::span(*text)), identity_, key, bytes)
                            : Result<std::span<const std::byte>>(text.status());
  const std::lock_guard lock(mutex_);
  if (!contents.ok()) {
    refuse(name, text.ok() ? contents.status().in(path(name)) : text.status());
    return std::nullopt;
  }
  ++figures_.read_pages;
  std::error_code ignored;  // the order of use is kept in memory too
  fs::last_write_time(path(name), fs::file_time_type::clock::now(), ignored);
  return std::vector<std::byte>(contents->begin(), contents->end());
}

bool PageStore::wants(const PageKey& key, std::size_t bytes) {
  const std::string name = page_file_name(identity_, key);
  const std::lock_guard lock(mutex_);
  const auto found = files_.find(name);
  if (found != files_.end() && !found->second.refused) {
    found->second.used = ++clock_;
    return false;
  }
  if (queued_.contains(name) || page_file_bytes(bytes) > options_.bytes_max) return false;
  if (queued_bytes_ + bytes <= options_.queued_bytes_max) return true;
  ++figures_.passed_pages;
  return false;
}

void PageStore::write(PageContents page) {
  std::string name = page_file_name(identity_, page.key);
  const std::lock_guard lock(mutex_);
  if (!queued_.insert(std::move(name)).second) return;
  queued_bytes_ += page.bytes.size();
  queue_.push_back(std::move(page));
  changed_.notify_all();
}

void PageStore::flush() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return queue_.empty(); });
}

void PageStore::write_queued(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [&] { return !queue_.empty(); })) {
    PageContents page = std::move(queue_.front());  // its place stays: flush() waits for it
    lock.unlock();
    write_one(page);
    lock.lock();
    queue_.pop_front();
    queued_.erase(page_file_name(identity_, page.key));
    queued_bytes_ -= page.bytes.size();
    changed_.notify_all();
  }
}

void PageStore::write_one(const PageContents& page) {
  const std::string name = page_file_name(identity_, page.key);
  const std::vector<std::byte> bytes = print_page(identity_, page);
  {
    const std::lock_guard lock(mutex_);
    make_room(bytes.size());
  }
  const Status status =
      write_file_whole(path(name), {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  const std::lock_guard lock(mutex_);
  if (!status.ok()) {
    // A full disk is told once, not for every page.
    if (figures_.refused_pages++ == 0) {
      warn(fmt::format("a page of the cache is not kept: {}", status.message()));
    }
    return;
  }
  ++figures_.written_pages;
  remove(name);  // one that was refused before
  files_[name] = {.bytes = bytes.size(), .used = ++clock_};
  bytes_ += bytes.size();
}

/// Removes files until `bytes` more fit. The mutex is held.
void PageStore::make_room(std::uint64_t bytes) {
  while (!files_.empty() && bytes_ + bytes > options_.bytes_max) {
    const auto oldest =
        std::ranges::min_element(files_, {}, [](const auto& file) { return file.second.used; });
    const std::string name = oldest->first;
    std::error_code ignored;  // it may be gone already
    fs::remove(path(name), ignored);
    remove(name);
    ++figures_.removed_files;
  }
}

/// Passes over a file from now on. The mutex is held.
void PageStore::refuse(const std::string& name, const Status& status) {
  // Another process of the same folder may have removed it.
  if (status.code() == StatusCode::kNotFound) return remove(name);
  if (const auto found = files_.find(name); found != files_.end()) found->second.refused = true;
  ++figures_.refused_pages;
  warn(fmt::format("a page of the cache is not used: {}", status.message()));
}

/// The mutex is held.
void PageStore::remove(const std::string& name) {
  const auto found = files_.find(name);
  if (found == files_.end()) return;
  bytes_ -= found->second.bytes;
  files_.erase(found);
}

void PageStore::warn(const std::string& text) const {
  if (options_.on_warning) options_.on_warning(text);
}

PageStoreFigures PageStore::figures() const {
  const std::lock_guard lock(mutex_);
  PageStoreFigures figures = figures_;
  figures.files = files_.size();
  figures.bytes = bytes_;
  return figures;
}

}  // namespace cairn::engine

#include "base/host/procfs.h"

#ifndef _WIN32

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <memory>
#include <span>
#include <system_error>
#include <vector>

#include "base/file_descriptor.h"
#include "base/host/ticks.h"

namespace cairn::host {
namespace {

constexpr std::int64_t kTickNs = 10'000'000;  // 100 ticks per second
constexpr std::size_t kTextBytesMax = 1U << 20U;

template <typename Number>
std::optional<Number> whole_number(std::string_view text) {
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

std::string_view next_word(std::string_view& text) {
  constexpr std::string_view kBlanks = " \t\n";
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(kBlanks));
  text.remove_prefix(word.size());
  return word;
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::string_view word = next_word(text); !word.empty(); word = next_word(text)) {
    words.push_back(word);
  }
  return words;
}

std::optional<std::int64_t> ticks_ns(std::int64_t ticks) { return scale_counter(ticks, kTickNs); }

/// "`key` `number` kB" of a meminfo text, in bytes.
std::optional<std::int64_t> meminfo_bytes(std::string_view text, std::string_view key) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const std::vector<std::string_view> words = words_of(line);
    if (words.size() < 2 || words[0] != key) continue;
    const std::optional<std::int64_t> kib = whole_number<std::int64_t>(words[1]);
    return kib ? scale_counter(*kib, 1024) : std::nullopt;
  }
  return std::nullopt;
}

/// The fields behind the name, 1-based as the spec counts them.
class StatFields {
 public:
  explicit StatFields(std::string_view text) : words_(words_of(text)) {}
  bool enough() const { return words_.size() >= 22; }
  template <typename Number>
  std::optional<Number> number(std::size_t field) const {
    return whole_number<Number>(words_[field - 1]);
  }

 private:
  std::vector<std::string_view> words_;
};

void set_cpu(ProcessEntry& entry, std::int64_t user_ticks, std::int64_t system_ticks) {
  const std::optional<std::int64_t> ticks = add_counters(user_ticks, system_ticks);
  const std::optional<std::int64_t> ns = ticks ? ticks_ns(*ticks) : std::nullopt;
  entry.cpu_available = ns.has_value();
  entry.cpu_ns = ns.value_or(0);
}

void set_rss(ProcessEntry& entry, std::int64_t pages, std::int64_t page_bytes) {
  const std::optional<std::int64_t> bytes =
      scale_counter(std::max<std::int64_t>(pages, 0), page_bytes);
  entry.rss_available = bytes.has_value();
  entry.rss_bytes = bytes.value_or(0);
}

/// A file below the open folder; nothing when it cannot be read whole.
std::optional<std::string> read_below(int folder, const std::string& path) {
  const FileDescriptor file(::openat(folder, path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.valid()) return std::nullopt;
  std::string text;
  std::array<char, 4096> piece = {};
  for (;;) {
    const ssize_t got = ::read(file.get(), piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 || text.size() > kTextBytesMax) return std::nullopt;
    if (got == 0) return text;
    text.append(piece.data(), static_cast<std::size_t>(got));
  }
}

void add_process(Snapshot& snapshot, int folder, std::string_view name, std::int64_t page_bytes) {
  std::optional<ProcessEntry> entry;
  const std::optional<std::int64_t> pid = whole_number<std::int64_t>(name);
  if (pid) {
    const std::optional<std::string> text = read_below(folder, std::string(name) + "/stat");
    if (text) entry = parse_process_stat(*text, page_bytes);
  }
  if (!entry) {  // it may just have ended
    ++snapshot.unreadable;
    snapshot.incomplete = true;
    return;
  }
  entry->pid = *pid;
  snapshot.processes.push_back(std::move(*entry));
}

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

void list_processes(Snapshot& snapshot, DIR* folder) {
  const std::int64_t page_bytes = ::sysconf(_SC_PAGESIZE);
  for (;;) {
    errno = 0;
    const dirent* entry = ::readdir(folder);  // NOLINT(concurrency-mt-unsafe): one stream, one user
    if (entry == nullptr) break;
    const std::string_view name = entry->d_name;
    if (name.find_first_not_of("0123456789") == std::string_view::npos) {
      add_process(snapshot, ::dirfd(folder), name, page_bytes);
    }
  }
  snapshot.enumerated = errno == 0;
  if (errno != 0) {
    snapshot.note =
        "list of processes: " + std::error_code(errno, std::generic_category()).message();
    snapshot.processes.clear();
  }
}

}  // namespace

CpuTotals parse_kernel_stat(std::string_view text) {
  constexpr std::size_t kCounters = 8;
  const std::vector<std::string_view> words = words_of(text.substr(0, text.find('\n')));
  if (words.size() < 5 || words[0] != "cpu") return {};
  std::int64_t total = 0;
  std::int64_t idle = 0;
  for (std::size_t i = 1; i < words.size() && i <= kCounters; ++i) {
    const std::optional<std::int64_t> ticks = whole_number<std::int64_t>(words[i]);
    const std::optional<std::int64_t> sum = ticks ? add_counters(total, *ticks) : std::nullopt;
    if (!sum) return {};
    total = *sum;
    if (i == 4 || i == 5) idle += *ticks;  // at most the total, so it fits
  }
  const std::optional<std::int64_t> total_ns = ticks_ns(total);
  if (!total_ns) return {};
  return {.available = true, .total_ns = *total_ns, .busy_ns = *total_ns - idle * kTickNs};
}

MemoryTotals parse_meminfo(std::string_view text) {
  const std::int64_t total = meminfo_bytes(text, "MemTotal:").value_or(0);
  const std::int64_t available = meminfo_bytes(text, "MemAvailable:").value_or(0);
  if (total <= 0 || available <= 0) return {};
  return {.available = true, .total_bytes = total, .available_bytes = available};
}

std::optional<ProcessEntry> parse_process_stat(std::string_view text, std::int64_t page_bytes) {
  const std::size_t open = text.find('(');
  const std::size_t close = text.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) {
    return std::nullopt;
  }
  const StatFields fields(text.substr(close + 1));
  if (!fields.enough()) return std::nullopt;
  const auto parent = fields.number<std::int64_t>(2);
  const auto user = fields.number<std::int64_t>(12);
  const auto system = fields.number<std::int64_t>(13);
  const auto start = fields.number<std::uint64_t>(20);
  const auto pages = fields.number<std::int64_t>(22);
  if (!parent || !user || !system || !start || !pages) return std::nullopt;
  ProcessEntry entry;
  entry.parent_pid = *parent;
  entry.start_identity = *start;
  entry.image = text.substr(open + 1, close - open - 1);
  set_cpu(entry, *user, *system);
  set_rss(entry, *pages, page_bytes);
  return entry;
}

Snapshot read_procfs(const std::string& root) {
  Snapshot snapshot;
  const std::unique_ptr<DIR, CloseFolder> folder(::opendir(root.c_str()));
  if (!folder) {
    snapshot.note =
        "list of processes: " + std::error_code(errno, std::generic_category()).message();
    return snapshot;
  }
  const int descriptor = ::dirfd(folder.get());
  snapshot.cpu = parse_kernel_stat(read_below(descriptor, "stat").value_or(""));
  snapshot.memory = parse_meminfo(read_below(descriptor, "meminfo").value_or(""));
  list_processes(snapshot, folder.get());
  return snapshot;
}

}  // namespace cairn::host

#endif

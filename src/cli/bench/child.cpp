#include "cli/bench/child.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "base/clock.h"
#include "base/file.h"
#include "base/host/counters.h"
#include "base/host/host.h"
#include "base/process.h"
#include "cli/environment.h"

namespace cairn::cli {
namespace {

constexpr std::int64_t kLookNs = 5'000'000;

/// Adds up what the child and those below it hold now.
void look(std::int64_t root, std::int64_t available_before, ChildPeaks& peaks) {
  const host::Snapshot snapshot = host::take_snapshot();
  std::vector<std::int64_t> tree = {root};
  host::ProcessMemory sum;
  for (std::size_t i = 0; i < tree.size(); ++i) {
    if (const auto memory = host::read_process_memory(tree[i])) {
      sum.rss_bytes += memory->rss_bytes;
      sum.pss_bytes += memory->pss_bytes;
    }
    for (const host::ProcessEntry& entry : snapshot.processes) {
      if (entry.parent_pid == tree[i]) tree.push_back(entry.pid);
    }
  }
  peaks.rss_bytes = std::max(peaks.rss_bytes, sum.rss_bytes);
  peaks.pss_bytes = std::max(peaks.pss_bytes, sum.pss_bytes);
  peaks.available_drop_bytes =
      std::max(peaks.available_drop_bytes, available_before - snapshot.memory.available_bytes);
}

Result<ChildRun> run_watched_child(const std::vector<std::string>& command, ChildPeaks* peaks) {
  SignalBlock signals;
  const std::int64_t available = host::read_counters().memory.available_bytes;
  const std::int64_t begin_ns = steady_ns();
  CAIRN_ASSIGN(ChildProcess child, ChildProcess::start(command, process_environment()));
  bool stopped = false;
  for (;;) {
    CAIRN_ASSIGN(const std::optional<ChildEnd> end, child.poll());
    if (end) {
      const double wall_ms = static_cast<double>(steady_ns() - begin_ns) * 1e-6;
      if (stopped) return cancelled("stopped");
      return ChildRun{.code = end->code(), .wall_ms = wall_ms};
    }
    if (peaks != nullptr) look(child.pid(), available, *peaks);
    const std::optional<int> signal = signals.wait_until(steady_ns() + kLookNs);
    if (!signal || *signal == SIGCHLD) continue;
    stopped = true;
    child.signal_group(*signal);
  }
}

}  // namespace

Result<ChildRun> run_child(const std::vector<std::string>& command) {
  return run_watched_child(command, nullptr);
}

Result<ChildRun> run_child(const std::vector<std::string>& command, ChildPeaks& peaks) {
  return run_watched_child(command, &peaks);
}

Result<ChildFolder> ChildFolder::make() {
  std::error_code error;
  const std::filesystem::path base = std::filesystem::temp_directory_path(error);
  std::string name = (base / "cairn-bench-XXXXXX").string();
  if (error || ::mkdtemp(name.data()) == nullptr) {
    return errno_status(name, "cannot make a folder for the runs");
  }
  return ChildFolder(std::move(name));
}

ChildFolder::ChildFolder(ChildFolder&& other) noexcept : path_(std::move(other.path_)) {
  other.path_.clear();
}

ChildFolder::~ChildFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

std::string ChildFolder::file(std::string_view name) const {
  return path_ + "/" + std::string(name);
}

}  // namespace cairn::cli

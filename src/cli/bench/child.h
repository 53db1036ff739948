// Children of a benchmark: started, watched and reaped.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/status.h"

namespace cairn::cli {

/// What one child came to.
struct ChildRun {
  int code = 0;        // as a shell says it
  double wall_ms = 0;  // from its start to its end
};

/// The most that a child and its children held.
struct ChildPeaks {
  std::int64_t rss_bytes = 0;
  std::int64_t pss_bytes = 0;
  std::int64_t available_drop_bytes = 0;  // of the host's available memory
};

/// Runs `command` to its end; Ctrl-C and SIGTERM end its group too. Its outputs go to standard
/// error. Errors: that it cannot start; kCancelled.
Result<ChildRun> run_child(const std::vector<std::string>& command);

/// The same, looking every few milliseconds at what it holds.
Result<ChildRun> run_child(const std::vector<std::string>& command, ChildPeaks& peaks);

/// A folder of its own for what children write, removed at the end.
class ChildFolder {
 public:
  static Result<ChildFolder> make();
  ChildFolder(ChildFolder&& other) noexcept;
  ChildFolder& operator=(ChildFolder&&) = delete;
  ChildFolder(const ChildFolder&) = delete;
  ChildFolder& operator=(const ChildFolder&) = delete;
  ~ChildFolder();

  std::string file(std::string_view name) const;

 private:
  explicit ChildFolder(std::string path) : path_(std::move(path)) {}

  std::string path_;
};

}  // namespace cairn::cli

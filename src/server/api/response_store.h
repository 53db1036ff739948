// ResponseStore: responses that clients may ask for again or go on from, in memory.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace cairn::server {

/// One response, as JSON texts.
struct StoredResponse {
  std::string response = {};  // as it was answered
  std::string items = {};     // an array: what it was asked
  std::string messages = {};  // an array: the conversation with its answer, without instructions
};

/// Keeps the newest responses within bounds; what does not fit is forgotten, oldest first. Any
/// thread.
class ResponseStore {
 public:
  struct Limits {
    std::size_t count = 4096;
    std::uint64_t bytes = 16 << 20;
    std::int64_t seconds = 86'400;  // of one response
    /// Unix time; absent: the system's.
    std::function<std::int64_t()> clock_s = {};
  };

  explicit ResponseStore(Limits limits);

  /// Keeps it under a name that no other has.
  void keep(const std::string& id, StoredResponse response);
  /// Nothing for a name that is unknown or forgotten.
  std::optional<StoredResponse> find(const std::string& id);
  /// Whether there was one of that name.
  bool forget(const std::string& id);
  std::uint64_t bytes() const;

 private:
  struct Kept {
    StoredResponse response = {};
    std::uint64_t bytes = 0;
    std::int64_t ends_s = 0;
  };

  void make_room();
  void erase(const std::string& id);

  Limits limits_;
  mutable std::mutex mutex_;
  std::map<std::string, Kept> kept_;
  std::deque<std::string> order_;  // oldest first
  std::uint64_t bytes_ = 0;
};

}  // namespace cairn::server

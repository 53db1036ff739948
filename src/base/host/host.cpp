#include "base/host/host.h"

#include <chrono>

namespace cairn::host {
namespace {

template <typename Clock>
std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch())
      .count();
}

}  // namespace

Snapshot take_snapshot() {
  const std::int64_t utc_ns = now_ns<std::chrono::system_clock>();
  const std::int64_t begin_ns = now_ns<std::chrono::steady_clock>();
  Snapshot snapshot = read_host();
  snapshot.utc_ns = utc_ns;
  snapshot.monotonic_ns = begin_ns;
  snapshot.census_ns = now_ns<std::chrono::steady_clock>() - begin_ns;
  return snapshot;
}

}  // namespace cairn::host

#include "base/host/host.h"

#include "base/clock.h"

namespace cairn::host {

Snapshot take_snapshot() {
  const std::int64_t time_ns = utc_ns();
  const std::int64_t begin_ns = steady_ns();
  Snapshot snapshot = read_host();
  snapshot.utc_ns = time_ns;
  snapshot.monotonic_ns = begin_ns;
  snapshot.census_ns = steady_ns() - begin_ns;
  return snapshot;
}

}  // namespace cairn::host

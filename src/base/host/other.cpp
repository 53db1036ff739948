// Systems without a reader: time and a note, everything else unknown.
#if !defined(__linux__) && !defined(_WIN32)

#include "base/host/host.h"

namespace cairn::host {

Snapshot read_host() {
  Snapshot snapshot;
  snapshot.note = "this system has no reader of host totals and processes";
  return snapshot;
}

}  // namespace cairn::host

#endif

// The host's reader: one function, one file per system.
#pragma once

#include "base/host/snapshot.h"

namespace cairn::host {

/// Everything of a snapshot but its times and its cost. linux.cpp, windows.cpp and other.cpp each
/// define it for their system.
Snapshot read_host();

/// One snapshot, with the times of its begin and what it cost. Cost: one pass over all processes,
/// some 10 us each.
Snapshot take_snapshot();

}  // namespace cairn::host

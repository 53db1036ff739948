#ifdef __linux__

#include "base/host/host.h"
#include "base/host/procfs.h"

namespace cairn::host {

Snapshot read_host() { return read_procfs("/proc"); }

}  // namespace cairn::host

#endif

// Takes one snapshot of a Windows host: linking this shows that nothing of the reader is missing.
#include "base/host/host.h"

int main() { return cairn::host::take_snapshot().enumerated ? 0 : 1; }

// FakeDevice: a device whose memory cannot be touched from outside.
//
// Purpose     shows that models/ and engine/ never follow a device's address: between ops, uploads
//             and downloads its pages have no access rights, so that a stray read ends the program.
// Invariants  one worker; the portable tier's kernels run behind it, so results are those of the
//             CPU device to the bit.
// Threads     as Device says.
// Adding      nothing: its ops are generated from CAIRN_OPS.
#pragma once

#include <memory>

#include "base/status.h"
#include "kernels/device.h"

namespace cairn::testing {

/// A device named "fake" of the portable tier. Errors: as CpuDevice::create.
Result<std::unique_ptr<kernels::Device>> create_fake_device(
    kernels::Numerics numerics = kernels::Numerics::kExact);

}  // namespace cairn::testing

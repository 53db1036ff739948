// open_device: a device by the name a person gives.
#pragma once

#include <memory>
#include <string>

#include "base/status.h"
#include "kernels/cpu/cpu_device.h"
#include "kernels/settings.h"

namespace cairn::kernels {

struct DeviceOptions {
  std::string device = "auto";  // auto, cpu, vulkan, cuda
  CpuOptions cpu = {};
};

/// The device asked for; "auto" is the best one that is built and present.
/// Errors: kInvalidArgument for another name, kUnsupported for a device that is not in this build,
/// and those of CpuDevice::create.
Result<std::unique_ptr<Device>> open_device(const DeviceOptions& options);

/// The same from settings, whose words for tier and class are checked here.
Result<std::unique_ptr<Device>> open_device(const DeviceSettings& settings);

}  // namespace cairn::kernels

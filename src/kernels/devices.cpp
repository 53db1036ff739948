#include "kernels/devices.h"

#include <fmt/core.h>

namespace cairn::kernels {

Result<std::unique_ptr<Device>> open_device(const DeviceOptions& options) {
  const std::string& name = options.device;
  if (name == "auto" || name == "cpu") return CpuDevice::create(options.cpu);
  if (name == "vulkan" || name == "cuda") {
    return unsupported(fmt::format("device: {} is not in this build, which has cpu", name));
  }
  return invalid_argument(fmt::format("device: \"{}\" is none of auto, cpu, vulkan, cuda", name));
}

}  // namespace cairn::kernels

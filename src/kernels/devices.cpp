#include "kernels/devices.h"

#include <fmt/core.h>

#include <optional>

#include "kernels/tiers.h"

namespace cairn::kernels {
namespace {

Result<Numerics> parse_numerics(const std::string& word) {
  for (const Numerics each : {Numerics::kExact, Numerics::kFast, Numerics::kReference}) {
    if (word == numerics_name(each)) return each;
  }
  return invalid_argument(fmt::format("numerics: \"{}\" is none of exact, fast, reference", word));
}

Result<CacheType> parse_cache_type(const std::string& word) {
  for (const CacheType each : {CacheType::kBf16, CacheType::kInt8, CacheType::kF32}) {
    if (word == cache_type_name(each)) return each;
  }
  return invalid_argument(
      fmt::format("kv-cache-dtype: \"{}\" is none of auto, bf16, int8, f32", word));
}

}  // namespace

Result<std::unique_ptr<Device>> open_device(const DeviceOptions& options) {
  const std::string& name = options.device;
  if (name == "auto" || name == "cpu") return CpuDevice::create(options.cpu);
  if (name == "vulkan" || name == "cuda") {
    return unsupported(fmt::format("device: {} is not in this build, which has cpu", name));
  }
  return invalid_argument(fmt::format("device: \"{}\" is none of auto, cpu, vulkan, cuda", name));
}

Result<std::unique_ptr<Device>> open_device(const DeviceSettings& settings) {
  DeviceOptions options{.device = settings.device, .cpu = {}};
  CAIRN_ASSIGN(options.cpu.numerics, parse_numerics(settings.numerics));
  options.cpu.threads = settings.threads.value_or(0);
  options.cpu.node = settings.node;
  if (settings.isa != "auto") options.cpu.isa = settings.isa;
  if (settings.kv_cache_dtype != "auto") {
    CAIRN_ASSIGN(options.cpu.cache_type, parse_cache_type(settings.kv_cache_dtype));
  }
  options.cpu.tuning.prefetch_bytes = settings.prefetch;
  options.cpu.tuning.waiting = {.spin_us = settings.spin,
                                .back_off = settings.spin_back_off ? BackOff::kYes : BackOff::kNo};
  return open_device(options);
}

}  // namespace cairn::kernels

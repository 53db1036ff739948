#include "kernels/cpu/memory.h"

#include <fmt/core.h>

#include <cstdint>
#include <limits>

namespace cairn::kernels {

Result<HostMemory> HostMemory::create(std::size_t bytes) {
  if (bytes > std::numeric_limits<std::size_t>::max() - kMemoryAlignment) {
    return too_large(fmt::format("memory: {} bytes cannot be addressed", bytes));
  }
  HostMemory memory;
  // calloc leaves large blocks untouched, as the system gave them: zero.
  memory.owner_.reset(std::calloc(bytes + kMemoryAlignment, 1));
  if (memory.owner_ == nullptr) {
    return too_large(fmt::format("memory: the system has no {} bytes left", bytes));
  }
  const auto address = reinterpret_cast<std::uintptr_t>(memory.owner_.get());
  const std::size_t skip = (kMemoryAlignment - address % kMemoryAlignment) % kMemoryAlignment;
  memory.data_ = static_cast<std::byte*>(memory.owner_.get()) + skip;
  memory.size_ = bytes;
  return memory;
}

}  // namespace cairn::kernels

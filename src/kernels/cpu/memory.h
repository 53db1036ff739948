// HostMemory: zeroed memory at a page boundary, freed with the object. Pages that nobody has
// touched cost nothing.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>

#include "base/status.h"

namespace cairn::kernels {

inline constexpr std::size_t kMemoryAlignment = 4096;

class HostMemory {
 public:
  HostMemory() = default;

  /// Errors: kTooLarge with the bytes asked for. 0 bytes are fine.
  static Result<HostMemory> create(std::size_t bytes);

  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };
  std::unique_ptr<void, Free> owner_;
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace cairn::kernels

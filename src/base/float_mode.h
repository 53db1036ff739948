// The floating-point mode that cairn's numbers are defined in: subnormals kept, rounding to
// nearest, whatever a library or a compiler's start-up code has set before.
#pragma once

#include <cstdint>

namespace cairn {

/// Sets the mode for this thread and puts the former one back at the end.
class FloatMode {
 public:
  FloatMode();
  ~FloatMode();
  FloatMode(const FloatMode&) = delete;
  FloatMode& operator=(const FloatMode&) = delete;

 private:
  std::uint64_t former_ = 0;
};

}  // namespace cairn

// A number of bytes as a person reads it.
#pragma once

#include <cstdint>
#include <string>

namespace cairn {

/// "512 B", "1.50 kB", "96.6 MB": three significant digits in decimal units (1 kB is 1,000 bytes).
std::string bytes_text(std::uint64_t bytes);

}  // namespace cairn

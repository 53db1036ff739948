// Names from files as messages show them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cairn::formats {

/// `text` as one line of valid UTF-8: control characters and bytes that are no UTF-8 become \xNN, a
/// backslash \\; cut after about `bytes_max` bytes with "..." behind.
std::string printable(std::string_view text, std::size_t bytes_max = 100);

}  // namespace cairn::formats

#pragma once

#include <cstdint>

namespace cairn {

/// An id of a vocabulary; valid ids are 0 up to the vocabulary's size.
using TokenId = std::int32_t;

}  // namespace cairn

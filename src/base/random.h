// Random numbers as a pure function of three counters: no state, so a draw does not depend on what
// was drawn before it, on the batch or on the thread.
// Source: Salmon and others, "Parallel random numbers: as easy as 1, 2, 3", SC 2011: Philox4x32-10.
#pragma once

#include <array>
#include <cstdint>

namespace cairn {

/// Ten rounds of Philox on four 32-bit words under a key of two.
std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                        std::array<std::uint32_t, 2> key);

/// 64 random bits for (seed, choice index, position).
std::uint64_t random_bits(std::uint64_t seed, std::uint64_t choice, std::uint64_t position);

/// A random number in [0, 1), a multiple of 2^-53, for (seed, choice index, position).
double random_unit(std::uint64_t seed, std::uint64_t choice, std::uint64_t position);

}  // namespace cairn

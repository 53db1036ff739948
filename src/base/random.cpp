#include "base/random.h"

namespace cairn {
namespace {

std::uint32_t low(std::uint64_t value) { return static_cast<std::uint32_t>(value); }
std::uint32_t high(std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32); }

}  // namespace

std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                        std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53U} * counter[0];
    const std::uint64_t b = std::uint64_t{0xCD9E8D57U} * counter[2];
    counter = {high(b) ^ counter[1] ^ key[0], low(b), high(a) ^ counter[3] ^ key[1], low(a)};
    key[0] += 0x9E3779B9U;
    key[1] += 0xBB67AE85U;
  }
  return counter;
}

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t choice, std::uint64_t position) {
  const auto words = philox4x32({low(position), high(position), low(choice), high(choice)},
                                {low(seed), high(seed)});
  return std::uint64_t{words[1]} << 32 | words[0];
}

double random_unit(std::uint64_t seed, std::uint64_t choice, std::uint64_t position) {
  return static_cast<double>(random_bits(seed, choice, position) >> 11) * 0x1p-53;
}

}  // namespace cairn

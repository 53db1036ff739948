// What a serving benchmark sends (native-performance.md 18.8).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::evidence {

/// M-49: the clients of the closed-loop grid.
constexpr std::array<int, 6> kClosedLoopClients = {1, 2, 4, 8, 16, 32};

/// The kinds of prompts of the mixed load, with their shares in percent.
struct LoadClass {
  std::string_view name;
  int percent = 0;
};
constexpr std::array<LoadClass, 4> kMixedLoad = {
    {{"short question", 35}, {"code", 40}, {"prose", 15}, {"long review", 10}}};

/// One request: which prompt of which class.
struct LoadRequest {
  std::string_view load_class;
  std::size_t prompt = 0;
};

/// M-50: `requests` requests in the shares of kMixedLoad (rounded down, what is left goes to the
/// classes in their order), in an order and with prompts that depend on nothing but `seed` and
/// `prompts`, the number of prompts of each class (none of them 0).
std::vector<LoadRequest> mixed_load(std::uint64_t seed, std::size_t requests,
                                    const std::array<std::size_t, kMixedLoad.size()>& prompts);

/// When each request of an open loop is sent, in milliseconds from the beginning: independent
/// arrivals, `per_second` of them on average, a pure function of `seed`. The first one is at 0.
std::vector<double> open_loop_arrivals(std::uint64_t seed, std::size_t requests, double per_second);

/// M-51: how many of the lengths fall into each doubling range, by the range's first length:
/// 0, 1, 2, 4, 8, …
std::map<std::int64_t, std::size_t> length_histogram(std::span<const double> lengths);

}  // namespace cairn::evidence

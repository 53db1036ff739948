#include "evidence/bench/load.h"

#include <utility>

#include "base/math.h"
#include "base/random.h"

namespace cairn::evidence {
namespace {

/// A number below `end` for the place `index` of a list that is drawn for `purpose`.
std::size_t below(std::size_t end, std::uint64_t seed, std::uint64_t purpose, std::size_t index) {
  return static_cast<std::size_t>(random_bits(seed, purpose, index) % end);
}

constexpr std::uint64_t kOrder = 1;
constexpr std::uint64_t kPrompt = 2;
constexpr std::uint64_t kArrival = 3;

}  // namespace

std::vector<LoadRequest> mixed_load(std::uint64_t seed, std::size_t requests,
                                    const std::array<std::size_t, kMixedLoad.size()>& prompts) {
  std::vector<std::size_t> classes;
  for (std::size_t i = 0; i < kMixedLoad.size(); ++i) {
    const auto share = requests * static_cast<std::size_t>(kMixedLoad[i].percent) / 100;
    classes.insert(classes.end(), share, i);
  }
  for (std::size_t i = 0; classes.size() < requests; ++i) {
    classes.push_back(i % kMixedLoad.size());
  }
  for (std::size_t i = classes.size(); i > 1; --i)
    std::swap(classes[i - 1], classes[below(i, seed, kOrder, i)]);
  std::vector<LoadRequest> load;
  load.reserve(requests);
  for (std::size_t i = 0; i < requests; ++i) {
    const std::size_t one = classes[i];
    load.push_back(
        {.load_class = kMixedLoad[one].name, .prompt = below(prompts[one], seed, kPrompt, i)});
  }
  return load;
}

std::vector<double> open_loop_arrivals(std::uint64_t seed, std::size_t requests,
                                       double per_second) {
  constexpr double kMsInSecond = 1000;
  std::vector<double> arrivals;
  double at = 0;
  for (std::size_t i = 0; i < requests; ++i) {
    arrivals.push_back(at);
    // Gaps between independent arrivals are exponential; 1 - u is never 0.
    at -= math::log64(1 - random_unit(seed, kArrival, i)) / per_second * kMsInSecond;
  }
  return arrivals;
}

std::map<std::int64_t, std::size_t> length_histogram(std::span<const double> lengths) {
  std::map<std::int64_t, std::size_t> histogram;
  for (const double length : lengths) {
    std::int64_t first = length < 1 ? 0 : 1;
    while (first > 0 && first <= (std::int64_t{1} << 61U) &&
           static_cast<double>(first) * 2 <= length) {
      first *= 2;
    }
    ++histogram[first];
  }
  return histogram;
}

}  // namespace cairn::evidence

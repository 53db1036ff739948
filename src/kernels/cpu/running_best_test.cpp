#include "kernels/cpu/running_best.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "base/random.h"

namespace cairn::kernels {
namespace {

BestTwo plain(std::span<const float> logits) {
  BestTwo best{.first = logits[0], .second = -std::numeric_limits<float>::infinity()};
  for (std::size_t i = 1; i < logits.size(); ++i) {
    if (logits[i] > best.first) {
      best = {static_cast<TokenId>(i), logits[i], best.first};
    } else {
      best.second = std::max(best.second, logits[i]);
    }
  }
  return best;
}

BestTwo by_parts(std::span<const float> logits, std::size_t cut) {
  RunningBest parts[2];
  for (std::size_t i = 0; i < logits.size();) {
    const std::size_t border = i < cut ? cut : logits.size();
    const std::size_t count = std::min(kGroupRows, border - i);
    parts[i < cut ? 0 : 1].add(logits.subspan(i, count), i);
    i += count;
  }
  return merged(parts[0].finish(), parts[1].finish());
}

void expect_equal(const BestTwo& got, const BestTwo& wanted) {
  EXPECT_EQ(got.id, wanted.id);
  EXPECT_EQ(got.first, wanted.first);
  EXPECT_EQ(got.second, wanted.second);
  EXPECT_EQ(got.finite, wanted.finite);
}

// Few different values, so that ties are everywhere: the lowest id wins, and the second is as
// large.
TEST(RunningBestTest, IsTheTwoLargestWhereverTheRowIsCut) {
  for (const std::size_t size : {1U, 2U, 15U, 16U, 17U, 100U, 999U}) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      std::vector<float> logits(size);
      for (std::size_t i = 0; i < size; ++i) {
        logits[i] = static_cast<float>(random_bits(seed, 0, i) % (seed % 2 == 0 ? 5 : 1000)) - 7;
      }
      for (const std::size_t cut : {std::size_t{0}, size / 3, size}) {
        expect_equal(by_parts(logits, cut), plain(logits));
      }
    }
  }
}

TEST(RunningBestTest, TellsThatALogitIsNotFinite) {
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
        -std::numeric_limits<float>::infinity()}) {
    for (const std::size_t at : {0U, 20U, 36U}) {
      std::vector<float> logits(37, 1.0F);
      logits[at] = bad;
      EXPECT_EQ(by_parts(logits, 16).finite, 0U) << bad << " at " << at;
    }
  }
}

}  // namespace
}  // namespace cairn::kernels

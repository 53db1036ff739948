#include "engine/speculation/lookup.h"

#include <gtest/gtest.h>

namespace cairn::engine {
namespace {

using Ids = std::vector<TokenId>;

/// Costs of a machine where a step of one row takes 1 s and each further row `row_s`.
RowCosts costs_of(double row_s) {
  RowCosts costs(32);
  for (std::size_t rows = 1; rows <= 32; ++rows) {
    costs.measured(rows, 1 + row_s * static_cast<double>(rows - 1));
  }
  return costs;
}

Ids propose(Lookup& lookup, const Ids& ids, std::size_t tokens, double row_s = 0) {
  const auto draft = lookup.propose(ids, {.tokens = tokens}, costs_of(row_s));
  return {draft.begin(), draft.end()};
}

TEST(LookupTest, GuessesWhatFollowedTheLastIdsBefore) {
  Lookup lookup({.tokens_max = 4, .run_min = 2, .run_max = 4});
  EXPECT_EQ(propose(lookup, {1, 2, 3, 4, 5, 6, 7, 9, 2, 3}, 3), (Ids{4, 5, 6}));
  EXPECT_EQ(propose(lookup, {1, 2, 3, 4, 5, 6, 7, 9, 2, 3}, 9), (Ids{4, 5, 6, 7}))
      << "never more than tokens_max";
}

TEST(LookupTest, PrefersTheLongestRunAndThenTheNewest) {
  Lookup lookup({.tokens_max = 1, .run_min = 2, .run_max = 4});
  EXPECT_EQ(propose(lookup, {7, 2, 3, 50, 9, 2, 3, 60, 8, 7, 2, 3}, 1), Ids{50})
      << "7 2 3 is longer";
  EXPECT_EQ(propose(lookup, {1, 2, 3, 50, 1, 2, 3, 60, 1, 2, 3}, 1), Ids{60}) << "the newest";
}

TEST(LookupTest, GoesRoundWhereWhatFollowedIsTheEndItself) {
  Lookup lookup({.tokens_max = 8, .run_min = 2, .run_max = 4});
  EXPECT_EQ(propose(lookup, {1, 2, 3, 1, 2, 3}, 8), (Ids{1, 2, 3, 1, 2, 3, 1, 2}));
  EXPECT_EQ(propose(lookup, {5, 5, 5}, 4), (Ids{5, 5, 5, 5}));
}

TEST(LookupTest, GuessesNothingWithoutARunOfTheLeastLength) {
  Lookup lookup({.tokens_max = 8, .run_min = 3, .run_max = 4});
  EXPECT_EQ(propose(lookup, {1, 2, 9, 1, 2}, 8), Ids{});
  EXPECT_EQ(propose(lookup, {1, 2, 3, 9, 1, 2, 3}, 1), Ids{9});
  EXPECT_EQ(propose(lookup, {1}, 8), Ids{});
  EXPECT_EQ(propose(lookup, {}, 8), Ids{});
}

TEST(LookupTest, GuessesMoreWhereRowsAreCheapAndFewerWhereTheyAreDear) {
  const Ids ids = {1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4};
  Lookup lookup({.tokens_max = 8, .run_min = 2, .run_max = 4});
  EXPECT_EQ(propose(lookup, ids, 8, 0.1).size(), 4U)
      << "1 + .7 + .49 + ... over 1 + .1 k is greatest at 4";
  EXPECT_EQ(propose(lookup, ids, 8, 0.5).size(), 1U);
  EXPECT_EQ(propose(lookup, ids, 8, 1).size(), 0U) << "two rows cost twice as much";
}

TEST(LookupTest, StopsWhereItDoesNotPayAndTriesAgainEverMoreSeldom) {
  Lookup lookup({.tokens_max = 4, .run_min = 2, .run_max = 4});
  const Ids ids = {1, 2, 3, 4, 5, 1, 2, 3};
  std::size_t guessed = 0;
  for (std::size_t step = 0; step < 2000; ++step) {
    const Ids draft = propose(lookup, ids, 4, 0.2);
    if (draft.empty()) continue;
    guessed += draft.size();
    lookup.verified(draft.size(), 0);
  }
  EXPECT_GE(guessed, 6U) << "it goes on trying";
  EXPECT_LE(guessed, 20U) << "at a fifth of a step each that is 0.2 percent";
}

TEST(LookupTest, RecoversWhenGuessesBecomeRight) {
  Lookup lookup({.tokens_max = 4, .run_min = 2, .run_max = 4});
  const Ids ids = {1, 2, 3, 4, 5, 1, 2, 3};
  std::size_t last = 0;
  for (std::size_t step = 0; step < 400; ++step) {
    const Ids draft = propose(lookup, ids, 4, 0.2);
    last = draft.size();
    if (!draft.empty()) lookup.verified(draft.size(), step < 100 ? 0 : draft.size());
  }
  EXPECT_EQ(last, 4U);
}

TEST(LookupTest, AnOptionOutOfRangeIsNamed) {
  EXPECT_EQ(check(LookupOptions{.tokens_max = 17}).message(),
            "lookup tokens is 17, accepted is 0 to 16");
  EXPECT_EQ(check(LookupOptions{.tokens_max = 1, .run_max = 9}).message(),
            "the longest lookup run is 9, accepted is 1 to 8");
  EXPECT_EQ(check(LookupOptions{.tokens_max = 1, .run_min = 4, .run_max = 3}).message(),
            "the shortest lookup run is 4, accepted is 1 to 3");
  EXPECT_TRUE(check(LookupOptions{}).ok());
}

TEST(LookupTest, CountsDraftsTokensAndPlaces) {
  DraftFigures figures;
  figures.count(4, 2);
  figures.count(3, 0);
  figures.count(2, 2);
  EXPECT_EQ(figures.drafts, 3U);
  EXPECT_EQ(figures.drafted, 9U);
  EXPECT_EQ(figures.accepted, 4U);
  EXPECT_EQ(figures.accepted_at[0], 2U);
  EXPECT_EQ(figures.accepted_at[1], 2U);
  EXPECT_EQ(figures.accepted_at[2], 0U);
}

TEST(RowCostsTest, LiesOnTheLineBetweenWhatWasMeasured) {
  RowCosts costs(16);
  EXPECT_EQ(costs.ratio(1, 8), 1) << "nothing is known";
  costs.measured(1, 2);
  EXPECT_EQ(costs.ratio(1, 8), 1) << "none above: try it";
  costs.measured(9, 4);
  EXPECT_EQ(costs.ratio(1, 9), 2);
  EXPECT_EQ(costs.ratio(1, 5), 1.5);
  EXPECT_EQ(costs.ratio(1, 16), 2);
  EXPECT_EQ(costs.ratio(9, 1), 1) << "fewer rows are never held to be dearer";
}

TEST(RowCostsTest, OneStepThatWasHeldUpCountsForLittle) {
  RowCosts costs(16);
  for (int i = 0; i < 20; ++i) costs.measured(1, 1);
  costs.measured(4, 1000);
  EXPECT_EQ(costs.ratio(1, 4), 2) << "the first measurement of 4 rows was an accident";
  for (int i = 0; i < 30; ++i) costs.measured(4, 1.2);
  EXPECT_NEAR(costs.ratio(1, 4), 1.2, 0.01);
  costs.measured(4, 1000);
  EXPECT_LT(costs.ratio(1, 4), 1.5);
}

}  // namespace
}  // namespace cairn::engine

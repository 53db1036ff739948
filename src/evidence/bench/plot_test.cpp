#include "evidence/bench/plot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evidence/bench/rounds.h"
#include "evidence/bench/sample.h"

namespace cairn::evidence {
namespace {

using testing::HasSubstr;
using testing::Not;

std::size_t count_of(const std::string& text, std::string_view word) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    ++count;
  }
  return count;
}

TEST(PlotTest, EveryWarmReadingIsAStepOfItsArm) {
  const std::string svg = distribution_svg(sample_record(), "decode_rate");
  EXPECT_TRUE(svg.starts_with("<svg "));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_EQ(count_of(svg, "<circle"), 2U * 2 * 3) << "two corners a reading, three, two arms";
  EXPECT_THAT(svg, HasSubstr("share of readings at or below"));
  EXPECT_THAT(svg, HasSubstr(">cairn</text>"));
  EXPECT_EQ(distribution_svg(sample_record(), "nothing"), "");
}

TEST(PlotTest, ACurveRunsOverTheNumberBehindThePrefix) {
  BenchRecord record = sample_record();
  set_units(record, {{.metric = "tpot.d512", .unit = "ms"}, {.metric = "tpot.d32", .unit = "ms"}});
  record.samples.clear();
  for (const auto& [metric, value] : {std::pair("tpot.d512", 20.0), {"tpot.d32", 10.0}}) {
    record.samples.push_back({.arm = "cairn",
                              .repetition = 1,
                              .metric = metric,
                              .values = {value},
                              .system_baseline_digest = {}});
  }
  const std::string svg = cost_svg(record, {.prefix = "tpot.d", .axis = "depth, tokens"});
  EXPECT_EQ(count_of(svg, "<circle"), 2U);
  // 32 of 537.6 of the 550 units between the margins, 10 of 21 of the 270 in height.
  EXPECT_THAT(svg, HasSubstr("d=\"M102.7,181.4 L593.8,52.9\""));
  EXPECT_THAT(svg, HasSubstr("depth, tokens"));
  EXPECT_EQ(count_of(plots_of(record, {{.prefix = "tpot.d", .axis = "depth"}}), "<g transform"), 3U)
      << "the curve and two distributions";
}

TEST(PlotTest, NamesAreText) {
  BenchRecord record = sample_record();
  record.subject.key = "<script>";
  EXPECT_THAT(distribution_svg(record, "decode_rate"), Not(HasSubstr("<script>")));
}

}  // namespace
}  // namespace cairn::evidence

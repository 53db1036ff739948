#include "base/trace.h"

#include <gtest/gtest.h>

namespace cairn {
namespace {

TEST(TraceTest, ASpanBecomesOneEventWithItsCounters) {
  TraceBuffer buffer(4);
  {
    TraceSpan outer(&buffer, "step");
    outer.count("tokens", 2);
    outer.count("bytes", 10);
    outer.count("tokens", 3);
    const TraceSpan inner(&buffer, "layer");
  }
  ASSERT_EQ(buffer.events().size(), 2U);
  EXPECT_EQ(buffer.events()[0].name, "layer");
  const TraceEvent& step = buffer.events()[1];
  EXPECT_EQ(step.name, "step");
  EXPECT_EQ(step.counters[0].name, "tokens");
  EXPECT_EQ(step.counters[0].value, 5);
  EXPECT_EQ(step.counters[1].value, 10);
  EXPECT_LE(step.begin_ns, buffer.events()[0].begin_ns);
  EXPECT_LE(buffer.events()[0].end_ns, step.end_ns);
}

TEST(TraceTest, EventsWithoutRoomAreCounted) {
  TraceBuffer buffer(1);
  for (int i = 0; i < 3; ++i) const TraceSpan span(&buffer, "step");
  EXPECT_EQ(buffer.events().size(), 1U);
  EXPECT_EQ(buffer.lost(), 2U);
  buffer.clear();
  EXPECT_EQ(buffer.lost(), 0U);
  EXPECT_TRUE(buffer.events().empty());
}

TEST(TraceTest, WithoutASinkASpanDoesNothing) {
  TraceSpan span(nullptr, "step");
  for (const char* name : {"a", "b", "c", "d", "e"}) span.count(name, 1);
}

}  // namespace
}  // namespace cairn

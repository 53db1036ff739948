#include "server/http/access_log.h"

#include <gtest/gtest.h>

#include "base/json.h"

namespace cairn::server {
namespace {

const AccessRecord kRecord = {.id = "r1",
                              .method = Method::kPost,
                              .path = "/v1/\nchat",
                              .status = 200,
                              .body_bytes = 10,
                              .sent_bytes = 20,
                              .duration_us = 1500,
                              .time_ms = 1'700'000'000'250};

TEST(AccessLogTest, ARequestIsOneLineOfJson) {
  const std::string line = access_line(kRecord);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const Json object = parse_json(line).value();
  EXPECT_EQ(object["id"], "r1");
  EXPECT_EQ(object["method"], "POST");
  EXPECT_EQ(object["status"], 200);
  EXPECT_EQ(object["duration_ms"], 1.5);
  EXPECT_EQ(object["time"], 1'700'000'000.25);
}

TEST(AccessLogTest, ASinkThatStandsStillHoldsNobodyUpAndLostLinesAreCounted) {
  std::mutex gate;
  std::string written;
  gate.lock();
  {
    AccessLog log([&](std::string_view line) {
      const std::scoped_lock lock(gate);
      written += line;
    });
    // Two rounds of waiting lines at most leave before the sink stands still; the rest is lost.
    for (std::size_t i = 0; i < 3 * AccessLog::kWaitingMax; ++i) log.add(kRecord);
    gate.unlock();
  }
  EXPECT_NE(written.find("\"lines_lost\":"), std::string::npos);
  EXPECT_EQ(written.back(), '\n');
}

}  // namespace
}  // namespace cairn::server

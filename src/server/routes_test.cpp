#include <gtest/gtest.h>

#include <set>
#include <string>

#include "base/file.h"
#include "server/api/api.h"
#include "server/wire/answers.h"

namespace cairn::server {
namespace {

TEST(RoutesTest, EveryRowIsWholeAndStandsOnce) {
  std::set<std::string> seen;
  for (const EndpointRow& row : endpoints()) {
    const std::string name = std::string(name_of(row.method)) + " " + std::string(row.path);
    EXPECT_TRUE(seen.insert(name).second) << name << " stands twice";
    EXPECT_TRUE(row.path.starts_with('/')) << name;
    EXPECT_NE(row.handler, nullptr) << name;
    EXPECT_TRUE(row.summary.ends_with('.')) << name;
    if (row.fields && row.method == Method::kPost) {
      const std::string own(path_of(*row.fields));  // a twin that counts takes the same
      EXPECT_TRUE(row.path == own || row.path == own + "/input_tokens") << name;
    }
  }
}

TEST(RoutesTest, EveryEndpointWithFieldsHasARow) {
  std::set<Endpoint> served;
  for (const EndpointRow& row : endpoints()) {
    if (row.fields) served.insert(*row.fields);
  }
  for (const EndpointInfo& row : field_endpoints()) {
    EXPECT_TRUE(served.contains(row.endpoint)) << row.path;
  }
}

TEST(RoutesTest, EveryAnswerThatIsDescribedIsThatOfAnEndpoint) {
  for (const AnswerRow& answer : answers()) {
    EXPECT_TRUE(std::ranges::any_of(endpoints(), [&](const EndpointRow& row) {
      return name_of(row.method) == answer.method && row.path == answer.path;
    })) << answer.path;
    EXPECT_TRUE(answer.schema.empty() || Json::accept(answer.schema)) << answer.path;
  }
}

TEST(RoutesTest, OnlyWhatRevealsNothingIsOpen) {  // A38
  const std::set<std::string_view> open = {"/health",       "/v1/health", "/ping",   "/version",
                                           "/openapi.json", "/",          "/page/{}"};
  for (const EndpointRow& row : endpoints()) {
    EXPECT_EQ(row.access == Access::kOpen, open.contains(row.path)) << row.path;
  }
}

TEST(RoutesTest, ThePageIsWhatTheTableSays) {
  const Result<std::string> committed =
      read_file(CAIRN_SOURCE_DIR "/docs/reference/endpoints.md", 1 << 20);
  ASSERT_TRUE(committed.ok());
  EXPECT_EQ(*committed, endpoints_page()) << "make_wire_page endpoints prints the page";
}

}  // namespace
}  // namespace cairn::server

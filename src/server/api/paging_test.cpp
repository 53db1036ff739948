#include "server/api/paging.h"

#include <gtest/gtest.h>

namespace cairn::server {
namespace {

Json five() {
  Json items = Json::array();
  for (const char* id : {"a", "b", "c", "d", "e"}) items.push_back({{"id", id}});
  return items;
}

/// The ids of the page that `query` asks for, and "+" where there are more.
std::string page(const std::string& query) {
  const Request request{.query = query};
  const Response response = page_response(five(), request, {.shown = 2, .most = 4});
  if (response.status != 200) return std::to_string(response.status);
  const Json body = parse_json(response.body).value();
  std::string text;
  for (const Json& item : body["data"]) text += item["id"];
  if (!text.empty()) {
    EXPECT_EQ(body["first_id"], text.substr(0, 1));
    EXPECT_EQ(body["last_id"], text.substr(text.size() - 1));
  }
  return body["has_more"] == true ? text + "+" : text;
}

TEST(PagingTest, PagesAddUpToTheListInEitherOrder) {
  EXPECT_EQ(page(""), "ed+");
  EXPECT_EQ(page("after=d"), "cb+");
  EXPECT_EQ(page("after=b"), "a");
  EXPECT_EQ(page("order=asc&limit=4"), "abcd+");
  EXPECT_EQ(page("order=asc&limit=4&after=d"), "e");
  EXPECT_EQ(page("after=unknown"), "");
}

TEST(PagingTest, AQueryThatIsNoneIsRefused) {
  for (const char* query : {"limit=0", "limit=5", "limit=x", "limit=", "order=up"}) {
    EXPECT_EQ(page(query), "400") << query;
  }
}

}  // namespace
}  // namespace cairn::server

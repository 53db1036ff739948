#include <gtest/gtest.h>

#include <regex>
#include <string>
#include <variant>

#include "server/api/api.h"
#include "server/page/assets.h"

namespace cairn::server {
namespace {

/// What GET `path` gives, with a header if it has a name.
Response fetch(std::string_view part, const Header& header = {}) {
  const Api api;
  Exchange exchange;
  if (!header.name.empty()) exchange.request.headers.push_back(header);
  if (part.empty()) return std::get<Response>(get_page(api, exchange));
  exchange.path_values = {std::string(part)};
  return std::get<Response>(get_page_part(api, exchange));
}

std::string header_of(const Response& response, std::string_view name) {
  for (const Header& header : response.headers) {
    if (header.name == name) return header.value;
  }
  return "";
}

TEST(PageTest, IsHtmlUnderAPolicyThatLoadsNothingFromElsewhere) {
  const Response page = fetch("");
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.content_type, "text/html; charset=utf-8");
  const std::string policy = header_of(page, "Content-Security-Policy");
  EXPECT_TRUE(policy.starts_with("default-src 'none'"));
  EXPECT_EQ(policy.find("unsafe"), std::string::npos);
  EXPECT_EQ(policy.find("http"), std::string::npos);
  EXPECT_EQ(header_of(page, "X-Content-Type-Options"), "nosniff");
}

TEST(PageTest, APartThatTheBrowserHasIsNotSentAgain) {
  const std::string tag = header_of(fetch(""), "ETag");
  ASSERT_FALSE(tag.empty());
  const Response again = fetch("", {.name = "If-None-Match", .value = "\"other\", " + tag});
  EXPECT_EQ(again.status, 304);
  EXPECT_TRUE(again.body.empty());
  EXPECT_EQ(fetch("", {.name = "If-None-Match", .value = "\"other\""}).status, 200);
}

TEST(PageTest, APartThatThereIsNotIs404) { EXPECT_EQ(fetch("../secret").status, 404); }

TEST(PageTest, EveryPartThatThePageNamesIsServed) {
  EXPECT_GE(assets().size(), 9U);
  const std::regex part(R"((?:src|href)=\"/page/([^\"]+)\"|from \"\./([^\"]+)\")");
  for (const Asset& asset : assets()) {
    const std::string text(asset.text);
    for (std::sregex_iterator at(text.begin(), text.end(), part), end; at != end; ++at) {
      const std::string name = (*at)[1].matched ? (*at)[1] : (*at)[2];
      EXPECT_EQ(fetch(name).status, 200) << asset.name << " names " << name;
    }
  }
}

TEST(PageTest, NothingInThePageNeedsWhatThePolicyForbids) {
  const std::regex forbidden(
      R"(<script(?![^>]*src=)|<style|\sstyle=|\son[a-z]+=\"|\beval\(|new Function|@import)");
  for (const Asset& asset : assets()) {
    const std::string text(asset.text);
    std::smatch found;
    EXPECT_FALSE(std::regex_search(text, found, forbidden)) << asset.name << ": " << found.str();
  }
}

}  // namespace
}  // namespace cairn::server

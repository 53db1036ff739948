#include "server/http/errors.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "base/json.h"
#include "server/http/cors.h"
#include "server/http/keys.h"
#include "server/http/reference.h"

namespace cairn::server {
namespace {

constexpr int kCauses = static_cast<int>(Cause::kVersion) + 1;

TEST(ErrorsTest, EveryCauseHasItsRowAndABodyForEachInterface) {
  for (int i = 0; i < kCauses; ++i) {
    const CauseInfo& row = info(static_cast<Cause>(i));
    EXPECT_EQ(row.cause, static_cast<Cause>(i));
    const WireError error{
        .cause = row.cause, .message = "m\xff", .param = "messages[0]", .code = ""};
    const Json openai = *parse_json(error_json(Flavour::kOpenAi, error));
    EXPECT_EQ(openai["error"]["param"], "messages[0]");
    EXPECT_EQ(openai["error"]["message"], "m\xEF\xBF\xBD");
    EXPECT_EQ(openai["error"]["type"], row.openai_type);
    const Json anthropic = *parse_json(error_json(Flavour::kAnthropic, error));
    EXPECT_EQ(anthropic["type"], "error");
    EXPECT_EQ(anthropic["error"]["type"], row.anthropic_type);
    const Json llama = *parse_json(error_json(Flavour::kLlama, error));
    EXPECT_EQ(llama["error"]["code"], row.status);
    EXPECT_FALSE(reason_of(row.status) == "Status") << row.status;
  }
}

TEST(ErrorsTest, AnErrorWithoutAFieldHasNulls) {
  EXPECT_EQ(error_json(Flavour::kOpenAi,
                       {.cause = Cause::kBadRequest, .message = "x", .param = "", .code = ""}),
            R"({"error":{"message":"x","type":"invalid_request_error","param":null,"code":null}})");
}

TEST(ErrorsTest, BusyAndDrainingSayWhenToComeBack) {
  for (const Cause cause : {Cause::kBusy, Cause::kLoading, Cause::kDraining}) {
    const Response response =
        error_response(Flavour::kOpenAi, {.cause = cause, .message = "", .param = "", .code = ""});
    ASSERT_EQ(response.headers.size(), 1U);
    EXPECT_EQ(response.headers[0].name, "Retry-After");
  }
}

TEST(ErrorsTest, TheReferencePageIsWhatTheDeclarationsSay) {
  const Result<std::string> committed =
      read_file(CAIRN_SOURCE_DIR "/docs/reference/http.md", 1 << 20);
  ASSERT_TRUE(committed.ok());
  EXPECT_EQ(*committed, http_page()) << "make_wire_page http prints the page";
}

TEST(KeysTest, AKeyOpensAndAnAdminKeyOpensMore) {
  const auto keys = ApiKeys::parse("# ours\n key-number-1 \r\n\nkey-number-2\n", "the-admin-key");
  ASSERT_TRUE(keys.ok()) << keys.status().message();
  EXPECT_EQ(keys->access_of("key-number-1"), Access::kKey);
  EXPECT_EQ(keys->access_of("key-number-2"), Access::kKey);
  EXPECT_EQ(keys->access_of("the-admin-key"), Access::kAdmin);
  for (const std::string_view wrong : {"", "key-number-", "key-number-11", "# ours"}) {
    EXPECT_EQ(keys->access_of(wrong), Access::kOpen) << wrong;
  }
  EXPECT_EQ(ApiKeys::parse("key-number-1", "")->access_of("key-number-1"), Access::kAdmin);
  EXPECT_FALSE(ApiKeys().required());
}

TEST(KeysTest, AFileWithoutAGoodKeyIsRefusedWithoutTellingTheKey) {
  EXPECT_FALSE(ApiKeys::parse("", "").ok());
  EXPECT_FALSE(ApiKeys::parse("# none\n", "the-admin-key").ok());
  const auto keys = ApiKeys::parse("key-number-1\nsecret", "");
  ASSERT_FALSE(keys.ok());
  EXPECT_NE(keys.status().message().find("line 2"), std::string::npos);
  EXPECT_EQ(keys.status().message().find("secret"), std::string::npos);
  EXPECT_FALSE(ApiKeys::parse("key number one", "").ok());
}

TEST(KeysTest, AKeyComesAsBearerOrAsXApiKey) {
  Request request;
  request.headers = {{.name = "authorization", .value = "bearer  abc "}};
  EXPECT_EQ(key_of(request), "abc");
  request.headers = {{.name = "X-Api-Key", .value = "abc"}};
  EXPECT_EQ(key_of(request), "abc");
  request.headers = {{.name = "Authorization", .value = "Basic abc"}};
  EXPECT_EQ(key_of(request), "");
}

Request from_page(std::string origin, std::string host) {
  Request request;
  request.headers = {{.name = "Origin", .value = std::move(origin)},
                     {.name = "Host", .value = std::move(host)}};
  return request;
}

TEST(CorsTest, WithoutKeysOnlyPagesOfThisMachineMayReadAnswers) {  // Z12
  const CorsPolicy policy = *CorsPolicy::parse("auto", KeysAsked::kNo);
  EXPECT_TRUE(policy.allows("http://localhost:3000", "127.0.0.1:8080"));
  EXPECT_TRUE(policy.allows("http://[::1]", "x"));
  EXPECT_TRUE(policy.allows("https://me.example:1", "me.example:1"));
  for (const std::string_view origin :
       {"https://other.example", "null", "http://localhost.evil.example",
        "http://127.0.0.1.evil.example", "http://127.evil.0.1", "localhost", ""}) {
    EXPECT_FALSE(policy.allows(origin, "127.0.0.1:8080")) << origin;
  }
}

TEST(CorsTest, NoAnswerEverAllowsCredentials) {  // Z12
  for (const std::string_view origins : {"auto", "*", "https://a.example", "none"}) {
    const CorsPolicy policy = *CorsPolicy::parse(origins, KeysAsked::kYes);
    for (const Header& header : policy.headers_for(from_page("https://a.example", "h"))) {
      EXPECT_NE(header.name, "Access-Control-Allow-Credentials");
    }
  }
}

TEST(CorsTest, AListAllowsWhatItNames) {
  const CorsPolicy policy =
      *CorsPolicy::parse("https://a.example, http://b.example:1", KeysAsked::kYes);
  EXPECT_TRUE(policy.allows("https://A.example", "h"));
  EXPECT_TRUE(policy.allows("http://b.example:1", "h"));
  EXPECT_FALSE(policy.allows("http://b.example", "h"));
  EXPECT_FALSE(policy.allows("http://localhost", "h"));
  EXPECT_FALSE(CorsPolicy::parse("a.example", KeysAsked::kYes).ok());
  EXPECT_FALSE(CorsPolicy::parse("https://a.example/x", KeysAsked::kYes).ok());
}

TEST(CorsTest, APreflightIsToldWhatItMayAskFor) {  // A37
  const CorsPolicy policy = *CorsPolicy::parse("auto", KeysAsked::kYes);
  Request request = from_page("https://a.example", "h");
  request.method = Method::kOptions;
  request.headers.push_back({.name = "Access-Control-Request-Method", .value = "POST"});
  request.headers.push_back({.name = "Access-Control-Request-Headers", .value = "authorization"});
  ASSERT_TRUE(is_preflight(request));
  std::string text;
  for (const Header& header : policy.headers_for(request)) {
    text += header.name + ": " + header.value + "\n";
  }
  EXPECT_NE(text.find("Access-Control-Allow-Origin: *\n"), std::string::npos) << text;
  EXPECT_NE(text.find("Access-Control-Allow-Headers: authorization\n"), std::string::npos);
}

}  // namespace
}  // namespace cairn::server

// Longer than most files: it walks the whole table of fields.
#include "server/wire/parse.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "base/file.h"
#include "server/wire/document.h"

namespace cairn::server {
namespace {

std::vector<Endpoint> all_endpoints() {
  std::vector<Endpoint> all;
  for (const EndpointInfo& row : field_endpoints()) all.push_back(row.endpoint);
  return all;
}

const std::vector<Endpoint> kEndpoints = all_endpoints();

/// A body with what is required and, behind it, one more field.
std::string body_with(Endpoint endpoint, std::string_view field, const Json& value) {
  const Json good = {{"messages", Json::array({{{"role", "user"}, {"content", "hi"}}})},
                     {"prompt", "hi"},
                     {"input", "hi"},
                     {"input_file_id", "file-1"},
                     {"endpoint", "/v1/completions"},
                     {"tokens", {1}},
                     {"model", "m"},
                     {"max_tokens", 8}};
  Json body = Json::object();
  for (const std::string_view name : info(endpoint).required) {
    if (!name.empty()) body[std::string(name)] = good[std::string(name)];
  }
  body[std::string(field)] = value;
  return body.dump();
}

ParsedRequest parse(Endpoint endpoint, std::string_view field, const Json& value,
                    Strictness strictness = Strictness::kLenient) {
  return parse_request(endpoint, body_with(endpoint, field, value), strictness);
}

/// Values that some shape accepts and others do not.
const std::vector<Json>& samples() {
  static const std::vector<Json> kSamples = {true,
                                             0,
                                             1,
                                             0.5,
                                             -3,
                                             1e300,
                                             "",
                                             "text",
                                             Json::array(),
                                             Json::array({"a"}),
                                             Json::array({7}),
                                             Json::object(),
                                             Json{{"type", "text"}},
                                             "auto",
                                             Json::array({Json::object()})};
  return kSamples;
}

TEST(WireTableTest, EveryRowIsWholeAndEveryNameStandsOncePerEndpoint) {
  for (const Endpoint endpoint : kEndpoints) {
    std::set<std::string_view> seen;
    for (const Field& field : fields()) {
      if (!serves(field, endpoint)) continue;
      EXPECT_TRUE(seen.insert(field.name).second) << field.name << " stands twice";
      EXPECT_EQ(field.read != nullptr, field.behaviour == Behaviour::kHonoured) << field.name;
      EXPECT_TRUE(field.sentence.ends_with('.')) << field.name;
      EXPECT_TRUE(field.neutral.empty() ||
                  !Json::parse(field.neutral, nullptr, false).is_discarded())
          << field.name;
      EXPECT_EQ(find_field(endpoint, field.name), &field);
    }
    EXPECT_FALSE(seen.empty());
  }
}

TEST(WireTableTest, NullIsTheSameAsLeavingAFieldOut) {  // A14
  for (const Endpoint endpoint : kEndpoints) {
    for (const Field& field : fields()) {
      if (!serves(field, endpoint)) continue;
      if (std::ranges::count(info(endpoint).required, field.name) > 0) continue;
      const ParsedRequest parsed = parse(endpoint, field.name, nullptr, Strictness::kStrict);
      EXPECT_FALSE(parsed.error.has_value()) << field.name;
      EXPECT_TRUE(parsed.ignored_fields.empty()) << field.name;
    }
  }
}

TEST(WireTableTest, ARefusedFieldIsRefusedByNameAndPassesAtItsNeutralValue) {
  for (const Endpoint endpoint : kEndpoints) {
    for (const Field& field : fields()) {
      if (!serves(field, endpoint) || field.behaviour != Behaviour::kRefused) continue;
      const ParsedRequest refused = parse(endpoint, field.name, "something");
      ASSERT_TRUE(refused.error.has_value()) << field.name;
      EXPECT_EQ(refused.error->param, field.name);
      EXPECT_EQ(refused.error->cause, Cause::kBadRequest);
      if (field.neutral.empty()) continue;
      EXPECT_FALSE(parse(endpoint, field.name, Json::parse(field.neutral)).error.has_value())
          << field.name;
    }
  }
}

TEST(WireTableTest, AnInertFieldIsListed) {
  for (const Endpoint endpoint : kEndpoints) {
    for (const Field& field : fields()) {
      if (!serves(field, endpoint) || field.behaviour != Behaviour::kInert) continue;
      const ParsedRequest parsed = parse(endpoint, field.name, "x", Strictness::kStrict);
      EXPECT_FALSE(parsed.error.has_value()) << field.name;
      EXPECT_EQ(parsed.ignored_fields, std::vector<std::string>{std::string(field.name)});
    }
  }
}

TEST(WireTableTest, AWrongTypeIsA400ThatNamesTheField) {
  const std::map<Shape, Json> wrong = {
      {Shape::kBoolean, 1},     {Shape::kInteger, 1.5},     {Shape::kNumber, "5"},
      {Shape::kText, 7},        {Shape::kTexts, "a"},       {Shape::kTextOrTexts, 7},
      {Shape::kIds, "1"},       {Shape::kPrompt, 7},        {Shape::kMessages, "hi"},
      {Shape::kLogitBias, "x"}, {Shape::kStreamOptions, 1}, {Shape::kResponseFormat, "json"},
      {Shape::kTools, "x"},     {Shape::kToolChoice, "x"},  {Shape::kObject, "x"},
      {Shape::kObjects, "x"},   {Shape::kTextOrBlocks, 7},  {Shape::kTextOrItems, 7},
      {Shape::kAny, 7}};
  for (const Endpoint endpoint : kEndpoints) {
    for (const Field& field : fields()) {
      if (!serves(field, endpoint) || field.behaviour != Behaviour::kHonoured) continue;
      const ParsedRequest parsed = parse(endpoint, field.name, wrong.at(field.shape));
      ASSERT_TRUE(parsed.error.has_value()) << field.name;
      EXPECT_TRUE(parsed.error->param.starts_with(field.name)) << parsed.error->param;
      EXPECT_NE(parsed.error->message.find("expected"), std::string::npos) << field.name;
    }
  }
}

TEST(WireTableTest, NumbersPassAtBothEndsOfTheirRangeAndNotBeyond) {
  for (const Endpoint endpoint : kEndpoints) {
    for (const Field& field : fields()) {
      const bool number = field.shape == Shape::kInteger || field.shape == Shape::kNumber;
      if (!serves(field, endpoint) || field.behaviour != Behaviour::kHonoured || !number) continue;
      const auto refused_as_range = [&](double value) {
        const Json json =
            field.shape == Shape::kInteger ? Json(static_cast<std::int64_t>(value)) : Json(value);
        const ParsedRequest parsed = parse(endpoint, field.name, json);
        return parsed.error.has_value() &&
               parsed.error->message.find("number") != std::string::npos &&
               parsed.error->message.find("echo") == std::string::npos;
      };
      if (std::isfinite(field.min)) {
        EXPECT_FALSE(refused_as_range(field.min)) << field.name;
        EXPECT_TRUE(refused_as_range(field.min - 1)) << field.name;
      }
      if (std::isfinite(field.max)) {
        EXPECT_FALSE(refused_as_range(field.max)) << field.name;
        EXPECT_TRUE(refused_as_range(field.max + 1)) << field.name;
      }
    }
  }
}

TEST(WireTableTest, NoValueOfAnyKindBreaksTheParser) {
  for (const Endpoint endpoint : kEndpoints) {
    for (const Field& field : fields()) {
      for (const Json& value : samples()) {
        const ParsedRequest parsed = parse(endpoint, field.name, value, Strictness::kStrict);
        EXPECT_FALSE(parsed.error.has_value() && parsed.error->message.empty());
      }
    }
  }
}

TEST(WireTableTest, ThePageAndTheOpenApiDocumentNameEveryField) {
  std::vector<PathRow> rows;
  for (const EndpointInfo& row : field_endpoints()) {
    rows.push_back({.method = "POST", .path = row.path, .summary = "", .fields = row.endpoint});
  }
  const Json document = openapi_document(rows);
  const std::string page = wire_page();
  for (const Endpoint endpoint : kEndpoints) {
    const Json& properties =
        document["paths"][std::string(path_of(endpoint))]["post"]["requestBody"]["content"]
                ["application/json"]["schema"]["properties"];
    for (const std::string& name : field_names(endpoint)) {
      EXPECT_TRUE(properties.contains(name)) << name;
      EXPECT_NE(page.find("| `" + name + "` |"), std::string::npos) << name;
    }
    EXPECT_EQ(properties.size(), field_names(endpoint).size());
  }
  const Result<std::string> committed =
      read_file(CAIRN_SOURCE_DIR "/docs/reference/wire.md", 1 << 20);
  ASSERT_TRUE(committed.ok());
  EXPECT_EQ(*committed, page) << "make_wire_page prints the page";
}

TEST(ParseTest, AnUnknownFieldIsListedOrRefusedWithTheNearestName) {
  const ParsedRequest lenient = parse(Endpoint::kChat, "temprature", 1);
  EXPECT_FALSE(lenient.error.has_value());
  EXPECT_EQ(lenient.ignored_fields, std::vector<std::string>{"temprature"});
  const ParsedRequest strict = parse(Endpoint::kChat, "temprature", 1, Strictness::kStrict);
  ASSERT_TRUE(strict.error.has_value());
  EXPECT_EQ(strict.error->param, "temprature");
  EXPECT_NE(strict.error->message.find("'temperature'"), std::string::npos);
}

TEST(ParseTest, ABodyThatIsNoObjectOrTooDeepOrSaysAThingTwiceIsRefused) {
  constexpr std::string_view kTwice =
      R"({"messages":[{"role":"user","content":"a","content":"b"}]})";
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  for (const std::string& body :
       {std::string("[]"), std::string("{"), std::string("7"), std::string(),
        std::string("{\"a\":\"\xff\"}"), deep, "{\"messages\":" + deep + "}", std::string(kTwice),
        std::string("{\"a\":1e999}")}) {
    EXPECT_TRUE(parse_request(Endpoint::kChat, body, Strictness::kLenient).error.has_value());
  }
}

struct Case {
  std::string value;
  std::string param;
};

void expect_params(Endpoint endpoint, std::string_view field, const std::vector<Case>& cases) {
  for (const Case& each : cases) {
    const ParsedRequest parsed = parse(endpoint, field, Json::parse(each.value));
    ASSERT_TRUE(parsed.error.has_value()) << each.value;
    EXPECT_EQ(parsed.error->param, each.param) << each.value << parsed.error->message;
  }
}

TEST(ParseTest, AWrongMessageIsNamedByItsPath) {  // A40
  expect_params(
      Endpoint::kChat, "messages",
      {{R"({"messages":[]})", "messages"},
       {"[]", "messages"},
       {R"([{"role":5,"content":""}])", "messages[0].role"},
       {R"([{"content":""}])", "messages[0].role"},
       {R"([{"role":"user","content":7}])", "messages[0].content"},
       {R"([{"role":"user"}])", "messages[0].content"},
       {R"([7])", "messages[0]"},
       {R"([{"role":"user","content":["x"]}])", "messages[0].content[0]"},
       {R"([{"role":"user","content":[{"type":"text","text":1}]}])", "messages[0].content[0].text"},
       {R"([{"role":"user","content":[{"type":"image_url","image_url":{}}]}])",
        "messages[0].content[0].type"},
       {R"([{"role":"user","content":[{"type":"input_audio"}]}])", "messages[0].content[0].type"},
       {R"([{"role":"assistant","content":null,"tool_calls":[{"function":{}}]}])",
        "messages[0].tool_calls[0].function.name"}});
  EXPECT_EQ(parse_request(Endpoint::kChat, "{}", Strictness::kLenient).error->param, "messages");
}

TEST(ParseTest, AMessageOfAnyGoodShapePasses) {
  const Json messages = Json::parse(R"([
      {"role":"system","content":""},
      {"role":"developer","content":[{"type":"text","text":"a"}]},
      {"role":"user","content":[],"name":"n"},
      {"role":"assistant","content":null,"reasoning":"r","tool_calls":
        [{"id":"1","type":"function","function":{"name":"f","arguments":"{}"}}]},
      {"role":"tool","content":"x","tool_call_id":"1"}])");
  const ParsedRequest parsed = parse(Endpoint::kChat, "messages", messages);
  ASSERT_FALSE(parsed.error.has_value()) << parsed.error->message;
  EXPECT_EQ(parsed.request.messages, messages);
}

TEST(ParseTest, APromptIsTextsOrIdsAndNothingElse) {  // Z13, Z14
  expect_params(Endpoint::kCompletions, "prompt",
                {{"[-1]", "prompt[0]"},
                 {"[2147483648]", "prompt[0]"},
                 {"[1.5]", "prompt[0]"},
                 {R"([[1,2],"a",null])", "prompt[1]"},
                 {R"(["a",7])", "prompt[1]"},
                 {"[1,\"a\"]", "prompt[1]"},
                 {"[[]]", "prompt[0]"},
                 {"[]", "prompt"},
                 {"{}", "prompt"},
                 {"[[1,-2]]", "prompt[0][1]"}});
  const ParsedRequest ids = parse(Endpoint::kCompletions, "prompt", Json::array({0, 2147483647}));
  EXPECT_EQ(std::get<1>(ids.request.prompts.at(0)), (std::vector<std::int64_t>{0, 2147483647}));
  EXPECT_FALSE(ids.request.prompt_is_list);
  const ParsedRequest texts = parse(Endpoint::kCompletions, "prompt", Json::array({"a", ""}));
  EXPECT_EQ(texts.request.prompts.size(), 2U);
  EXPECT_TRUE(texts.request.prompt_is_list);
}

TEST(ParseTest, CapsHoldAgainstRequestsThatWouldEatTheMachine) {  // Z05
  expect_params(Endpoint::kCompletions, "n", {{"1000000", "n"}, {"0", "n"}});
  expect_params(Endpoint::kCompletions, "best_of", {{"1000000", "best_of"}});
  Json many = Json::array();
  for (int i = 0; i < 100'000; ++i) many.push_back("x");
  EXPECT_EQ(parse(Endpoint::kCompletions, "prompt", many).error->param, "prompt");
  EXPECT_EQ(parse(Endpoint::kCompletions, "stop", many).error->param, "stop");
  EXPECT_EQ(
      parse_request(Endpoint::kCompletions, R"({"prompt":["a","b","c","d","e","f","g","h","i"],
                          "n":128})",
                    Strictness::kLenient)
          .error->param,
      "n");
}

TEST(ParseTest, ALimitThatIsNoPositiveWholeNumberIsRefused) {  // A17
  expect_params(Endpoint::kChat, "max_tokens",
                {{"0", "max_tokens"},
                 {"-1", "max_tokens"},
                 {"1.5", "max_tokens"},
                 {"\"5\"", "max_tokens"},
                 {"true", "max_tokens"}});
  EXPECT_EQ(parse(Endpoint::kCompletions, "max_tokens", 0).error->param, "max_tokens");
  const ParsedRequest scored = parse_request(
      Endpoint::kCompletions, R"({"prompt":"a","echo":true,"max_tokens":0})", Strictness::kStrict);
  EXPECT_FALSE(scored.error.has_value());
  EXPECT_EQ(parse(Endpoint::kChat, "max_tokens", 5.0).request.max_tokens, 5);
}

TEST(ParseTest, AnEmptyStopIsRefusedAndNoStopIsNone) {  // A13
  expect_params(Endpoint::kChat, "stop",
                {{R"([""])", "stop[0]"}, {R"("")", "stop"}, {R"(["a",""])", "stop[1]"}});
  EXPECT_TRUE(parse(Endpoint::kChat, "stop", Json::array()).request.stop.empty());
  EXPECT_EQ(parse(Endpoint::kChat, "stop", "end").request.stop, std::vector<std::string>{"end"});
}

TEST(ParseTest, LogprobsOfAChatAreABooleanAndACount) {  // A04
  EXPECT_EQ(parse(Endpoint::kChat, "logprobs", true).request.logprobs, 0);
  EXPECT_FALSE(parse(Endpoint::kChat, "logprobs", false).request.logprobs.has_value());
  EXPECT_EQ(parse(Endpoint::kChat, "top_logprobs", 2).error->param, "top_logprobs");
  EXPECT_EQ(parse(Endpoint::kChat, "logprobs", 2).error->param, "logprobs");
  EXPECT_EQ(parse(Endpoint::kCompletions, "logprobs", 2).request.logprobs, 2);
}

TEST(ParseTest, StreamOptionsNeedAStream) {
  EXPECT_EQ(parse(Endpoint::kChat, "stream_options", Json::object()).error->param,
            "stream_options");
  const ParsedRequest parsed =
      parse_request(Endpoint::kCompletions,
                    R"({"prompt":"a","stream":true,"stream_options":{"include_usage":true}})",
                    Strictness::kStrict);
  ASSERT_FALSE(parsed.error.has_value());
  EXPECT_EQ(parsed.request.include_usage, true);
}

TEST(ParseTest, BiasesComeByIdOrInPairs) {
  using Biases = std::vector<std::pair<std::int64_t, double>>;
  EXPECT_EQ(parse(Endpoint::kChat, "logit_bias", {{"42", -100}, {"7", 1.5}}).request.logit_bias,
            (Biases{{42, -100}, {7, 1.5}}));
  const ParsedRequest pairs =
      parse(Endpoint::kChat, "logit_bias", Json::parse("[[42,-1],[7,false]]"));
  EXPECT_EQ(pairs.request.logit_bias,
            (Biases{{42, -1}, {7, -std::numeric_limits<double>::infinity()}}));
  expect_params(Endpoint::kChat, "logit_bias",
                {{R"({"a":1})", "logit_bias[\"a\"]"},
                 {R"({"1":101})", "logit_bias[\"1\"]"},
                 {"[[1]]", "logit_bias[0]"},
                 {"[[1,true]]", "logit_bias[0]"},
                 {R"({"-1":1})", "logit_bias[\"-1\"]"}});
}

TEST(ParseTest, AChosenToolHasToBeThere) {
  const std::string head = R"({"messages":[{"role":"user","content":"x"}],"tools":[)"
                           R"({"type":"function","function":{"name":"f"}}],"tool_choice":)";
  const auto param = [&](const std::string& choice) {
    const ParsedRequest parsed =
        parse_request(Endpoint::kChat, head + choice + "}", Strictness::kStrict);
    return parsed.error.has_value() ? parsed.error->param : std::string();
  };
  EXPECT_EQ(param(R"("required")"), "");
  EXPECT_EQ(param(R"({"type":"function","function":{"name":"f"}})"), "");
  EXPECT_EQ(param(R"({"type":"function","function":{"name":"g"}})"), "tool_choice.function.name");
  expect_params(Endpoint::kChat, "tools",
                {{R"([{"type":"x"}])", "tools[0].type"},
                 {R"([{"type":"function","function":{"name":"a b"}}])", "tools[0].function.name"},
                 {R"([{"type":"function","function":{"name":"a","parameters":[]}}])",
                  "tools[0].function.parameters"}});
}

TEST(ParseTest, MaxCompletionTokensIsKeptApart) {  // A16
  const ParsedRequest parsed =
      parse_request(Endpoint::kChat,
                    R"({"messages":[{"role":"user","content":"x"}],"max_tokens":50,)"
                    R"("max_completion_tokens":5})",
                    Strictness::kStrict);
  EXPECT_EQ(parsed.request.max_completion_tokens, 5);
  EXPECT_EQ(parsed.request.max_tokens, 50);
}

TEST(ParseTest, OneThingUnderTwoNamesIsRefused) {
  const ParsedRequest parsed =
      parse_request(Endpoint::kCompletions, R"({"prompt": "hi", "max_tokens": 3, "n_predict": 4})",
                    Strictness::kLenient);
  ASSERT_TRUE(parsed.error.has_value());
  EXPECT_EQ(parsed.error->param, "n_predict");
  EXPECT_NE(parsed.error->message.find("the same as max_tokens"), std::string::npos);
  EXPECT_FALSE(parse_request(Endpoint::kCompletions,
                             R"({"prompt": "hi", "max_tokens": 3, "n_predict": null})",
                             Strictness::kLenient)
                   .error.has_value());
}

}  // namespace
}  // namespace cairn::server

// /v1/responses with a real model behind it; calls and reasoning are in tools_test.cpp.
#include "tests/server/api_fixture.h"

namespace cairn::server {
namespace {

constexpr char kResponses[] = "/v1/responses";

Json question(const std::string& text, int tokens) {
  return {{"model", "smol"}, {"input", text}, {"max_output_tokens", tokens}, {"temperature", 0}};
}

std::string text_of(const Json& response) { return response["output"][0]["content"][0]["text"]; }

/// The data of every event.
std::vector<Json> response_events(const std::string& stream) {
  std::vector<Json> all;
  std::string name;
  for (std::size_t at = 0; at < stream.size();) {
    const std::size_t end = stream.find('\n', at);
    const std::string line = stream.substr(at, end - at);
    at = end + 1;
    if (line.starts_with("event: ")) name = line.substr(7);
    if (!line.starts_with("data: ")) continue;
    all.push_back(parse_json(line.substr(6)).value());
    EXPECT_EQ(all.back()["type"], name);
    EXPECT_EQ(all.back()["sequence_number"], all.size() - 1);
  }
  return all;
}

TEST_F(ApiTest, AResponseSaysWhatTheChatSays) {
  const Json reply = ask(kResponses, question("Why is the sky blue?", 12));
  EXPECT_EQ(text_of(reply),
            ask(kChat, chat("Why is the sky blue?", 12))["choices"][0]["message"]["content"]);
  EXPECT_EQ(reply["object"], "response");
  EXPECT_EQ(reply["status"], "incomplete");
  EXPECT_EQ(reply["incomplete_details"]["reason"], "max_output_tokens");
  EXPECT_EQ(reply["usage"]["output_tokens"], 12);
  EXPECT_EQ(reply["output"][0]["type"], "message");
  Json instructed = question("Why is the sky blue?", 12);
  instructed["instructions"] = "Answer in French.";
  Json same = chat("Why is the sky blue?", 12);
  same["messages"].insert(same["messages"].begin(),
                          Json{{"role", "system"}, {"content", "Answer in French."}});
  EXPECT_EQ(text_of(ask(kResponses, instructed)),
            ask(kChat, same)["choices"][0]["message"]["content"]);
}

TEST_F(ApiTest, TheEventsOfAResponseAddUpToIt) {
  Json body = question("Count to five.", 12);
  const std::string whole = text_of(ask(kResponses, body));
  body["stream"] = true;
  const Received received = post(kResponses, body);
  EXPECT_THAT(received.body, testing::Not(HasSubstr("[DONE]")));
  const std::vector<Json> all = response_events(received.body);
  ASSERT_GT(all.size(), 8U);
  std::string joined;
  std::vector<std::string> names;
  for (const Json& event : all) {
    names.push_back(event["type"]);
    if (names.back() == "response.output_text.delta") joined += event["delta"];
  }
  EXPECT_EQ(joined, whole);
  std::erase(names, "response.output_text.delta");
  EXPECT_EQ(names,
            (std::vector<std::string>{"response.created", "response.in_progress",
                                      "response.output_item.added", "response.content_part.added",
                                      "response.output_text.done", "response.content_part.done",
                                      "response.output_item.done", "response.incomplete"}));
  EXPECT_EQ(text_of(all.back()["response"]), whole);
  EXPECT_EQ(all.back()["response"]["id"], all.front()["response"]["id"]);
}

TEST_F(ApiTest, AStoredResponseIsGivenAgainListedAndForgotten) {
  const Json reply = ask(kResponses, question("Hello", 4));
  const std::string path = std::string(kResponses) + "/" + reply["id"].get<std::string>();
  EXPECT_EQ(ask_get(path), reply);
  const Json items = ask_get(path + "/input_items");
  EXPECT_EQ(items["data"][0]["content"][0]["text"], "Hello");
  EXPECT_EQ(items["has_more"], false);
  const Received cancelled = post(path + "/cancel", Json::object());
  EXPECT_EQ(cancelled.status, 400);
  EXPECT_THAT(cancelled.body, HasSubstr("background"));
  EXPECT_EQ(Client(address()).ask("GET", path + "?stream=true").status, 400);
  EXPECT_EQ(Client(address()).ask("DELETE", path).status, 200);
  EXPECT_EQ(Client(address()).ask("GET", path).status, 404);
  EXPECT_EQ(Client(address()).ask("DELETE", path).status, 404);
  EXPECT_EQ(post(path + "/cancel", Json::object()).status, 404);
}

TEST_F(ApiTest, AResponseThatIsNotToBeStoredIsNot) {
  Json body = question("Hello", 4);
  body["store"] = false;
  const Json reply = ask(kResponses, body);
  EXPECT_EQ(reply["store"], false);
  const std::string path = std::string(kResponses) + "/" + reply["id"].get<std::string>();
  EXPECT_EQ(Client(address()).ask("GET", path).status, 404);
}

TEST_F(ApiTest, AResponseGoesOnFromAnEarlierOne) {
  const Json first = ask(kResponses, question("My name is Ada.", 12));
  Json next = question("What is my name?", 12);
  next["previous_response_id"] = first["id"];
  Json same = chat("My name is Ada.", 12);
  same["messages"].push_back({{"role", "assistant"}, {"content", text_of(first)}});
  same["messages"].push_back({{"role", "user"}, {"content", "What is my name?"}});
  const Json second = ask(kResponses, next);
  EXPECT_EQ(text_of(second), ask(kChat, same)["choices"][0]["message"]["content"]);
  EXPECT_EQ(second["previous_response_id"], first["id"]);
  next["previous_response_id"] = "resp_unknown";
  const Received unknown = post(kResponses, next);
  EXPECT_EQ(unknown.status, 404);
  EXPECT_EQ(parse_json(unknown.body).value()["error"]["param"], "previous_response_id");
}

TEST_F(ApiTest, ItemsAreTheMessagesTheyStandFor) {
  Json body = question("", 8);
  body["input"] = Json::parse(R"([
      {"role": "developer", "content": "Be short."},
      {"role": "user", "content": [{"type": "input_text", "text": "Hi"}]},
      {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Yes?"}]},
      {"role": "user", "content": "Why?"}])");
  Json same = chat("", 8);
  same["messages"] = Json::parse(R"([
      {"role": "system", "content": "Be short."}, {"role": "user", "content": "Hi"},
      {"role": "assistant", "content": "Yes?"}, {"role": "user", "content": "Why?"}])");
  EXPECT_EQ(text_of(ask(kResponses, body)), ask(kChat, same)["choices"][0]["message"]["content"]);
}

TEST_F(ApiTest, AFieldOfAResponseIsRefusedByItsOwnName) {
  const auto param = [](const std::string& field, const Json& value) {
    Json body = question("Hi", 2);
    body[field] = value;
    return parse_json(post(kResponses, body).body).value()["error"]["param"];
  };
  EXPECT_EQ(param("background", true), "background");
  EXPECT_EQ(param("truncation", "auto"), "truncation");
  EXPECT_EQ(param("input", std::string(5000, 'x')), "input");
  EXPECT_EQ(param("input", Json::array({{{"type", "item_reference"}}})), "input[0].type");
  EXPECT_EQ(param("tools", Json::array({{{"type", "web_search"}}})), "tools[0].type");
  EXPECT_EQ(param("tools", Json::array({{{"type", "function"}, {"name", ""}}})), "tools[0].name");
  EXPECT_EQ(param("text", {{"format", {{"type", "xml"}}}}), "text.format.type");
  EXPECT_EQ(param("reasoning", {{"summary", "detailed"}}), "reasoning.summary");
  EXPECT_EQ(param("include", {"file_search_call.results"}), "include[0]");
  EXPECT_EQ(param("max_output_tokens", 0), "max_output_tokens");
}

TEST_F(ApiTest, AResponseMayBeAJsonObjectAndTellLogprobs) {
  Json body = question("Give me a JSON object with a name.", 24);
  body["text"] = {{"format", {{"type", "json_object"}}}};
  EXPECT_THAT(text_of(ask(kResponses, body)), testing::StartsWith("{"));
  body = question("Hi", 3);
  body["include"] = {"message.output_text.logprobs"};
  body["top_logprobs"] = 2;
  const Json logprobs = ask(kResponses, body)["output"][0]["content"][0]["logprobs"];
  ASSERT_EQ(logprobs.size(), 3U);
  EXPECT_EQ(logprobs[0]["top_logprobs"].size(), 2U);
}

TEST_F(ApiTest, MetadataComesBack) {
  Json body = question("Hi", 1);
  body["metadata"] = {{"topic", "demo"}};
  body["user"] = "me";
  const Json reply = ask(kResponses, body);
  EXPECT_EQ(reply["metadata"]["topic"], "demo");
  EXPECT_EQ(reply["ignored_fields"], Json::array({"user"}));
}

}  // namespace
}  // namespace cairn::server

// Calls of tools and reasoning over the wire, with a model that says what the test wants.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "base/json.h"
#include "server/api/api.h"
#include "server/http/server.h"
#include "tests/server/client.h"
#include "tests/server/scripted_runtime.h"

namespace cairn::server {
namespace {

using testing::HasSubstr;

// What Qwen's template does, in short.
constexpr char kHermesTemplate[] =
    "{%- if tools %}<|im_start|>system\n{% for tool in tools %}{{ tool | tojson }}\n{% endfor %}"
    "<|im_end|>\n{% endif -%}"
    "{%- for message in messages %}<|im_start|>{{ message.role }}\n"
    "{%- if message.reasoning_content %}<think>{{ message.reasoning_content }}</think>{% endif %}"
    "{{ message.content }}"
    "{%- if message.tool_calls %}{% for call in message.tool_calls %}<tool_call>\n"
    "{\"name\": \"{{ call.function.name }}\", \"arguments\": {{ call.function.arguments | tojson "
    "}}}"
    "\n</tool_call>{% endfor %}{% endif %}<|im_end|>\n{% endfor -%}"
    "{%- if add_generation_prompt %}<|im_start|>assistant\n{% endif %}";
constexpr char kPlainTemplate[] =
    "{% for message in messages %}{{ message.role }}: {{ message.content }}\n{% endfor %}";

std::vector<ScriptedToken> letters(const std::string& text) {
  std::vector<ScriptedToken> tokens;
  for (const char c : text) tokens.push_back({.text = std::string(1, c)});
  tokens.push_back({.text = "<|im_end|>", .control = true});
  return tokens;
}

/// A server for one script.
class Scripted {
 public:
  explicit Scripted(Script script) : model_(std::move(script)) {
    api_.newsroom = &newsroom_;
    attach(api_, {.name = "scripted", .runtime = &model_});
    ServerOptions options{.listen = {{.host = "127.0.0.1"}}, .routes = api_routes(api_)};
    options.settings.drain_ms = 100;
    server_ = Server::start(std::move(options)).value();
    steps_ = std::jthread([this](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        newsroom_.publish();
        pause_ms(1);
      }
    });
  }
  ~Scripted() { server_.reset(); }
  Scripted(const Scripted&) = delete;
  Scripted& operator=(const Scripted&) = delete;

  Received post(const std::string& path, const Json& body) {
    return Client(server_->addresses().at(0))
        .ask("POST", path, body.dump(), "Content-Type: application/json\r\n");
  }
  Json ask(const std::string& path, const Json& body) {
    const Received received = post(path, body);
    EXPECT_EQ(received.status, 200) << received.body;
    return parse_json(received.body).value();
  }
  std::vector<Json> events(const std::string& path, Json body) {
    body["stream"] = true;
    const std::string text = post(path, body).body;
    std::vector<Json> all;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at);
      const std::string line = text.substr(at, end - at);
      at = end + 1;
      if (line.starts_with("data: {")) all.push_back(parse_json(line.substr(6)).value());
    }
    return all;
  }
  Api& api() { return api_; }
  ScriptedRuntime& model() { return model_; }

 private:
  ScriptedRuntime model_;
  Newsroom newsroom_;
  Api api_;
  std::unique_ptr<Server> server_;
  std::jthread steps_;
};

constexpr char kChat[] = "/v1/chat/completions";
constexpr char kMessages[] = "/v1/messages";
constexpr char kResponses[] = "/v1/responses";

Json with_tools() {
  return Json::parse(R"({"messages":[{"role":"user","content":"Weather?"}],
    "tools":[{"type":"function","function":{"name":"weather","parameters":{"type":"object",
      "properties":{"city":{"type":"string"}}}}}]})");
}

const std::string kCall =
    "Let me look.\n<tool_call>\n{\"name\": \"weather\", \"arguments\": {\"city\": \"Bonn\"}}\n"
    "</tool_call>";

TEST(ToolsTest, ACallComesAsACallWholeAndInFragments) {
  Scripted scripted({.chat_template = kHermesTemplate, .answer = letters(kCall)});
  const Json choice = scripted.ask(kChat, with_tools())["choices"][0];
  EXPECT_EQ(choice["finish_reason"], "tool_calls");
  EXPECT_EQ(choice["message"]["content"], "Let me look.");
  const Json& call = choice["message"]["tool_calls"][0];
  EXPECT_EQ(call["function"]["name"], "weather");
  EXPECT_EQ(call["function"]["arguments"], "{\"city\": \"Bonn\"}");

  std::string content;
  std::string arguments;
  std::vector<std::string> ids;
  std::size_t fragments = 0;
  std::string reason;
  for (const Json& chunk : scripted.events(kChat, with_tools())) {
    const Json& delta = chunk["choices"][0]["delta"];
    content += delta.value("content", "");
    if (chunk["choices"][0]["finish_reason"].is_string()) {
      reason = chunk["choices"][0]["finish_reason"];
    }
    if (!delta.contains("tool_calls")) continue;
    for (const Json& piece : delta["tool_calls"]) {
      EXPECT_EQ(piece["index"], 0);
      if (piece.contains("id")) ids.push_back(piece["id"]);
      arguments += piece["function"]["arguments"];
      ++fragments;
    }
  }
  EXPECT_EQ(content, "Let me look.");
  EXPECT_EQ(arguments, "{\"city\": \"Bonn\"}");
  EXPECT_EQ(ids.size(), 1U);
  EXPECT_GT(fragments, 3U);
  EXPECT_EQ(reason, "tool_calls");
}

TEST(ToolsTest, ACallIsABlockOfAMessage) {
  Scripted scripted({.chat_template = kHermesTemplate, .answer = letters(kCall)});
  Json body = Json::parse(R"({"max_tokens":500,"messages":[{"role":"user","content":"Weather?"}],
    "tools":[{"name":"weather","input_schema":{"type":"object"}}]})");
  const Json message = scripted.ask(kMessages, body);
  EXPECT_EQ(message["stop_reason"], "tool_use");
  EXPECT_EQ(message["content"][1]["type"], "tool_use");
  EXPECT_EQ(message["content"][1]["input"], Json({{"city", "Bonn"}}));
  std::string input;
  std::vector<std::string> blocks;
  for (const Json& event : scripted.events(kMessages, body)) {
    if (event["type"] == "content_block_start") blocks.push_back(event["content_block"]["type"]);
    if (event["type"] == "content_block_delta") input += event["delta"].value("partial_json", "");
  }
  EXPECT_EQ(blocks, (std::vector<std::string>{"text", "tool_use"}));
  EXPECT_EQ(input, "{\"city\": \"Bonn\"}");
}

TEST(ToolsTest, OfParallelCallsThatAreNotWantedTheFirstIsTheAnswer) {
  const std::string second =
      "\n<tool_call>\n{\"name\": \"weather\", \"arguments\": {}}\n</tool_call>";
  Scripted scripted({.chat_template = kHermesTemplate, .answer = letters(kCall + second + "end")});
  Json body = with_tools();
  const Json both = scripted.ask(kChat, body);
  EXPECT_EQ(both["choices"][0]["message"]["tool_calls"].size(), 2U);
  body["parallel_tool_calls"] = false;
  const Json one = scripted.ask(kChat, body);
  const Json& choice = one["choices"][0];
  ASSERT_EQ(choice["message"]["tool_calls"].size(), 1U);
  EXPECT_EQ(choice["message"]["tool_calls"][0]["function"]["arguments"], "{\"city\": \"Bonn\"}");
  EXPECT_EQ(choice["finish_reason"], "tool_calls");
  EXPECT_LT(one["usage"]["completion_tokens"].get<int>(),
            both["usage"]["completion_tokens"].get<int>())
      << "nothing is generated past it";
  std::string reason;
  for (const Json& chunk : scripted.events(kChat, body)) {
    if (chunk["choices"][0]["finish_reason"].is_string()) {
      reason = chunk["choices"][0]["finish_reason"];
    }
  }
  EXPECT_EQ(reason, "tool_calls");
}

TEST(ToolsTest, AResponseTellsReasoningTextAndCallsAsItems) {
  Scripted scripted({.chat_template = kHermesTemplate,
                     .answer = letters("<think>\nSo so.\n</think>\n\n" + kCall)});
  const Json body = Json::parse(R"({"input":"Weather?",
    "tools":[{"type":"function","name":"weather","parameters":{"type":"object"}}]})");
  const Json reply = scripted.ask(kResponses, body);
  ASSERT_EQ(reply["output"].size(), 3U);
  EXPECT_EQ(reply["status"], "completed");
  EXPECT_EQ(reply["output"][0]["content"][0]["text"], "So so.");
  EXPECT_EQ(reply["output"][1]["content"][0]["text"], "Let me look.");
  EXPECT_EQ(reply["output"][2]["name"], "weather");
  EXPECT_EQ(reply["output"][2]["arguments"], "{\"city\": \"Bonn\"}");
  EXPECT_GT(reply["usage"]["output_tokens_details"]["reasoning_tokens"], 0);
  EXPECT_EQ(reply["tools"][0]["name"], "weather");

  std::string arguments;
  std::vector<std::string> done;
  for (const Json& event : scripted.events(kResponses, body)) {
    if (event["type"] == "response.function_call_arguments.delta") arguments += event["delta"];
    if (event["type"] == "response.output_item.done") done.push_back(event["item"]["type"]);
  }
  EXPECT_EQ(arguments, "{\"city\": \"Bonn\"}");
  EXPECT_EQ(done, (std::vector<std::string>{"reasoning", "message", "function_call"}));
}

TEST(ToolsTest, AResponseGoesOnWithTheResultOfItsCall) {
  Scripted scripted({.chat_template = kHermesTemplate, .answer = letters(kCall)});
  Json body = Json::parse(R"({"input":"Weather?","instructions":"Be brief.",
    "tools":[{"type":"function","name":"weather","parameters":{"type":"object"}}]})");
  const Json first = scripted.ask(kResponses, body);
  body["input"] = Json::array({{{"type", "function_call_output"},
                                {"call_id", first["output"][1]["call_id"]},
                                {"output", "sun"}}});
  body["previous_response_id"] = first["id"];
  body.erase("instructions");
  scripted.ask(kResponses, body);
  const Json messages = scripted.model().seen().messages;
  ASSERT_EQ(messages.size(), 3U) << "instructions are not carried over";
  EXPECT_EQ(messages[1]["tool_calls"][0]["function"]["arguments"]["city"], "Bonn");
  EXPECT_EQ(messages[1]["tool_calls"][0]["id"], messages[2]["tool_call_id"]);
  EXPECT_EQ(messages[2]["role"], "tool");
  EXPECT_EQ(messages[2]["content"], "sun");
}

TEST(ToolsTest, ItemsOfTheAssistantJoinIntoOneMessage) {
  Scripted scripted({.chat_template = kHermesTemplate, .answer = letters("Sunny.")});
  scripted.ask(kResponses, Json::parse(R"({"input":[{"role":"user","content":"Weather?"},
    {"type":"reasoning","id":"rs_1","summary":[],
     "content":[{"type":"reasoning_text","text":"hm"}]},
    {"type":"function_call","call_id":"a","name":"weather","arguments":"{\"city\":\"Bonn\"}"},
    {"type":"function_call","call_id":"b","name":"weather","arguments":"{}"},
    {"type":"function_call_output","call_id":"a","output":[{"type":"input_text","text":"sun"}]},
    {"type":"function_call_output","call_id":"b","output":"rain"}]})"));
  const Json messages = scripted.model().seen().messages;
  ASSERT_EQ(messages.size(), 4U);
  EXPECT_EQ(messages[1]["reasoning_content"], "hm");
  EXPECT_EQ(messages[1]["tool_calls"].size(), 2U);
  EXPECT_EQ(messages[3]["content"], "rain");
}

TEST(ToolsTest, ATurnWithAResultReachesTheTemplateInItsOwnShape) {
  Scripted scripted({.chat_template = kHermesTemplate, .answer = letters("Sunny.")});
  scripted.ask(kMessages, Json::parse(R"({"max_tokens":9,"system":"Be brief.","messages":[
    {"role":"user","content":"Weather?"},
    {"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":""},
      {"type":"tool_use","id":"a","name":"weather","input":{"city":"Bonn"}}]},
    {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"sun"},
      {"type":"text","text":"And?"}]}],
    "tools":[{"name":"weather","input_schema":{"type":"object"}}]})"));
  const Json& messages = scripted.model().seen().messages;
  ASSERT_EQ(messages.size(), 5U);
  EXPECT_EQ(messages[0]["role"], "system");
  EXPECT_EQ(messages[2]["tool_calls"][0]["function"]["arguments"]["city"], "Bonn");
  EXPECT_EQ(messages[2]["reasoning_content"], "hm");
  EXPECT_EQ(messages[3]["role"], "tool");
  EXPECT_EQ(messages[4]["content"], "And?");
}

TEST(ToolsTest, ArgumentsOfThePastAreObjectsForTheTemplate) {  // C08, C10, C21
  Scripted scripted({.chat_template = kHermesTemplate, .answer = letters("Yes.")});
  for (const std::string arguments :
       {R"("{\"city\":\"Bonn\"}")", R"({"city":"Bonn"})", R"("")", "null"}) {
    const Json body = Json::parse(R"({"messages":[{"role":"user","content":"x"},
      {"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":)" +
                                  arguments + "}}]}]}");
    scripted.ask(kChat, body);
    EXPECT_TRUE(
        scripted.model().seen().messages[1]["tool_calls"][0]["function"]["arguments"].is_object());
  }
  const Json broken = Json::parse(R"({"messages":[{"role":"user","content":"x"},
      {"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":"{\"a"}}]}]})");
  EXPECT_EQ(scripted.post(kChat, broken).status, 400);
}

TEST(ToolsTest, WithToolChoiceNoneThereAreNoCalls) {  // A22
  Scripted scripted({.chat_template = kHermesTemplate, .answer = letters("No.")});
  Json body = with_tools();
  body["tool_choice"] = "none";
  EXPECT_FALSE(scripted.ask(kChat, body)["choices"][0]["message"].contains("tool_calls"));
  EXPECT_TRUE(scripted.model().seen().tools.is_null());
}

TEST(ToolsTest, ACallCutOffByTheLimitSaysLength) {  // A23, A24
  auto answer = letters(kCall.substr(0, kCall.find("nn")));
  answer.pop_back();
  Scripted scripted({.chat_template = kHermesTemplate,
                     .answer = answer,
                     .finish = runtime::FinishReason::kLength});
  const Json choice = scripted.ask(kChat, with_tools())["choices"][0];
  EXPECT_EQ(choice["finish_reason"], "length");
  EXPECT_EQ(choice["message"]["tool_calls"][0]["function"]["arguments"], "{\"city\": \"Bo");
}

TEST(ToolsTest, ToolsForATemplateThatShowsNoneAreRefused) {
  Scripted scripted({.chat_template = kPlainTemplate, .answer = letters("x")});
  const Received received = scripted.post(kChat, with_tools());
  EXPECT_EQ(received.status, 400);
  EXPECT_THAT(received.body, HasSubstr("\"param\":\"tools\""));
}

TEST(ToolsTest, ReasoningStandsInAFieldOfItsOwn) {
  Scripted scripted(
      {.chat_template = kHermesTemplate, .answer = letters("<think>\nSo so.\n</think>\n\nFine.")});
  Json body = {{"messages", with_tools()["messages"]}};
  const Json message = scripted.ask(kChat, body)["choices"][0]["message"];
  EXPECT_EQ(message["reasoning_content"], "So so.");
  EXPECT_EQ(message["content"], "Fine.");
  body["include_reasoning"] = false;
  EXPECT_FALSE(scripted.ask(kChat, body)["choices"][0]["message"].contains("reasoning_content"));
  body["max_tokens"] = 500;
  const Json anthropic =
      scripted.ask(kMessages, {{"messages", body["messages"]}, {"max_tokens", 99}});
  EXPECT_EQ(anthropic["content"][0]["thinking"], "So so.");
  EXPECT_EQ(anthropic["content"][1]["text"], "Fine.");
}

TEST(ToolsTest, MarkersThatAreControlTokensCountToo) {
  std::vector<ScriptedToken> answer = {{"<|channel|>", true},
                                       {"analysis"},
                                       {"<|message|>", true},
                                       {"Hm."},
                                       {"<|end|>", true},
                                       {"<|start|>", true},
                                       {"assistant"},
                                       {"<|channel|>", true},
                                       {"final"},
                                       {"<|message|>", true},
                                       {"Hi."},
                                       {"<|return|>", true}};
  Scripted scripted({.chat_template =
                         "{% for m in messages %}<|start|>{{ m.role }}<|channel|>final<|message|>"
                         "{{ m.content }}<|end|>{% endfor %}<|start|>assistant",
                     .answer = answer});
  ASSERT_NE(scripted.api().syntax.calls, nullptr);
  EXPECT_EQ(scripted.api().syntax.calls->name, "harmony");
  const Json message =
      scripted.ask(kChat, {{"messages", with_tools()["messages"]}})["choices"][0]["message"];
  EXPECT_EQ(message["reasoning_content"], "Hm.");
  EXPECT_EQ(message["content"], "Hi.");
}

TEST(ToolsTest, TheServersOwnLimitOfTokensClampsOrRefuses) {
  Scripted scripted({.chat_template = kHermesTemplate, .answer = letters("Fine.")});
  Json body = {{"messages", with_tools()["messages"]}, {"effective_params", true}};
  const auto used = [&](const Json& tokens) {
    body["max_tokens"] = tokens;
    return scripted.ask(kChat, body)["effective_params"]["max_tokens"];
  };
  EXPECT_TRUE(used(nullptr).is_null());
  scripted.api().new_tokens_max = 10;
  EXPECT_EQ(used(10), 10);
  EXPECT_EQ(used(11), 10);
  EXPECT_EQ(used(nullptr), 10);
  scripted.api().strictness = Strictness::kStrict;
  EXPECT_EQ(used(10), 10);
  EXPECT_EQ(scripted.post(kChat, {{"messages", body["messages"]}, {"max_tokens", 11}}).status, 400);
  scripted.api().new_tokens_max = 0;
  EXPECT_EQ(used(11), 11);
}

TEST(ToolsTest, WhereARequestsTimeWentIsKept) {
  Scripted scripted({.chat_template = kHermesTemplate, .answer = letters("Fine.")});
  const Json reply = scripted.ask(kChat, {{"messages", with_tools()["messages"]}});
  const std::string id = reply["id"].get<std::string>().substr(std::string("chatcmpl-").size());
  EXPECT_TRUE(eventually([&] {
    const auto record = scripted.api().watch->find(id);
    return record && record->ended_ns != 0;
  }));
  const auto record = scripted.api().watch->find(id);
  EXPECT_EQ(record->generated_tokens, 6U);
  EXPECT_EQ(record->finish_reasons, std::vector<std::string>{"stop"});
}

}  // namespace
}  // namespace cairn::server

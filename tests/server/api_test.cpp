// The endpoints with a real model behind them: longer than usual, since loading it once serves
// every test.
#include "base/ascii.h"
#include "server/wire/answers.h"
#include "server/wire/replies.h"
#include "tests/server/api_fixture.h"
#include "tests/server/routes.h"

namespace cairn::server {
namespace {

/// A whole request for a chat.
std::string post_text(const Json& body) {
  const std::string text = body.dump();
  return "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\n"
         "Content-Type: application/json\r\nContent-Length: " +
         std::to_string(text.size()) + "\r\n\r\n" + text;
}

TEST_F(ApiTest, AChatSaysWhatTheModelSays) {
  const Json body = chat("Why is the sky blue?", 12);
  const Json reply = ask(kChat, body);
  const Json& choice = reply["choices"][0];
  EXPECT_EQ(choice["message"]["content"],
            alone(runtime::ChatPrompt{.messages = body["messages"]}, 12));
  EXPECT_EQ(choice["finish_reason"], "length");
  EXPECT_EQ(reply["usage"]["completion_tokens"], 12);
  EXPECT_EQ(reply["model"], "smol");
}

TEST_F(ApiTest, TheEventsOfAStreamAddUpToTheWholeAnswer) {
  Json body = chat("Count to five.", 16);
  const std::string whole = ask(kChat, body)["choices"][0]["message"]["content"];
  body["stream_options"] = {{"include_usage", true}};
  const std::vector<Json> chunks = events(kChat, body);
  ASSERT_GT(chunks.size(), 3u);
  EXPECT_EQ(chunks.front()["choices"][0]["delta"]["role"], "assistant");
  std::string text;
  for (std::size_t i = 0; i + 1 < chunks.size(); ++i) {
    text += chunks[i]["choices"][0]["delta"].value("content", "");
  }
  EXPECT_EQ(text, whole);
  EXPECT_EQ(chunks[chunks.size() - 2]["choices"][0]["finish_reason"], "length");
  EXPECT_TRUE(chunks.back()["choices"].empty());
  EXPECT_EQ(chunks.back()["usage"]["completion_tokens"], 16);
}

TEST_F(ApiTest, AnAnswerIsTheSameBesideOthers) {
  const Json body = {{"prompt", "Once upon a time"}, {"max_tokens", 24}, {"temperature", 0}};
  const std::string expected = alone(runtime::TextPrompt{"Once upon a time"}, 24);
  std::vector<std::string> texts(6);
  {
    std::vector<std::jthread> clients;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      clients.emplace_back([&, i] {
        if (i % 2 == 1) ask(kChat, chat("Number " + std::to_string(i), 20));
        texts[i] = ask(kCompletions, body)["choices"][0]["text"];
      });
    }
  }
  for (const std::string& text : texts) EXPECT_EQ(text, expected);
}

TEST_F(ApiTest, PromptsAndAnswersKeepTheirOrder) {
  const Json body = {{"prompt", {"One", "Two"}}, {"n", 2},    {"max_tokens", 4},
                     {"temperature", 0},         {"seed", 1}, {"echo", true}};
  const Json choices = ask(kCompletions, body)["choices"];
  ASSERT_EQ(choices.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(choices[i]["index"], i);
    EXPECT_THAT(choices[i]["text"].get<std::string>(), testing::StartsWith(i < 2 ? "One" : "Two"));
  }
}

TEST_F(ApiTest, ASeedGivesTheSameTextAgain) {
  Json body = chat("Tell me a story.", 24);
  body["temperature"] = 1.2;
  body["seed"] = 42;
  const Json first = ask(kChat, body)["choices"];
  EXPECT_EQ(ask(kChat, body)["choices"], first);
  body["seed"] = 43;
  EXPECT_NE(ask(kChat, body)["choices"], first);
}

TEST_F(ApiTest, LogprobsComeInTheirEndpointsLayout) {
  Json body = chat("Hi", 3);
  body["logprobs"] = true;
  body["top_logprobs"] = 2;
  const Json content = ask(kChat, body)["choices"][0]["logprobs"]["content"];
  ASSERT_EQ(content.size(), 3u);
  EXPECT_EQ(content[0]["top_logprobs"].size(), 2u);
  EXPECT_EQ(content[0]["token"], content[0]["top_logprobs"][0]["token"]);
  const Json lists = ask(kCompletions, {{"prompt", "Hi"}, {"max_tokens", 3}, {"logprobs", 1}});
  EXPECT_EQ(lists["choices"][0]["logprobs"]["token_logprobs"].size(), 3u);
}

TEST_F(ApiTest, AnEchoedPromptIsToldTokenByToken) {  // A08
  const Json body = {{"prompt", "The sky is blue"},
                     {"echo", true},
                     {"logprobs", 1},
                     {"max_tokens", 1},
                     {"temperature", 0}};
  const Json choice = ask(kCompletions, body)["choices"][0];
  const std::string text = choice["text"];
  const Json& told = choice["logprobs"];
  EXPECT_TRUE(text.starts_with("The sky is blue"));
  ASSERT_EQ(told["tokens"].size(), 5u) << told;
  EXPECT_EQ(told["tokens"], Json({"The", " sky", " is", " blue", text.substr(15)}));
  EXPECT_TRUE(told["token_logprobs"][0].is_null());
  EXPECT_TRUE(told["top_logprobs"][0].is_null());
  for (std::size_t i = 1; i < 5; ++i) {
    EXPECT_LT(told["token_logprobs"][i].get<double>(), 0);
    EXPECT_EQ(told["top_logprobs"][i].size(), 1u);
  }
  EXPECT_EQ(told["text_offset"], Json({0, 3, 7, 10, 15}));
  Json lists = {{"tokens", Json::array()}, {"token_logprobs", Json::array()}};
  std::string whole;
  for (const Json& chunk : events(kCompletions, body)) {
    whole += chunk["choices"][0]["text"].get<std::string>();
    if (chunk["choices"][0]["logprobs"].is_null()) continue;
    for (auto& [name, list] : lists.items()) {
      for (const Json& value : chunk["choices"][0]["logprobs"][name]) list.push_back(value);
    }
  }
  EXPECT_EQ(whole, text);
  EXPECT_EQ(lists["tokens"], told["tokens"]);
  EXPECT_EQ(lists["token_logprobs"], told["token_logprobs"]);
}

TEST_F(ApiTest, APromptIsScoredWithNothingGenerated) {
  Json body = {{"prompt", "The sky is blue"}, {"echo", true}, {"logprobs", 0}, {"max_tokens", 0}};
  const Json reply = ask(kCompletions, body);
  const Json& choice = reply["choices"][0];
  EXPECT_EQ(choice["text"], "The sky is blue");
  EXPECT_EQ(choice["logprobs"]["tokens"].size(), 4u);
  EXPECT_EQ(choice["finish_reason"], "length");
  EXPECT_EQ(reply["usage"]["completion_tokens"], 0);
  body.erase("logprobs");
  EXPECT_EQ(ask(kCompletions, body)["choices"][0]["text"], "The sky is blue");
}

TEST_F(ApiTest, PromptLogprobsHaveVllmsLayout) {
  const Json body = {{"prompt", "The sky is blue"},
                     {"prompt_logprobs", 2},
                     {"max_tokens", 1},
                     {"echo", true},
                     {"logprobs", 0}};
  const Json choice = ask(kCompletions, body)["choices"][0];
  const Json& told = choice["prompt_logprobs"];
  ASSERT_EQ(told.size(), 4u) << told;
  EXPECT_TRUE(told[0].is_null());
  const Json ids = ask("/tokenize", {{"prompt", "The sky is blue"}})["tokens"];
  for (std::size_t i = 1; i < 4; ++i) {
    const Json& own = told[i][std::to_string(ids[i].get<int>())];
    EXPECT_EQ(own["decoded_token"], choice["logprobs"]["tokens"][i]);
    EXPECT_EQ(own["logprob"], choice["logprobs"]["token_logprobs"][i]);
    EXPECT_EQ(told[i].size(), own["rank"] <= 2 ? 2u : 3u) << told[i];
    EXPECT_EQ(choice["logprobs"]["top_logprobs"][i], Json::object()) << "0 were asked for";
  }
  Json conversation = chat("Hi", 1);
  conversation["prompt_logprobs"] = 0;
  const Json reply = ask(kChat, conversation);
  EXPECT_EQ(reply["prompt_logprobs"].size(), reply["usage"]["prompt_tokens"]);
}

TEST_F(ApiTest, AJsonObjectIsOne) {
  Json body = chat("Give me a JSON object with a name.", 120);
  body["response_format"] = {{"type", "json_object"}};
  const Json choice = ask(kChat, body)["choices"][0];
  const Result<Json> object = parse_json(choice["message"]["content"].get<std::string>());
  if (choice["finish_reason"] == "stop") {
    EXPECT_TRUE(object.ok() && object->is_object());
  }
  EXPECT_THAT(choice["message"]["content"].get<std::string>(), testing::StartsWith("{"));
}

TEST_F(ApiTest, FieldsAreHonouredRefusedByNameOrListed) {
  Json body = chat("Hi", 1);
  body["user"] = "me";
  body["favourite_colour"] = "blue";
  EXPECT_EQ(ask(kChat, body)["ignored_fields"], Json({"user", "favourite_colour"}));
  body["return_token_ids"] = true;
  const Received refused = post(kChat, body);
  EXPECT_EQ(refused.status, 501);
  EXPECT_EQ(parse_json(refused.body).value()["error"]["param"], "return_token_ids");
}

TEST_F(ApiTest, AnotherModelsNameIsAnsweredWithTheNamesThereAre) {
  Json body = chat("Hi", 1);
  body["model"] = "gpt-4";
  const Received received = post(kChat, body);
  EXPECT_EQ(received.status, 404);
  EXPECT_THAT(received.body, HasSubstr("there is: smol"));
  EXPECT_EQ(Client(address()).ask("GET", "/v1/models/smol").status, 200);
  EXPECT_EQ(Client(address()).ask("GET", "/v1/models/other").status, 404);
}

TEST_F(ApiTest, APromptThatDoesNotFitIsRefusedWithBothLengths) {
  Json body = {{"prompt", Json(std::vector<int>(600, 5))}};
  const Received received = post(kCompletions, body);
  EXPECT_EQ(received.status, 400);
  EXPECT_THAT(received.body, testing::AllOf(HasSubstr("600"), HasSubstr("512")));
  body = {{"prompt", Json::array({Json::array({1, 99'999'999'999})})}};
  EXPECT_EQ(post(kCompletions, body).status, 400);
}

TEST_F(ApiTest, AClientThatLeavesEndsItsAnswers) {
  Json body = chat("Write a very long story.", 480);
  body["stream"] = true;
  body["n"] = 4;
  body["ignore_eos"] = true;
  Client client(address());
  ASSERT_TRUE(client.send(post_text(body)));
  EXPECT_THAT(client.read_until("data: "), HasSubstr("data: "));
  EXPECT_GT(running_->model->activity().running, 0u);
  client.reset();
  EXPECT_TRUE(eventually([] {
    const runtime::Activity activity = running_->model->activity();
    return activity.running + activity.waiting == 0;
  }));
}

TEST_F(ApiTest, AServerThatStopsEndsItsStreamsWithAnEvent) {
  Json body = chat("Write a very long story.", 480);
  body["stream"] = true;
  body["ignore_eos"] = true;
  Client client(address());
  ASSERT_TRUE(client.send(post_text(body)));
  client.read_until("data: ");
  running_->server->drain();
  EXPECT_THAT(client.read_to_end(),
              testing::AllOf(HasSubstr("the server stops"), HasSubstr("[DONE]")));
  start_server();
}

TEST_F(ApiTest, PartsOfTextAreOneTextAndMissingContentIsEmpty) {
  Json body = chat("Hi", 4);
  const Json expected = ask(kChat, body)["choices"];
  body["messages"][0]["content"] = Json::array({{{"type", "text"}, {"text", "Hi"}}});
  EXPECT_EQ(ask(kChat, body)["choices"], expected);
  body["messages"].push_back({{"role", "assistant"}, {"content", nullptr}});
  body["messages"].push_back({{"role", "user"}, {"content", "And?"}});
  EXPECT_EQ(post(kChat, body).status, 200);
}

TEST_F(ApiTest, ADrawnSeedCanBeSentBackForAllPrompts) {
  Json body = {{"prompt", {"Hello", "The sky is"}},
               {"n", 2},
               {"max_tokens", 8},
               {"temperature", 1.5},
               {"effective_params", true}};
  const Json first = ask(kCompletions, body);
  body["seed"] = first["effective_params"]["seed"];
  EXPECT_LT(body["seed"].get<std::uint64_t>(), std::uint64_t{1} << 53);
  EXPECT_EQ(ask(kCompletions, body)["choices"], first["choices"]);
}

TEST_F(ApiTest, EveryPromptIsCountedOnce) {
  const Json one = ask(kCompletions, {{"prompt", "Hello"}, {"n", 3}, {"max_tokens", 1}});
  const Json two = ask(kCompletions, {{"prompt", {"Hello", "Hello"}}, {"max_tokens", 1}});
  EXPECT_EQ(two["usage"]["prompt_tokens"], 2 * one["usage"]["prompt_tokens"].get<int>());
}

TEST_F(ApiTest, AnEndlessPromptIsRefusedBeforeItIsRead) {
  const Received received = post(kCompletions, {{"prompt", std::string(5000, 'x')}});
  EXPECT_EQ(received.status, 400);
  EXPECT_THAT(received.body, testing::AllOf(HasSubstr("5000 bytes"), HasSubstr("at most 4000")));
}

TEST_F(ApiTest, VariablesOfTheTemplateDoNotReplaceTheConversation) {
  Json body = chat("Hi", 1);
  body["chat_template_kwargs"] = {{"messages", Json::array()}};
  EXPECT_EQ(post(kChat, body).status, 400);
}

TEST_F(ApiTest, TokensOfATextAreThoseOfThePromptAndComeBackAsIt) {
  const Json reply = ask("/tokenize", {{"prompt", "Hello world"}, {"return_token_strs", true}});
  EXPECT_EQ(reply["count"], reply["tokens"].size());
  EXPECT_EQ(reply["token_strs"].size(), reply["tokens"].size());
  EXPECT_EQ(ask("/detokenize", {{"tokens", reply["tokens"]}})["prompt"], "Hello world");
  const Json pieces = ask("/tokenize", {{"content", "Hello world"}, {"with_pieces", true}});
  EXPECT_EQ(pieces["tokens"][0]["id"], reply["tokens"][0]);
  EXPECT_EQ(post("/tokenize", {{"text", "Hello"}}).status, 400);
  EXPECT_EQ(post("/tokenize", {{"prompt", "Hello"}, {"model", "other"}}).status, 404);
  EXPECT_EQ(post("/detokenize", {{"tokens", {99'999'999}}}).status, 400);
}

TEST_F(ApiTest, AControlTokensNameIsTextWhereThatIsAskedFor) {
  const Json token = ask("/tokenize", {{"content", "<|im_start|>"}});
  EXPECT_EQ(token["count"], 1);
  const Json text = ask("/tokenize", {{"content", "<|im_start|>"}, {"parse_special", false}});
  EXPECT_GT(text["count"], 1);
}

TEST_F(ApiTest, AnAnswerGoesOnWhereTheLastMessageEnds) {
  Json body = chat("Count to five.", 12);
  const std::string whole = ask(kChat, body)["choices"][0]["message"]["content"];
  const std::string begun = whole.substr(0, whole.find(' ', 3));
  body["messages"].push_back({{"role", "assistant"}, {"content", begun}});
  body["continue_final_message"] = true;
  const std::string prompt = ask("/apply-template", {{"messages", body["messages"]},
                                                     {"continue_final_message", true}})["prompt"];
  EXPECT_TRUE(prompt.ends_with("<|im_start|>assistant\n" + begun)) << prompt;
  const std::string rest = ask(kChat, body)["choices"][0]["message"]["content"];
  EXPECT_EQ((begun + rest).substr(0, whole.size()), whole);
  body["messages"].erase(1);
  const Received refused = post(kChat, body);
  EXPECT_EQ(refused.status, 400) << "the last message is the user's";
  EXPECT_EQ(parse_json(refused.body).value()["error"]["param"], "messages");
}

TEST_F(ApiTest, ThePrefixCacheCanBeGivenBack) {
  const Json body = {{"prompt", std::string(400, 'a') + " b"}, {"max_tokens", 1}};
  ask(kCompletions, body);
  const auto cached = [&] {
    return ask(kCompletions, body)["usage"]["prompt_tokens_details"]["cached_tokens"].get<int>();
  };
  EXPECT_GT(cached(), 0);
  EXPECT_EQ(post("/reset_prefix_cache", Json::object()).status, 200);
  EXPECT_EQ(cached(), 0);
}

TEST_F(ApiTest, AConversationIsShownAsTheModelReadsIt) {
  const Json body = {{"messages", chat("Hi", 1)["messages"]}};
  const std::string prompt = ask("/apply-template", body)["prompt"];
  EXPECT_THAT(prompt, HasSubstr("<|im_start|>user\nHi<|im_end|>"));
  EXPECT_EQ(ask("/tokenize", body)["tokens"], ask("/tokenize", {{"content", prompt}})["tokens"]);
}

TEST_F(ApiTest, InputTokensAreThoseThatTheAnswerCounts) {
  const Json body = chat("How many are these?", 1);
  const Json counted = ask("/v1/chat/completions/input_tokens", body);
  EXPECT_EQ(counted["input_tokens"], ask(kChat, body)["usage"]["prompt_tokens"]);
  const Json input = {{"input", "How many are these?"}, {"instructions", "Be short."}};
  const Json response = ask("/v1/responses", [&] {
    Json asked = input;
    asked["max_output_tokens"] = 1;
    return asked;
  }());
  const Json twin = ask("/v1/responses/input_tokens", input);
  EXPECT_EQ(twin["object"], "response.input_tokens");
  EXPECT_EQ(twin["input_tokens"], response["usage"]["input_tokens"]);
  const Received refused =
      post("/v1/responses/input_tokens", {{"input", "a"}, {"previous_response_id", "resp_none"}});
  EXPECT_EQ(refused.status, 404);
  EXPECT_THAT(refused.body, HasSubstr("previous_response_id"));
}

/// Tokens of a prompt that a key found in the cache.
std::uint64_t cached_tokens_of(const std::string& address, const std::string& key,
                               const std::string& prompt) {
  const Json body = {{"prompt", prompt}, {"max_tokens", 1}, {"temperature", 0}};
  const Received received = Client(address).ask(
      "POST", kCompletions, body.dump(),
      "Content-Type: application/json\r\nAuthorization: Bearer " + key + "\r\n");
  EXPECT_EQ(received.status, 200) << received.body;
  return parse_json(received.body).value()["usage"]["prompt_tokens_details"]["cached_tokens"];
}

TEST_F(ApiTest, AKeyFindsInTheCacheOnlyWhatItAskedItself) {
  ServerOptions options{.listen = {{.host = "127.0.0.1"}}, .routes = api_routes(running_->api)};
  options.keys_file = write_test_file("cache-keys", "first-key\nsecond-key\n");
  auto server = Server::start(std::move(options));
  ASSERT_TRUE(server.ok()) << server.status().message();
  const std::string address = (*server)->addresses().at(0);
  std::string prompt = "A prompt of many words that nobody else has:";
  for (int i = 0; i < 60; ++i) prompt += " word";
  EXPECT_EQ(cached_tokens_of(address, "first-key", prompt), 0U);
  EXPECT_GT(cached_tokens_of(address, "first-key", prompt), 0U);
  EXPECT_EQ(cached_tokens_of(address, "second-key", prompt), 0U);
}

TEST_F(ApiTest, EveryPathOfTheTableIsInTheOpenApiDocumentAndIsAnswered) {
  const Json document = ask_get("/openapi.json");
  for (const EndpointRow& row : endpoints()) {
    const std::string path(row.path);
    std::string documented = path;
    if (const auto at = path.find("{}"); at != std::string::npos)
      documented.insert(at + 1, "part1");
    const std::string method(name_of(row.method));
    EXPECT_TRUE(document["paths"][documented].contains(lower_ascii(method))) << path;
    const int status = row.method == Method::kPost ? post(path, Json::object()).status
                                                   : Client(address()).ask(method, path).status;
    // Not built in a server of one model without a folder for files.
    const bool needs_more = path.starts_with("/v1/files") || path.starts_with("/v1/batches") ||
                            path.starts_with("/models/");
    EXPECT_TRUE(needs_more || (find_answer(method, path) == nullptr) == (status == 501)) << path;
    const bool names_nothing = path != documented && status == 404;
    EXPECT_TRUE(names_nothing || status == 200 || status == 400 || status == 501)
        << path << " " << status;
  }
}

TEST_F(ApiTest, TheMetricsArePrometheusTextUnderTheKnownNames) {
  ask(kCompletions, {{"prompt", "Hello"}, {"max_tokens", 4}});
  const auto metrics = [] { return Client(address()).ask("GET", "/metrics"); };
  EXPECT_TRUE(eventually(
      [&] { return metrics().body.find("vllm:request_success_total") != std::string::npos; }));
  const Received received = metrics();
  EXPECT_THAT(received.header("content-type"), testing::StartsWith("text/plain; version=0.0.4"));
  for (const char* name :
       {"vllm:num_requests_running", "vllm:num_requests_waiting", "vllm:kv_cache_usage_perc",
        "vllm:prompt_tokens_total", "vllm:generation_tokens_total",
        "vllm:time_to_first_token_seconds_bucket", "vllm:e2e_request_latency_seconds_count",
        "vllm:prefix_cache_hits_total", "vllm:inter_token_latency_seconds_sum"}) {
    EXPECT_THAT(received.body, HasSubstr(std::string("\n") + name + "{")) << name;
  }
  EXPECT_THAT(received.body, HasSubstr("model_name=\"smol\""));
  EXPECT_EQ(received.body.back(), '\n');
}

TEST_F(ApiTest, LlamasOwnCompletionSaysWhatTheOtherSays) {
  const Json body = {{"prompt", "Once upon a time"}, {"temperature", 0}, {"n_predict", 12}};
  const Json reply = ask("/completion", body);
  EXPECT_EQ(reply["content"], alone(runtime::TextPrompt{"Once upon a time"}, 12));
  EXPECT_EQ(reply["stop_type"], "limit");
  EXPECT_EQ(reply["timings"]["predicted_n"], 12);
  Json streamed = body;
  streamed["stream"] = true;
  const std::string text = post("/completion", streamed).body;
  EXPECT_THAT(text, HasSubstr("\"stop\":true"));
  EXPECT_THAT(text, testing::Not(HasSubstr("[DONE]")));
}

TEST_F(ApiTest, WhatIsNotThereIsNamedWith501) {
  const Received received = post("/v1/rerank", {{"query", "x"}});
  EXPECT_EQ(received.status, 501);
  EXPECT_THAT(received.body, HasSubstr("a reranker model"));
}

TEST_F(ApiTest, SlotsAndPropsTellWhatTheModelIs) {
  EXPECT_EQ(ask_get("/slots").size(), 4u);
  const Json props = ask_get("/props");
  EXPECT_EQ(props["default_generation_settings"]["n_ctx"], 512);
  EXPECT_EQ(props["total_slots"], 4);
  EXPECT_THAT(props["chat_template"].get<std::string>(), HasSubstr("{% for message in messages"));
}

TEST_F(ApiTest, AnErrorOfTheEngineNamesTheFieldItIsAbout) {
  const auto param = [&](const std::string& field, const Json& value) {
    Json body = chat("Hi", 4);
    body[field] = value;
    const Received received = post(kChat, body);
    EXPECT_EQ(received.status, 400) << received.body;
    return parse_json(received.body).value()["error"]["param"];
  };
  EXPECT_EQ(param("stop_token_ids", {99'999'999}), "stop_token_ids");
  EXPECT_EQ(param("allowed_token_ids", {99'999'999}), "allowed_token_ids");
  EXPECT_EQ(param("logit_bias", {{"99999999", 1}}), "logit_bias");
  EXPECT_EQ(param("samplers", {"nonsense"}), "samplers");
  EXPECT_EQ(param("deadline_ms", 0), "deadline_ms");
  const Received received = post(kCompletions, {{"prompt", Json(std::vector<int>(600, 5))}});
  EXPECT_EQ(parse_json(received.body).value()["error"]["param"], "prompt");
}

TEST_F(ApiTest, ASchemaKeepsAnAnswerToItsForm) {  // J01, J05
  const Json schema = Json::parse(R"({"type":"object","properties":{
      "colour":{"enum":["red","blue"]},"count":{"enum":[1,22]}},
      "required":["colour","count"],"additionalProperties":false})");
  Json body = chat("Pick a colour and a number.", 60);
  body["response_format"] = {{"type", "json_schema"},
                             {"json_schema", {{"name", "pick"}, {"schema", schema}}}};
  for (const int seed : {1, 2, 3}) {
    body["seed"] = seed;
    body["temperature"] = 1.5;
    const Json choice = ask(kChat, body)["choices"][0];
    ASSERT_EQ(choice["finish_reason"], "stop") << choice;
    const Json picked = Json::parse(choice["message"]["content"].get<std::string>());
    EXPECT_EQ(picked.size(), 2U);
    EXPECT_TRUE(picked["colour"] == "red" || picked["colour"] == "blue") << picked;
    EXPECT_TRUE(picked["count"] == 1 || picked["count"] == 22) << picked;
  }
}

TEST_F(ApiTest, ASchemaWithAKeywordThatIsNotKnownIsRefusedByItsName) {  // J11
  Json body = chat("Hello.", 8);
  const Json schema =
      Json::parse(R"({"type":"object","properties":{"a":{"type":"string","pattern":"^x"}}})");
  body["response_format"] = {{"type", "json_schema"},
                             {"json_schema", {{"name", "pick"}, {"schema", schema}}}};
  const Received refused = post(kChat, body);
  EXPECT_EQ(refused.status, 400);
  EXPECT_NE(refused.body.find("/properties/a"), std::string::npos) << refused.body;
  EXPECT_NE(refused.body.find("pattern"), std::string::npos) << refused.body;
}

TEST_F(ApiTest, ADeadlineEndsAnAnswerWithWhatItHas) {
  Json body = chat("Write a very long story.", 480);
  body["ignore_eos"] = true;
  body["deadline_ms"] = 1;
  const Received hopeless = post(kChat, body);
  EXPECT_TRUE(hopeless.status == 408 || hopeless.status == 429) << hopeless.body;
  EXPECT_EQ(parse_json(hopeless.body).value()["error"]["param"], "deadline_ms");
  // Time for some tokens on this machine, not for all of them.
  Json shorter = chat("Write a very long story.", 48);
  shorter["ignore_eos"] = true;
  const auto begun = std::chrono::steady_clock::now();
  ask(kChat, shorter);
  const auto taken = std::chrono::steady_clock::now() - begun;
  body["deadline_ms"] = 3 * std::chrono::duration_cast<std::chrono::milliseconds>(taken).count();
  const Json choice = ask(kChat, body)["choices"][0];
  EXPECT_EQ(choice["finish_reason"], "length");
  EXPECT_EQ(choice["stop_reason"], "deadline");
}

TEST_F(ApiTest, OffsetsOfTokensCountCharacters) {
  const Json choice = ask(kCompletions, {{"prompt", "Repeat: \"é ü 漢字 é ü 漢字\" Again: \"é ü"},
                                         {"max_tokens", 12},
                                         {"temperature", 0},
                                         {"logprobs", 0}})["choices"][0];
  const std::string text = choice["text"];
  const Json& offsets = choice["logprobs"]["text_offset"];
  EXPECT_EQ(offsets[0], 0);
  EXPECT_LE(offsets.back().get<std::uint64_t>(), count_characters(text));
  EXPECT_LT(count_characters(text), text.size()) << "no character of several bytes came";
}

TEST_F(ApiTest, AKeyThatStandsTwiceIsRefused) {
  const std::string body = R"({"prompt":"a","max_tokens":1,"max_tokens":2})";
  const Received received =
      Client(address()).ask("POST", kCompletions, body, "Content-Type: application/json\r\n");
  EXPECT_EQ(received.status, 400);
  EXPECT_THAT(received.body, HasSubstr("max_tokens"));
}

Json message(const std::string& text, int tokens) {
  return {{"model", "smol"},
          {"max_tokens", tokens},
          {"temperature", 0},
          {"messages", Json::array({{{"role", "user"}, {"content", text}}})}};
}

constexpr char kMessages[] = "/v1/messages";

TEST_F(ApiTest, AMessageSaysWhatTheChatSays) {
  const Json chat_reply = ask(kChat, chat("Why is the sky blue?", 12));
  const Json reply = ask(kMessages, message("Why is the sky blue?", 12));
  EXPECT_EQ(reply["content"][0]["text"], chat_reply["choices"][0]["message"]["content"]);
  EXPECT_EQ(reply["stop_reason"], "max_tokens");
  EXPECT_EQ(reply["usage"]["output_tokens"], 12);
  Json system = message("Why is the sky blue?", 12);
  system["system"] = Json::array({{{"type", "text"}, {"text", "Answer in French."}}});
  Json same = chat("Why is the sky blue?", 12);
  same["messages"].insert(same["messages"].begin(),
                          Json{{"role", "system"}, {"content", "Answer in French."}});
  EXPECT_EQ(ask(kMessages, system)["content"][0]["text"],
            ask(kChat, same)["choices"][0]["message"]["content"]);
}

TEST_F(ApiTest, TheEventsOfAMessageAddUpToIt) {
  Json body = message("Count to five.", 12);
  const std::string whole = ask(kMessages, body)["content"][0]["text"];
  body["stream"] = true;
  const std::string text = post(kMessages, body).body;
  std::string joined;
  std::vector<std::string> names;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    if (line.starts_with("event: ")) names.push_back(line.substr(7));
    if (!line.starts_with("data: ")) continue;
    const Json data = parse_json(line.substr(6)).value();
    EXPECT_EQ(data["type"], names.back());
    if (data["type"] == "content_block_delta") joined += data["delta"].value("text", "");
  }
  EXPECT_EQ(joined, whole);
  EXPECT_EQ(names.front(), "message_start");
  EXPECT_EQ(names.back(), "message_stop");
  EXPECT_EQ(names[names.size() - 2], "message_delta");
}

TEST_F(ApiTest, AMessageEndsAtItsStopSequenceAndSaysWhich) {
  Json body = message("Count: 1, 2, 3, 4, 5. Repeat that.", 40);
  const std::string whole = ask(kMessages, body)["content"][0]["text"];
  ASSERT_GT(whole.size(), 8u);
  const std::string stop = whole.substr(4, 3);
  body["stop_sequences"] = {"never comes", stop};
  const Json reply = ask(kMessages, body);
  EXPECT_EQ(reply["stop_reason"], "stop_sequence");
  EXPECT_EQ(reply["stop_sequence"], stop);
}

TEST_F(ApiTest, TokensOfAMessageAreCountedAsItIsRead) {
  Json body = message("Why is the sky blue?", 1);
  const Json reply = ask(kMessages, body);
  body.erase("max_tokens");
  body.erase("temperature");
  const Json usage = reply["usage"];
  EXPECT_EQ(ask("/v1/messages/count_tokens", body)["input_tokens"],
            usage["input_tokens"].get<int>() + usage["cache_read_input_tokens"].get<int>());
}

TEST_F(ApiTest, AnErrorOfAMessageHasAnthropicsShape) {
  const Received missing = post(kMessages, {{"messages", Json::array()}});
  EXPECT_EQ(missing.status, 400);
  const Json error = parse_json(missing.body).value();
  EXPECT_EQ(error["type"], "error");
  EXPECT_EQ(error["error"]["type"], "invalid_request_error");
  Json other = message("Hi", 1);
  other["model"] = "claude";
  EXPECT_EQ(parse_json(post(kMessages, other).body).value()["error"]["type"], "not_found_error");
}

}  // namespace
}  // namespace cairn::server

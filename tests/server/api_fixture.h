// One model and one server behind which every test of the endpoints stands: loading it is the slow
// part.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/json.h"
#include "server/api/api.h"
#include "server/http/server.h"
#include "server/resume/stream_keeper.h"
#include "tests/server/client.h"

namespace cairn::server {

using testing::HasSubstr;

inline constexpr char kModel[] = CAIRN_TEST_DATA_DIR "/SmolLM2-135M-Instruct.Q4_1.gguf";

/// One model and one server for all tests.
class ApiTest : public testing::Test {
 protected:
  struct Running {
    Newsroom newsroom;
    std::unique_ptr<runtime::Runtime> model;
    StreamKeeper streams{{}};
    Api api;
    std::unique_ptr<Server> server;
    std::jthread steps;
  };

  static void SetUpTestSuite() {
    running_ = new Running;
    runtime::OpenOptions options{.path = kModel, .context = 512, .sequences = 4};
    options.on_news = [] { running_->newsroom.publish(); };
    auto model = runtime::Runtime::open(options);
    ASSERT_TRUE(model.ok()) << model.status().message();
    running_->model = std::move(model).value();
    start_server();
    running_->steps =
        std::jthread([](const std::stop_token& stop) { running_->model->serve(stop); });
  }
  static void TearDownTestSuite() {
    running_->server.reset();
    running_->steps = {};
    delete running_;
  }
  static void start_server() {
    running_->api.newsroom = &running_->newsroom;
    running_->api.prompt_bytes_max = 4000;
    running_->api.streams = &running_->streams;
    attach(running_->api, {.name = "smol", .sequences = 4, .runtime = running_->model.get()});
    ServerOptions options{.listen = {{.host = "127.0.0.1"}}, .routes = api_routes(running_->api)};
    options.settings.drain_ms = 100;
    auto server = Server::start(std::move(options));
    ASSERT_TRUE(server.ok()) << server.status().message();
    running_->server = std::move(server).value();
  }

  static std::string address() { return running_->server->addresses().at(0); }

  static Received post(const std::string& path, const Json& body) {
    return Client(address()).ask("POST", path, body.dump(), "Content-Type: application/json\r\n");
  }
  static Json ask(const std::string& path, const Json& body) {
    const Received received = post(path, body);
    EXPECT_EQ(received.status, 200) << received.body;
    return parse_json(received.body).value();
  }
  static Json ask_get(const std::string& path) {
    const Received received = Client(address()).ask("GET", path);
    EXPECT_EQ(received.status, 200) << received.body;
    return parse_json(received.body).value();
  }
  /// The data of every event of a stream, without the last, which is [DONE].
  static std::vector<Json> events(const std::string& path, Json body) {
    body["stream"] = true;
    std::string text = post(path, body).body;
    std::vector<Json> chunks;
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at);
      if (text.compare(at, 6, "data: ") == 0) lines.push_back(text.substr(at + 6, end - at - 6));
      at = end + 1;
    }
    EXPECT_FALSE(lines.empty()) << text;
    if (lines.empty()) return {};
    EXPECT_EQ(lines.back(), "[DONE]");
    lines.pop_back();
    for (const std::string& line : lines) chunks.push_back(parse_json(line).value());
    return chunks;
  }
  /// What the model says alone, without a server.
  static std::string alone(const runtime::Prompt& prompt, std::size_t tokens) {
    runtime::GenerateRequest request{.prompt = prompt};
    request.tokens_max = tokens;
    std::string text;
    auto stream = running_->model->generate(request);
    while (const auto piece = (*stream)->next().value()) text += piece->text;
    return text;
  }

  static inline Running* running_ = nullptr;
};

/// A chat of one message.
inline Json chat(const std::string& text, int tokens) {
  return {{"model", "smol"},
          {"messages", Json::array({{{"role", "user"}, {"content", text}}})},
          {"max_tokens", tokens},
          {"temperature", 0}};
}

inline constexpr char kChat[] = "/v1/chat/completions";
inline constexpr char kCompletions[] = "/v1/completions";

}  // namespace cairn::server

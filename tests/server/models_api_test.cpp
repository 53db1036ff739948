// Two real models behind one server, loaded as requests name them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "base/json.h"
#include "server/api/api.h"
#include "server/http/server.h"
#include "server/models/models.h"
#include "tests/server/client.h"

namespace cairn::server {
namespace {

using testing::HasSubstr;

constexpr char kSmolFile[] = CAIRN_TEST_DATA_DIR "/SmolLM2-135M-Instruct.Q4_1.gguf";
constexpr char kGemmaFile[] = CAIRN_TEST_DATA_DIR "/gemma-3-270m-q4_k_m.gguf";

Result<LoadedModel> open_small(const ModelSource& source, std::uint64_t promised,
                               Newsroom& newsroom) {
  runtime::OpenOptions options{.path = source.path, .context = 128, .sequences = 2};
  options.server_bytes = promised;
  options.on_news = [&newsroom] { newsroom.publish(); };
  LoadedModel model;
  CAIRN_ASSIGN(model.owner, runtime::Runtime::open(options));
  model.served = {.name = source.name, .sequences = 2, .runtime = model.owner.get()};
  model.syntax = syntax_of(*model.owner);
  return model;
}

constexpr char kQuestion[] = "The capital of France is";
constexpr std::size_t kTokens = 6;

/// What a model says of the question without a server.
std::string alone(const char* file) {
  auto model = runtime::Runtime::open({.path = file, .context = 128}).value();
  runtime::GenerateRequest request{.prompt = runtime::TextPrompt{.text = kQuestion}};
  request.tokens_max = kTokens;
  std::string text;
  const auto stream = model->generate(request).value();
  while (const auto piece = stream->next().value()) text += piece->text;
  return text;
}

class ModelsApiTest : public testing::Test {
 protected:
  ModelsApiTest() {
    begin(api_);
    api_.newsroom = &newsroom_;
    models_ = Models::create({.sources = {{.name = "smol", .path = kSmolFile},
                                          {.name = "gemma", .path = kGemmaFile},
                                          {.name = "broken", .path = "/dev/null"}},
                              .open =
                                  [this](const ModelSource& source, std::uint64_t promised,
                                         const std::stop_token& /*stop*/) {
                                    return open_small(source, promised, newsroom_);
                                  }})
                  .value();
    api_.models = models_.get();
    ServerOptions options{.listen = {{.host = "127.0.0.1"}}, .routes = api_routes(api_)};
    options.settings.drain_ms = 100;
    server_ = Server::start(std::move(options)).value();
    steps_ = std::jthread([this](const std::stop_token& stop) { models_->serve(stop); });
  }
  ~ModelsApiTest() override {
    server_.reset();
    steps_ = {};
  }

  Received post(const std::string& path, const Json& body) const {
    return Client(server_->addresses().at(0))
        .ask("POST", path, body.dump(), "Content-Type: application/json\r\n");
  }
  Json get(const std::string& path) const {
    const Received received = Client(server_->addresses().at(0)).ask("GET", path);
    EXPECT_EQ(received.status, 200) << received.body;
    return parse_json(received.body).value();
  }
  /// What a model goes on with.
  std::string say(const std::string& model) const {
    const Received received = post(
        "/v1/completions",
        {{"model", model}, {"prompt", kQuestion}, {"max_tokens", kTokens}, {"temperature", 0}});
    EXPECT_EQ(received.status, 200) << received.body;
    const Json reply = parse_json(received.body).value();
    EXPECT_EQ(reply["model"], model);
    return reply["choices"][0]["text"];
  }

  Newsroom newsroom_;
  Api api_;
  std::unique_ptr<Models> models_;
  std::unique_ptr<Server> server_;
  std::jthread steps_;
};

TEST_F(ModelsApiTest, ModelsAreLoadedByTheirNameAndListed) {
  EXPECT_EQ(get("/v1/models")["data"][0]["status"]["value"], "unloaded");
  EXPECT_EQ(get("/v1/models/gemma")["id"], "gemma");
  EXPECT_EQ(say("smol"), alone(kSmolFile));
  EXPECT_EQ(say("gemma"), alone(kGemmaFile));
  const Json listed = get("/v1/models")["data"];
  ASSERT_EQ(listed.size(), 3U);
  EXPECT_EQ(listed[0]["status"]["value"], "loaded");
  EXPECT_EQ(listed[1]["meta"]["architecture"], "gemma3");
  EXPECT_EQ(listed[2]["status"]["value"], "unloaded");
  EXPECT_EQ(get("/props?model=gemma")["model_alias"], "gemma");
  EXPECT_EQ(get("/slots?model=smol")[0]["model"], "smol");
  const Received metrics = Client(server_->addresses().at(0)).ask("GET", "/metrics");
  EXPECT_THAT(metrics.body, HasSubstr("model_name=\"smol\"} 6\n"));
  EXPECT_THAT(metrics.body, HasSubstr("model_name=\"gemma\"} 6\n"));
}

TEST_F(ModelsApiTest, RequestsForDifferentModelsTakeTurnsAndNoneIsLost) {
  const std::string smol = say("smol");
  const std::string gemma = say("gemma");
  std::vector<std::jthread> clients;
  for (int i = 0; i < 4; ++i) {
    clients.emplace_back([&, i] {
      for (int n = 0; n < 3; ++n) {
        const bool first = (i + n) % 2 == 0;
        EXPECT_EQ(say(first ? "smol" : "gemma"), first ? smol : gemma);
      }
    });
  }
}

TEST_F(ModelsApiTest, AnUnknownNameIsA404ThatListsWhatThereIs) {
  for (const char* path : {"/v1/completions", "/tokenize"}) {
    const Received received = post(path, {{"model", "else"}, {"prompt", "x"}});
    EXPECT_EQ(received.status, 404);
    EXPECT_THAT(received.body, HasSubstr("smol, gemma, broken"));
  }
  EXPECT_EQ(Client(server_->addresses().at(0)).ask("GET", "/v1/models/else").status, 404);
  EXPECT_EQ(Client(server_->addresses().at(0)).ask("GET", "/props?model=else").status, 404);
}

TEST_F(ModelsApiTest, AModelThatCannotBeLoadedIsA500WithoutItsPath) {
  const Received received = post("/v1/completions", {{"model", "broken"}, {"prompt", "x"}});
  EXPECT_EQ(received.status, 500);
  EXPECT_THAT(received.body, HasSubstr("model_load_failed"));
  EXPECT_THAT(received.body, testing::Not(HasSubstr("/dev/null")));
  EXPECT_EQ(post("/models/load", {{"model", "broken"}}).status, 500);
  EXPECT_EQ(get("/v1/models/broken")["status"]["value"], "failed");
}

TEST_F(ModelsApiTest, TheAdministratorLoadsAndUnloads) {
  EXPECT_EQ(post("/models/load", {{"model", "smol"}}).status, 200);
  EXPECT_EQ(get("/v1/models/smol")["status"]["value"], "loaded");
  EXPECT_EQ(post("/models/unload", {{"model", "smol"}}).status, 200);
  EXPECT_EQ(get("/v1/models/smol")["status"]["value"], "unloaded");
  EXPECT_EQ(get("/slots").size(), 0U);
  EXPECT_EQ(post("/models/load", {{"model", "else"}}).status, 404);
  EXPECT_EQ(post("/models/load", Json::object()).status, 400);
}

}  // namespace
}  // namespace cairn::server

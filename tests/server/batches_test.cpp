// /v1/files and /v1/batches with a real model behind them.
#include <cstdlib>
#include <filesystem>
#include <map>

#include "server/batch/batches.h"
#include "server/files/file_store.h"
#include "tests/server/api_fixture.h"

namespace cairn::server {
namespace {

namespace fs = std::filesystem;

/// The server of all tests with a folder for files, worked off while a Worker lives.
class BatchesTest : public ApiTest {
 protected:
  BatchesTest() {
    std::string name = testing::TempDir() + "/cairn_batches_XXXXXX";
    folder_ = mkdtemp(name.data());
    open();
  }
  ~BatchesTest() override {
    running_->api.files = nullptr;
    running_->api.batches = nullptr;
    fs::remove_all(folder_);
  }
  void open() {
    files_ = FileStore::open(folder_ + "/files", {}).value();
    batches_ = Batches::open(folder_ + "/batches", *files_, limits_).value();
    running_->api.files = files_.get();
    running_->api.batches = batches_.get();
  }
  std::jthread worker() {
    return std::jthread(
        [this](const std::stop_token& stop) { batches_->serve(running_->api, stop); });
  }

  static Received upload(const std::string& content, const std::string& purpose = "batch") {
    const std::string body =
        "--B\r\nContent-Disposition: form-data; name=\"purpose\"\r\n\r\n" + purpose +
        "\r\n--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"in.jsonl\"\r\n\r\n" +
        content + "\r\n--B--\r\n";
    return Client(address()).ask("POST", "/v1/files", body,
                                 "Content-Type: multipart/form-data; boundary=B\r\n");
  }
  static std::string uploaded(const std::string& content) {
    const Received received = upload(content);
    EXPECT_EQ(received.status, 200) << received.body;
    return parse_json(received.body).value()["id"];
  }
  static std::string line(const std::string& id, const Json& body, const std::string& url = kChat) {
    return Json{{"custom_id", id}, {"method", "POST"}, {"url", url}, {"body", body}}.dump() + "\n";
  }
  static Json create(const std::string& file, const std::string& endpoint = kChat) {
    return ask("/v1/batches", {{"input_file_id", file},
                               {"endpoint", endpoint},
                               {"completion_window", "24h"},
                               {"metadata", {{"a", "b"}}}});
  }
  static Json get(const Json& batch) {
    return ask_get("/v1/batches/" + batch["id"].get<std::string>());
  }
  /// The batch once it has that status.
  static Json waited(const Json& batch, const std::string& status) {
    Json now;
    EXPECT_TRUE(eventually([&] {
      now = get(batch);
      return now["status"] == status;
    })) << now.dump();
    return now;
  }
  /// The lines of a file by custom_id.
  static std::map<std::string, Json> lines_of(const Json& file_id) {
    const std::string text =
        Client(address()).ask("GET", "/v1/files/" + file_id.get<std::string>() + "/content").body;
    std::map<std::string, Json> lines;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at);
      Json line = parse_json(text.substr(at, end - at)).value();
      const std::string id = line["custom_id"];
      EXPECT_TRUE(lines.emplace(id, std::move(line)).second) << id << " stands twice";
      at = end + 1;
    }
    return lines;
  }

  std::string folder_;
  Batches::Limits limits_;
  std::unique_ptr<FileStore> files_;
  std::unique_ptr<Batches> batches_;
};

TEST_F(BatchesTest, AFileIsKeptListedReadAndRemoved) {
  const std::string content = line("a", chat("Hi", 2));
  const Json file = parse_json(upload(content).body).value();
  EXPECT_EQ(file["object"], "file");
  EXPECT_EQ(file["bytes"], content.size());
  EXPECT_EQ(file["filename"], "in.jsonl");
  const std::string path = "/v1/files/" + file["id"].get<std::string>();
  EXPECT_EQ(ask_get(path), file);
  EXPECT_EQ(ask_get("/v1/files?purpose=batch")["data"], Json::array({file}));
  EXPECT_EQ(ask_get("/v1/files?purpose=other")["data"].size(), 0U);
  EXPECT_EQ(Client(address()).ask("GET", path + "/content").body, content);
  EXPECT_EQ(Client(address()).ask("DELETE", path).status, 200);
  EXPECT_EQ(Client(address()).ask("GET", path).status, 404);
  EXPECT_EQ(Client(address()).ask("GET", "/v1/files/..%2Ffiles/content").status, 404);
  EXPECT_EQ(upload(content, "fine-tune").status, 400);
  EXPECT_EQ(post("/v1/files", {{"purpose", "batch"}}).status, 400);
}

TEST_F(BatchesTest, ABatchAnswersAsTheEndpointDoes) {
  Json streamed = chat("Hi", 2);
  streamed["stream"] = true;
  const std::string file = uploaded(line("good", chat("Why is the sky blue?", 8)) +
                                    line("bad", chat("Hi", -1)) + line("streamed", streamed));
  const Json made = create(file);
  EXPECT_EQ(made["status"], "validating");
  EXPECT_EQ(made["metadata"]["a"], "b");
  const std::jthread work = worker();
  const Json batch = waited(made, "completed");
  EXPECT_EQ(batch["request_counts"], (Json{{"total", 3}, {"completed", 1}, {"failed", 2}}));
  const auto output = lines_of(batch["output_file_id"]);
  ASSERT_EQ(output.size(), 1U);
  EXPECT_EQ(output.at("good")["response"]["body"]["choices"][0]["message"],
            ask(kChat, chat("Why is the sky blue?", 8))["choices"][0]["message"]);
  const auto errors = lines_of(batch["error_file_id"]);
  EXPECT_EQ(errors.at("bad")["response"]["body"]["error"]["param"], "max_tokens");
  EXPECT_EQ(errors.at("streamed")["response"]["body"]["error"]["param"], "stream");
  EXPECT_EQ(ask_get("/v1/batches")["data"][0]["id"], made["id"]);
}

TEST_F(BatchesTest, EmbeddingsComeInABatchToo) {
  const Json made =
      create(uploaded(line("a", {{"input", "The sky"}}, "/v1/embeddings")), "/v1/embeddings");
  const std::jthread work = worker();
  const auto output = lines_of(waited(made, "completed")["output_file_id"]);
  EXPECT_EQ(output.at("a")["response"]["body"]["data"],
            ask("/v1/embeddings", {{"input", "The sky"}})["data"]);
}

TEST_F(BatchesTest, ABatchGoesOnAfterARestartWithNothingTwice) {
  std::string content;
  for (int i = 0; i < 12; ++i) content += line(std::to_string(i), chat("Count.", 4));
  const Json made = create(uploaded(content));
  {
    const std::jthread work = worker();
    EXPECT_TRUE(eventually([&] { return get(made)["request_counts"]["completed"] > 0; }));
  }
  EXPECT_EQ(get(made)["status"], "in_progress");
  open();
  const std::jthread work = worker();
  const Json batch = waited(made, "completed");
  EXPECT_EQ(lines_of(batch["output_file_id"]).size(), 12U);
  EXPECT_EQ(batch["request_counts"]["completed"], 12);
}

TEST_F(BatchesTest, ABatchIsCancelledWithWhatItHas) {
  const Json made = create(uploaded(line("a", chat("Hi", 2)) + line("b", chat("Hi", 2))));
  EXPECT_EQ(post("/v1/batches/" + made["id"].get<std::string>() + "/cancel", Json::object()).status,
            200);
  const std::jthread work = worker();
  const Json batch = waited(made, "cancelled");
  EXPECT_TRUE(batch["output_file_id"].is_null());
  EXPECT_EQ(lines_of(batch["error_file_id"]).at("b")["error"]["code"], "batch_cancelled");
  const std::string path = "/v1/batches/" + made["id"].get<std::string>() + "/cancel";
  EXPECT_EQ(post(path, Json::object()).status, 400) << "it has ended";
  EXPECT_EQ(post("/v1/batches/batch_x/cancel", Json::object()).status, 404);
}

TEST_F(BatchesTest, ABatchWhoseTimeIsOverEndsExpired) {
  limits_.clock_s = [now_s = std::int64_t{1000}]() mutable { return now_s += 100'000; };
  open();
  const Json made = create(uploaded(line("a", chat("Hi", 2))));
  const std::jthread work = worker();
  const Json batch = waited(made, "expired");
  EXPECT_EQ(lines_of(batch["error_file_id"]).at("a")["error"]["code"], "batch_expired");
}

TEST_F(BatchesTest, AFileThatIsNoBatchFailsWithTheLine) {
  const Json made = create(uploaded(line("a", chat("Hi", 2)) + "nonsense\n"));
  const Json other = create(uploaded(line("a", chat("Hi", 2), kCompletions)));
  const std::jthread work = worker();
  const auto message = [](const Json& batch) {
    return waited(batch, "failed")["errors"]["data"][0]["message"].get<std::string>();
  };
  EXPECT_THAT(message(made),
              testing::AllOf(HasSubstr("line 2"), testing::Not(HasSubstr("/files/"))));
  EXPECT_THAT(message(other), HasSubstr("url is \"/v1/completions\""));
}

TEST_F(BatchesTest, AWishThatCannotBeIsRefusedByItsField) {
  const std::string file = uploaded(line("a", chat("Hi", 2)));
  const auto param = [](const Json& body) {
    const Received received = post("/v1/batches", body);
    EXPECT_GE(received.status, 400) << received.body;
    return parse_json(received.body).value()["error"]["param"];
  };
  EXPECT_EQ(param({{"input_file_id", "file-x"}, {"endpoint", kChat}}), "input_file_id");
  EXPECT_EQ(param({{"input_file_id", file}, {"endpoint", "/v1/models"}}), "endpoint");
  EXPECT_EQ(param({{"input_file_id", file}, {"endpoint", kChat}, {"completion_window", "1h"}}),
            "completion_window");
}

}  // namespace
}  // namespace cairn::server

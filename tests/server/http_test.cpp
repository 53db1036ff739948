// What well-behaved clients rely on.
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/json.h"
#include "tests/server/client.h"
#include "tests/server/routes.h"

namespace cairn::server {
namespace {

class HttpTest : public testing::Test {
 protected:
  void begin(ServerOptions options) {
    server_ = start_or_die(std::move(options));
    address_ = server_->addresses().at(0);
  }
  void begin() { begin(test_options(watched_)); }
  Client client() const { return Client(address_); }

  std::shared_ptr<Watched> watched_ = std::make_shared<Watched>();
  std::unique_ptr<Server> server_;
  std::string address_;
};

TEST_F(HttpTest, AConnectionIsKeptForTheNextRequest) {
  begin();
  Client client(address_);
  for (int i = 0; i < 3; ++i) {
    const Received received = client.ask("GET", "/text");
    EXPECT_EQ(received.status, 200);
    EXPECT_EQ(received.body, "hello");
    EXPECT_EQ(received.header("connection"), "keep-alive");
  }
  const Received last = client.ask("GET", "/text", "", "Connection: close\r\n");
  EXPECT_EQ(last.header("connection"), "close");
  EXPECT_EQ(client.read_to_end(), "");
  EXPECT_TRUE(client.ended());
}

TEST_F(HttpTest, PipelinedRequestsAreAnsweredInTheirOrder) {
  begin();
  Client client(address_);
  std::string all;
  for (int i = 0; i < 50; ++i) {
    const std::string body = "number " + std::to_string(i);
    all +=
        "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + std::to_string(body.size()) +
        "\r\n\r\n" + body;
    if (i % 7 == 0) all += "GET /count?n=2 HTTP/1.1\r\nHost: localhost\r\n\r\n";
  }
  ASSERT_TRUE(client.send(all));
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(client.receive().body, "number " + std::to_string(i));
    if (i % 7 == 0) {
      EXPECT_EQ(client.receive().body, "id: 0\ndata: x0\n\nid: 1\ndata: x1\n\n");
    }
  }
}

TEST_F(HttpTest, ARequestByteByByteIsAnsweredLikeAnyOther) {
  begin();
  Client client(address_);
  for (const char c :
       std::string("POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked"
                   "\r\n\r\n3;x=y\r\nabc\r\n0\r\nTrailer: 1\r\n\r\n")) {
    ASSERT_TRUE(client.send({&c, 1}));
  }
  EXPECT_EQ(client.receive().body, "abc");
  EXPECT_EQ(client.ask("GET", "/text").body, "hello");
}

TEST_F(HttpTest, UnixSocketsServeTheSame) {
  ServerOptions options = test_options(watched_);
  const std::string path = test_path("test.sock");
  options.listen.push_back({.host = {}, .port = 0, .unix_path = path});
  begin(options);
  ASSERT_EQ(server_->addresses().at(1), "unix:" + path);
  Client local("unix:" + path);
  EXPECT_EQ(local.ask("GET", "/text").body, "hello");
  EXPECT_FALSE(Server::start(options).ok());  // taken
  server_->stop();
  EXPECT_NE(::access(path.c_str(), F_OK), 0);
  write_test_file("test.sock", "no socket");
  EXPECT_FALSE(Server::start(options).ok());
  ::unlink(path.c_str());
}

TEST_F(HttpTest, HeadIsGetWithoutTheBody) {
  begin();
  Client client(address_);
  const Received head = client.ask("HEAD", "/text");
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.header("content-length"), "5");
  EXPECT_EQ(client.ask("HEAD", "/count").status, 200);
  EXPECT_EQ(client.ask("GET", "/text").body, "hello");
}

TEST_F(HttpTest, UnknownPathsAndMethodsSayWhatThereIs) {
  begin();
  Client client(address_);
  const Received missing = client.ask("GET", "/nothing");
  EXPECT_EQ(missing.status, 404);
  EXPECT_EQ((*parse_json(missing.body))["error"]["type"], "invalid_request_error");
  const Received wrong = client.ask("DELETE", "/text");
  EXPECT_EQ(wrong.status, 405);
  EXPECT_EQ(wrong.header("allow"), "GET, HEAD, OPTIONS");
  EXPECT_EQ(client.ask("BREW", "/text").status, 405);
  const Received options = client.ask("OPTIONS", "/echo");
  EXPECT_EQ(options.status, 204);
  EXPECT_EQ(options.header("allow"), "POST, OPTIONS");
}

TEST_F(HttpTest, OnlyJsonReachesAJsonRoute) {
  begin();
  Client client(address_);
  EXPECT_EQ(
      client.ask("POST", "/json", "{}", "Content-Type: application/json; charset=utf-8\r\n").status,
      200);
  EXPECT_EQ(client.ask("POST", "/json", "{}", "Content-Type: text/plain\r\n").status, 415);
  Client second(address_);
  EXPECT_EQ(second.ask("POST", "/echo", "{}", "Content-Encoding: gzip\r\n").status, 415);
}

TEST_F(HttpTest, AThrowingHandlerIsA500AndTheConnectionLives) {
  begin();
  Client client(address_);
  EXPECT_EQ(client.ask("GET", "/throw").status, 500);
  EXPECT_EQ(client.ask("GET", "/text").status, 200);
}

TEST_F(HttpTest, KeysOpenWhatTheyShould) {  // A38
  ServerOptions options = test_options(watched_);
  options.keys_file = write_test_file("keys", "first-key\nsecond-key\n");
  options.admin_keys_file = write_test_file("admin-keys", "admin-key-1\n");
  begin(options);
  Client client(address_);
  EXPECT_EQ(client.ask("GET", "/health").status, 200);
  const Received refused = client.ask("GET", "/text");
  EXPECT_EQ(refused.status, 401);
  EXPECT_EQ(refused.header("www-authenticate"), "Bearer");
  EXPECT_EQ(client.ask("GET", "/text", "", "Authorization: Bearer second-key\r\n").status, 200);
  EXPECT_EQ(client.ask("GET", "/text", "", "X-Api-Key: first-key\r\n").status, 200);
  EXPECT_EQ(client.ask("GET", "/text", "", "Authorization: Bearer first-ke\r\n").status, 401);
  EXPECT_EQ(client.ask("GET", "/admin", "", "X-Api-Key: first-key\r\n").status, 403);
  EXPECT_EQ(client.ask("GET", "/admin", "", "X-Api-Key: admin-key-1\r\n").status, 200);
  write_test_file("keys", "third-key\n");
  ASSERT_TRUE(server_->reload().ok());
  EXPECT_TRUE(eventually(
      [&] { return client.ask("GET", "/text", "", "X-Api-Key: third-key\r\n").status == 200; }));
  EXPECT_EQ(client.ask("GET", "/text", "", "X-Api-Key: first-key\r\n").status, 401);
  write_test_file("keys", "");
  EXPECT_FALSE(server_->reload().ok());
  EXPECT_EQ(client.ask("GET", "/text", "", "X-Api-Key: third-key\r\n").status, 200);
}

TEST_F(HttpTest, APreflightNeedsNoKeyAndARefusalCanBeRead) {  // A37
  ServerOptions options = test_options(watched_);
  options.keys_file = write_test_file("keys", "first-key\n");
  begin(options);
  Client client(address_);
  const Received preflight =
      client.ask("OPTIONS", "/echo", "",
                 "Origin: https://a.example\r\nAccess-Control-Request-Method: POST\r\n"
                 "Access-Control-Request-Headers: authorization\r\n");
  EXPECT_EQ(preflight.status, 204);
  EXPECT_EQ(preflight.header("access-control-allow-origin"), "*");
  EXPECT_EQ(preflight.header("access-control-allow-headers"), "authorization");
  const Received refused = client.ask("POST", "/echo", "", "Origin: https://a.example\r\n");
  EXPECT_EQ(refused.status, 401);
  EXPECT_EQ(refused.header("access-control-allow-origin"), "*");
}

TEST_F(HttpTest, APageOfAnotherSiteCannotDriveAServerWithoutKeys) {  // Z12
  begin();
  Client client(address_);
  const Received page = client.ask("GET", "/text", "", "Origin: https://other.example\r\n");
  EXPECT_EQ(page.header("access-control-allow-origin"), "");
  EXPECT_EQ(page.header("access-control-allow-credentials"), "");
  EXPECT_EQ(client.ask("POST", "/echo", "", "Origin: https://other.example\r\n").status, 403);
  EXPECT_EQ(client.ask("POST", "/echo", "", "Origin: http://localhost:3000\r\n").status, 200);
  EXPECT_EQ(watched_->handled, 1);
  client.send("GET /text HTTP/1.1\r\nHost: rebound.example\r\n\r\n");
  EXPECT_EQ(client.receive().status, 403);
}

TEST_F(HttpTest, LargeBodiesAreCompressedForThoseWhoAcceptIt) {
  begin();
  Client client(address_);
  const Received packed = client.ask("GET", "/big", "", "Accept-Encoding: gzip, br\r\n");
  EXPECT_EQ(packed.header("content-encoding"), "gzip");
  EXPECT_LT(packed.body.size(), 20'000U);
  EXPECT_EQ(client.ask("GET", "/big", "", "Accept-Encoding: gzip;q=0\r\n").body.size(), 1U << 20U);
  EXPECT_EQ(client.ask("GET", "/text", "", "Accept-Encoding: gzip\r\n").body, "hello");
}

TEST_F(HttpTest, AWaitingClientGetsItsGoAheadOrARefusal) {
  begin();
  Client client(address_);
  client.send(
      "POST /echo HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: "
      "3\r\n\r\n");
  EXPECT_EQ(client.receive_head().status, 100);
  client.send("abc");
  EXPECT_EQ(client.receive().body, "abc");
  client.send(
      "POST /no HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
  EXPECT_EQ(client.receive().status, 404);
}

TEST_F(HttpTest, AnOldClientReadsAStreamToTheEndOfTheConnection) {
  begin();
  Client client(address_);
  client.send("GET /count?n=2 HTTP/1.0\r\n\r\n");
  const std::string all = client.read_to_end();
  EXPECT_TRUE(all.ends_with("\r\n\r\nid: 0\ndata: x0\n\nid: 1\ndata: x1\n\n")) << all;
  EXPECT_EQ(all.find("chunked"), std::string::npos);
}

TEST_F(HttpTest, ALongStreamArrivesWhole) {
  begin();
  Client client(address_);
  const Received received = client.ask("GET", "/count?n=200000");
  ASSERT_TRUE(received.ok);
  EXPECT_TRUE(received.body.ends_with("id: 199999\ndata: x199999\n\n"));
  EXPECT_EQ(received.header("content-type"), "text/event-stream");
  EXPECT_TRUE(eventually([&] { return watched_->sources == 0; }));
}

TEST_F(HttpTest, WakingManyStreamsPullsEachOnce) {
  begin();
  std::vector<Client> clients;
  for (int i = 0; i < 20; ++i) {
    clients.emplace_back(address_);
    clients.back().send("GET /held HTTP/1.1\r\nHost: localhost\r\n\r\n");
  }
  ASSERT_TRUE(eventually([&] { return watched_->sources == 20; }));
  pause_ms(200);  // until each has looked once and waits
  const int before = watched_->pulls;
  {
    const std::scoped_lock lock(watched_->mutex);
    Waker::wake_all(watched_->wakers);
  }
  ASSERT_TRUE(eventually([&] { return watched_->pulls >= before + 20; }));
  pause_ms(50);
  EXPECT_EQ(watched_->pulls, before + 20);
}

TEST_F(HttpTest, ARequestKeepsTheNameThatItsClientGaveIt) {
  begin();
  Client client(address_);
  EXPECT_EQ(client.ask("GET", "/text", "", "X-Request-Id: mine-1\r\n").header("x-request-id"),
            "mine-1");
  EXPECT_EQ(client.ask("GET", "/text", "", "X-Request-Id: a b\r\n").header("x-request-id").size(),
            32U);
}

TEST_F(HttpTest, AddressesBeyondThisMachineNeedKeysOrASayingSo) {
  ServerOptions options = test_options(watched_);
  options.listen = {{.host = "0.0.0.0", .port = 0, .unix_path = {}}};
  EXPECT_FALSE(Server::start(options).ok());
  options.exposure = Exposure::kAnywhere;
  EXPECT_TRUE(Server::start(options).ok());
  options.listen = {{.host = "example.org", .port = 0, .unix_path = {}}};
  EXPECT_FALSE(Server::start(options).ok());
  options.listen.clear();
  EXPECT_FALSE(Server::start(options).ok());
}

TEST_F(HttpTest, UntilTheModelIsThereRequestsAreToldWhenToComeBack) {  // A47
  ServerOptions options = test_options(watched_);
  options.readiness = Readiness::kLoading;
  begin(std::move(options));
  for (const char* path : {"/health", "/text", "/count?n=1"}) {
    const Received early = client().ask("GET", path);
    EXPECT_EQ(early.status, 503) << path;
    EXPECT_EQ(early.header("retry-after"), "2") << path;
  }
  EXPECT_EQ(client().ask("GET", "/nowhere").status, 404);
  server_->ready();
  EXPECT_TRUE(eventually([&] { return client().ask("GET", "/text").status == 200; }));
}

TEST_F(HttpTest, TheLogKnowsTheRouteAndNeverTheQuery) {
  begin();
  EXPECT_EQ(client().ask("GET", "/count?n=1").status, 200);
  EXPECT_EQ(client().ask("GET", "/nowhere").status, 404);
  ASSERT_TRUE(eventually([&] { return watched_->statuses().size() == 2; }));
  const std::scoped_lock lock(watched_->mutex);
  EXPECT_EQ(watched_->log[0].path, "/count");
  EXPECT_EQ(watched_->log[0].route, "/count");
  EXPECT_EQ(watched_->log[1].route, "");
  EXPECT_GT(watched_->log[0].time_ms, 0);
}

}  // namespace
}  // namespace cairn::server

// What clients that are slow, broken or malicious cost: themselves, never anybody else.
#include <dirent.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <deque>

#include "tests/server/client.h"
#include "tests/server/routes.h"

namespace cairn::server {
namespace {

const std::string kHead = " HTTP/1.1\r\nHost: localhost\r\n";

std::size_t open_descriptors() {
  std::size_t count = 0;
  DIR* const folder = ::opendir("/proc/self/fd");
  while (::readdir(folder) != nullptr) ++count;
  ::closedir(folder);
  return count;
}

class HostileTest : public testing::Test {
 protected:
  HostileTest() : options_(test_options(watched_)) {}

  void begin() {
    server_ = start_or_die(options_);
    address_ = server_->addresses().at(0);
  }
  /// Somebody else is served, and soon.
  void expect_others_served() {
    const auto begun = std::chrono::steady_clock::now();
    Client other(address_);
    EXPECT_EQ(other.ask("GET", "/text").body, "hello");
    EXPECT_EQ(other.ask("POST", "/echo", "abc").body, "abc");
    EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(5));
  }

  std::shared_ptr<Watched> watched_ = std::make_shared<Watched>();
  ServerOptions options_;
  std::unique_ptr<Server> server_;
  std::string address_;
};

TEST_F(HostileTest, GarbageIsRefusedAndTheConnectionEnds) {
  begin();
  for (const std::string& garbage :
       {std::string("\x16\x03\x01\x02\x00\x01\x00\x01\r\n\r\n", 12),
        std::string("GET / HTTP/1.1\n\n"),
        "POST /echo" + kHead + "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
        "POST /echo" + kHead + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST /echo" + kHead + "Transfer-Encoding: chunked\r\n\r\n-2\r\n",
        "GET /text" + kHead + "X: a\r\n b\r\n\r\n"}) {
    Client client(address_);
    client.send(garbage + "GET /text" + kHead + "\r\n");
    const Received received = client.receive();
    EXPECT_EQ(received.status, 400) << garbage;
    EXPECT_EQ(received.header("connection"), "close");
    EXPECT_EQ(client.read_to_end(), "");  // what was smuggled behind is not answered
    EXPECT_TRUE(client.ended());
  }
  EXPECT_EQ(watched_->handled, 0);
  expect_others_served();
}

TEST_F(HostileTest, PipelinedGarbageEndsAtTheFirstBadRequest) {
  begin();
  Client client(address_);
  client.send("GET /text" + kHead + "\r\n" + "GET /text" + kHead + "\r\nrubbish\r\n\r\n");
  EXPECT_EQ(client.receive().status, 200);
  EXPECT_EQ(client.receive().status, 200);
  EXPECT_EQ(client.receive().status, 400);
  EXPECT_EQ(client.read_to_end(), "");
}

TEST_F(HostileTest, LargeHeadsAndBodiesAreAnsweredWithTheirStatus) {  // A45, Z09, Z10
  begin();
  const std::string big(3 << 20, 'x');
  Client target(address_);
  target.send("GET /" + big);
  EXPECT_EQ(target.receive().status, 414);
  Client header(address_);
  header.send("GET /text" + kHead + "X: " + big);
  EXPECT_EQ(header.receive().status, 431);
  Client body(address_);
  body.send("POST /echo" + kHead + "Content-Length: 3145728\r\n\r\n" + big);
  EXPECT_EQ(body.receive().status, 413);
  Client chunks(address_);
  chunks.send("POST /echo" + kHead + "Transfer-Encoding: chunked\r\n\r\n300000\r\n" + big);
  EXPECT_EQ(chunks.receive().status, 413);
  Client allowed(address_);
  const std::string two(2 << 20, 'y');
  EXPECT_EQ(allowed.ask("POST", "/echo", two).body, two);
  expect_others_served();
}

TEST_F(HostileTest, SlowHeadsAndBodiesRunIntoTheirTime) {
  options_.settings.first_byte_ms = 200;
  options_.settings.header_ms = 300;
  options_.settings.body_ms = 300;
  options_.settings.idle_ms = 200;
  begin();
  Client silent(address_);
  Client slow(address_);
  Client slow_body(address_);
  slow_body.send("POST /echo" + kHead + "Content-Length: 10\r\n\r\na");
  for (int i = 0; i < 8; ++i) {
    slow.send("G");
    pause_ms(50);
  }
  EXPECT_EQ(slow.receive().status, 408);
  EXPECT_EQ(slow_body.receive().status, 408);
  EXPECT_EQ(silent.read_to_end(), "");
  EXPECT_TRUE(silent.ended());
  Client idle(address_);
  EXPECT_EQ(idle.ask("GET", "/text").status, 200);
  EXPECT_EQ(idle.read_to_end(), "");
  EXPECT_TRUE(idle.ended());
}

TEST_F(HostileTest, ManySlowClientsDelayNobody) {
  begin();
  std::deque<Client> slow;
  for (int i = 0; i < 200; ++i) {
    slow.emplace_back(address_);
    slow.back().send(i % 2 == 0 ? "GET /te" : "POST /echo" + kHead + "Content-Length: 9\r\n\r\nx");
  }
  expect_others_served();
  for (Client& client : slow) client.reset();
  EXPECT_TRUE(eventually([&] { return server_->connections() == 0; }));
}

TEST_F(HostileTest, AReaderThatStopsIsEndedAndItsSourceDestroyed) {
  options_.settings.write_ms = 300;
  begin();
  Client client(address_);
  client.send("GET /endless" + kHead + "\r\n");
  ASSERT_TRUE(eventually([&] { return watched_->sources == 1; }));
  expect_others_served();
  EXPECT_TRUE(eventually([&] { return watched_->sources == 0; }));
  EXPECT_EQ(watched_->statuses().back(), 499);
  EXPECT_LT(watched_->pulls, 2000);  // not more than the kernel's buffers took
}

TEST_F(HostileTest, AClientThatGoesAwayCancelsItsAnswer) {  // A34
  begin();
  for (const std::string path : {"/held", "/pending", "/endless"}) {
    for (const bool by_reset : {true, false}) {
      Client client(address_);
      client.send("GET " + path + kHead + "\r\n");
      ASSERT_TRUE(eventually([&] { return watched_->sources + watched_->pending == 1; })) << path;
      if (by_reset) {
        client.reset();
      } else {
        client.close();
      }
      EXPECT_TRUE(eventually([&] { return watched_->sources + watched_->pending == 0; })) << path;
    }
  }
  expect_others_served();
}

TEST_F(HostileTest, AClientThatOnlyStopsSendingGetsItsAnswer) {
  begin();
  watched_->gate.lock();
  Client waits(address_);
  waits.send("GET /gate" + kHead + "\r\n");
  waits.shutdown_send();
  pause_ms(200);
  watched_->gate.unlock();
  EXPECT_THAT(waits.read_to_end(),
              testing::AllOf(testing::HasSubstr("HTTP/1.1 200 OK"), testing::HasSubstr("through")));
  Client posts(address_);
  posts.send("POST /echo" + kHead + "Content-Length: 2\r\n\r\nhiGET /text" + kHead + "\r\n");
  posts.shutdown_send();
  EXPECT_EQ(posts.receive().body, "hi");
  EXPECT_EQ(posts.receive().body, "hello");
  EXPECT_TRUE(eventually([&] { return server_->connections() == 0; }));
}

TEST_F(HostileTest, AStreamGoesOnForAClientThatOnlyStopsSending) {
  begin();
  Client client(address_);
  client.send("GET /held" + kHead + "\r\n");
  client.shutdown_send();
  ASSERT_TRUE(eventually([&] { return watched_->sources == 1; }));
  pause_ms(300);
  EXPECT_EQ(watched_->sources, 1);
  client.close();
  EXPECT_TRUE(eventually([&] { return server_->connections() == 0 || watched_->sources == 0; }));
}

TEST_F(HostileTest, ATargetThatNamesAnotherHostThanTheHeaderIsRefused) {
  begin();
  Client other(address_);
  other.send("GET http://elsewhere/text" + kHead + "\r\n");
  EXPECT_EQ(other.receive().status, 400);
  Client same(address_);
  same.send("GET http://LOCALHOST/text" + kHead + "\r\n");
  EXPECT_EQ(same.receive().body, "hello");
}

TEST_F(HostileTest, ARequestWhoseClientLeftTheQueueNeverRuns) {  // A35
  begin();
  watched_->gate.lock();
  Client first(address_);
  first.send("GET /gate" + kHead + "\r\n");
  std::deque<Client> waiting;
  for (int i = 0; i < 5; ++i) {
    waiting.emplace_back(address_);
    waiting.back().send("POST /echo" + kHead + "Content-Length: 0\r\n\r\n");
  }
  pause_ms(200);
  for (Client& client : waiting) client.reset();
  EXPECT_TRUE(eventually([&] { return server_->connections() == 1; }));
  watched_->gate.unlock();
  EXPECT_EQ(first.receive().body, "through");
  expect_others_served();
  EXPECT_EQ(watched_->handled, 1);  // the one just made
}

TEST_F(HostileTest, AFullQueueIsA429ThatSaysWhenToComeBack) {
  options_.settings.waiting_jobs_max = 1;
  begin();
  watched_->gate.lock();
  std::deque<Client> clients;
  for (int i = 0; i < 4; ++i) {
    clients.emplace_back(address_);
    clients.back().send("GET /gate" + kHead + "\r\n");
    pause_ms(100);
  }
  const Received refused = clients.back().receive();
  EXPECT_EQ(refused.status, 429);
  EXPECT_EQ(refused.header("retry-after"), "1");
  watched_->gate.unlock();
  EXPECT_EQ(clients.front().receive().status, 200);
}

TEST_F(HostileTest, MoreConnectionsThanAcceptedAreToldSo) {
  options_.settings.connections_max = 2;
  begin();
  Client first(address_);
  Client second(address_);
  ASSERT_EQ(first.ask("GET", "/text").status, 200);
  ASSERT_EQ(second.ask("GET", "/text").status, 200);
  Client third(address_);
  const Received refused = third.ask("GET", "/text");
  EXPECT_EQ(refused.status, 503);
  EXPECT_EQ(refused.header("retry-after"), "1");
  EXPECT_EQ(first.ask("GET", "/text").status, 200);
}

TEST_F(HostileTest, ABurstOfConnectionsIsAnsweredWithoutAReset) {  // A43
  begin();
  std::deque<Client> burst;
  for (int i = 0; i < 200; ++i) burst.emplace_back(address_);
  for (Client& client : burst)
    ASSERT_TRUE(client.send("POST /echo" + kHead + "Content-Length: 2\r\n\r\nhi"));
  for (Client& client : burst) EXPECT_EQ(client.receive().body, "hi");
}

TEST_F(HostileTest, DeepJsonIsJustBytesHere) {
  begin();
  Client client(address_);
  const std::string deep(100'000, '[');
  EXPECT_EQ(client.ask("POST", "/json", deep, "Content-Type: application/json\r\n").body, deep);
}

TEST_F(HostileTest, ConnectionsLeaveNoDescriptorBehind) {
  begin();
  expect_others_served();
  ASSERT_TRUE(eventually([&] { return server_->connections() == 0; }));
  const std::size_t before = open_descriptors();
  for (int i = 0; i < 300; ++i) {
    Client client(address_);
    client.send(i % 3 == 0 ? "GET /endless" + kHead + "\r\n" : "GET /te");
    if (i % 2 == 0) client.reset();
  }
  EXPECT_TRUE(eventually([&] { return server_->connections() == 0; }));
  EXPECT_LE(open_descriptors(), before);
  EXPECT_EQ(watched_->sources, 0);
}

}  // namespace
}  // namespace cairn::server

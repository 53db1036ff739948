// How the server stops: first politely, then at once.
#include <gtest/gtest.h>

#include <chrono>
#include <deque>
#include <thread>

#include "tests/server/client.h"
#include "tests/server/routes.h"

namespace cairn::server {
namespace {

using Clock = std::chrono::steady_clock;

class StopTest : public testing::Test {
 protected:
  StopTest() : options_(test_options(watched_)) {}

  void begin() {
    server_ = start_or_die(options_);
    address_ = server_->addresses().at(0);
  }

  std::shared_ptr<Watched> watched_ = std::make_shared<Watched>();
  ServerOptions options_;
  std::unique_ptr<Server> server_;
  std::string address_;
};

TEST_F(StopTest, AnIdleServerStopsAtOnce) {
  options_.settings.drain_ms = 60'000;
  begin();
  Client idle(address_);
  ASSERT_EQ(idle.ask("GET", "/text").status, 200);
  const auto begun = Clock::now();
  server_->drain();
  EXPECT_LT(Clock::now() - begun, std::chrono::seconds(2));
  EXPECT_EQ(idle.read_to_end(), "");
  EXPECT_TRUE(idle.ended());
}

TEST_F(StopTest, AStreamThatEndsInTimeEndsAsUsual) {  // O04
  options_.settings.drain_ms = 60'000;
  begin();
  watched_->gate.lock();
  Client busy(address_);
  busy.send("GET /gate HTTP/1.1\r\nHost: localhost\r\n\r\n");
  pause_ms(100);
  std::thread stopper([&] { server_->drain(); });
  pause_ms(200);
  watched_->gate.unlock();
  const Received received = busy.receive();
  EXPECT_EQ(received.body, "through");
  EXPECT_EQ(received.header("connection"), "close");
  stopper.join();
}

TEST_F(StopTest, AStreamThatIsTooLongGetsItsLastEvent) {
  options_.settings.drain_ms = 200;
  begin();
  Client stream(address_);
  Client pending(address_);
  stream.send("GET /held HTTP/1.1\r\nHost: localhost\r\n\r\n");
  pending.send("GET /pending HTTP/1.1\r\nHost: localhost\r\n\r\n");
  ASSERT_TRUE(eventually([&] { return watched_->sources + watched_->pending == 2; }));
  const auto begun = Clock::now();
  server_->drain();
  EXPECT_LT(Clock::now() - begun, std::chrono::seconds(3));
  const Received received = stream.receive();
  EXPECT_TRUE(received.ok);
  EXPECT_EQ(received.body, "data: stopped\n\n");
  EXPECT_EQ(pending.receive().status, 503);
  EXPECT_EQ(watched_->sources + watched_->pending, 0);
}

TEST_F(StopTest, ARequestWhileStoppingIsA503) {
  options_.settings.drain_ms = 60'000;
  begin();
  Client half(address_);
  half.send("GET /text HTTP/1.1\r\nHost: localhost\r\n");
  pause_ms(100);
  std::thread stopper([&] { server_->drain(); });
  pause_ms(200);
  half.send("\r\n");
  const Received received = half.receive();
  EXPECT_EQ(received.status, 503);
  EXPECT_EQ(received.header("retry-after"), "5");
  stopper.join();
}

TEST_F(StopTest, ASecondStopEndsADrainAtOnce) {  // O04
  options_.settings.drain_ms = 60'000;
  begin();
  Client stream(address_);
  stream.send("GET /endless HTTP/1.1\r\nHost: localhost\r\n\r\n");
  ASSERT_TRUE(eventually([&] { return watched_->sources == 1; }));
  const auto begun = Clock::now();
  std::thread stopper([&] { server_->drain(); });
  pause_ms(100);
  server_->stop();
  stopper.join();
  EXPECT_LT(Clock::now() - begun, std::chrono::seconds(3));
  EXPECT_EQ(watched_->sources, 0);
}

TEST_F(StopTest, DestroyingAServerDestroysEveryAnswer) {
  begin();
  std::deque<Client> clients;
  for (const std::string path : {"/held", "/pending", "/endless", "/held", "/count?n=100000"}) {
    clients.emplace_back(address_);
    clients.back().send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
  }
  pause_ms(100);
  server_.reset();
  EXPECT_EQ(watched_->sources + watched_->pending, 0);
  const std::scoped_lock lock(watched_->mutex);
  Waker::wake_all(watched_->wakers);  // from an engine that does not know yet
}

}  // namespace
}  // namespace cairn::server

#include "server/http/message.h"

#include <gtest/gtest.h>

#include "server/http/gzip.h"
#include "server/http/job_queue.h"
#include "server/http/router.h"
#include "server/http/sse.h"
#include "server/http/wake_board.h"

namespace cairn::server {
namespace {

TEST(MessageTest, AHeaderIsFoundWhateverItsCase) {
  Request request;
  request.headers = {{.name = "Content-TYPE", .value = "text/plain"}};
  EXPECT_EQ(request.header("content-type"), "text/plain");
  EXPECT_EQ(request.header("content"), std::nullopt);
}

TEST(MessageTest, ATargetGivesAPathAndItsParameters) {
  Request request;
  request.target = "/v1/%41%20b?x=1%2B2&y=a+b&x=3&=7";
  ASSERT_TRUE(read_target(request));
  EXPECT_EQ(request.path, "/v1/A b");
  EXPECT_EQ(request.parameter("x"), "1+2");
  EXPECT_EQ(request.parameter("y"), "a b");
  EXPECT_EQ(request.parameter("z"), std::nullopt);
}

TEST(MessageTest, AnAbsoluteTargetIsItsPath) {
  Request request;
  request.target = "http://h:1";
  ASSERT_TRUE(read_target(request));
  EXPECT_EQ(request.path, "/");
  EXPECT_EQ(request.authority, "h:1");
}

TEST(MessageTest, ATargetThatIsNoPathOrHidesANulIsRefused) {
  for (const std::string_view target : {"h:443", "", "x", "/%00", "/%4", "/%zz"}) {
    Request request;
    request.target = target;
    EXPECT_FALSE(read_target(request)) << target;
  }
}

TEST(MessageTest, AWeightOfZeroIsARefusal) {
  EXPECT_TRUE(list_accepts("br, gzip", "gzip"));
  EXPECT_TRUE(list_accepts("GZIP;q=0.5", "gzip"));
  EXPECT_FALSE(list_accepts("gzip;q=0, br", "gzip"));
  EXPECT_FALSE(list_accepts("gzip;q=0.000", "gzip"));
  EXPECT_FALSE(list_accepts("xgzip", "gzip"));
}

TEST(MessageTest, EveryMethodIsReadBackFromItsName) {
  for (int i = 0; i < static_cast<int>(Method::kOther); ++i) {
    EXPECT_EQ(method_of(name_of(static_cast<Method>(i))), static_cast<Method>(i));
  }
  EXPECT_EQ(method_of("get"), Method::kOther);
  EXPECT_EQ(method_of(""), Method::kOther);
}

TEST(SseTest, AnEventEndsWithExactlyOneBlankLine) {  // A02
  std::string out;
  append_event(out, {.data = "{}", .name = "delta", .id = "7"});
  append_event(out, {.data = "a\nb\r\nc", .name = {}, .id = {}});
  append_event(out, {.data = "[DONE]", .name = {}, .id = {}});
  EXPECT_EQ(out, "id: 7\nevent: delta\ndata: {}\n\ndata: a\ndata: b\ndata: c\n\ndata: [DONE]\n\n");
}

TEST(SseTest, AChunkOfNothingIsNotWritten) {
  std::string out;
  append_chunk(out, "");
  append_chunk(out, std::string(26, 'x'));
  EXPECT_EQ(out, "1a\r\n" + std::string(26, 'x') + "\r\n");
}

TEST(GzipTest, ABodyComesOutAsOneGzipMember) {
  const auto packed = gzip(std::string(100'000, 'a'));
  ASSERT_TRUE(packed.ok());
  EXPECT_LT(packed->size(), 2000U);
  EXPECT_EQ(packed->substr(0, 3), "\x1f\x8b\x08");
  EXPECT_TRUE(gzip("").ok());
}

Route route(Method method, std::string path) {
  Route row;
  row.method = method;
  row.path = std::move(path);
  return row;
}

TEST(RouterTest, APathWithAnotherMethodTellsWhichItHas) {
  const Router router(
      {route(Method::kGet, "/a/{}"), route(Method::kPost, "/a/{}"), route(Method::kGet, "/")});
  const RouteMatch found = router.match(Method::kPost, "/a/x/");
  ASSERT_NE(found.route, nullptr);
  EXPECT_EQ(found.route->method, Method::kPost);
  EXPECT_EQ(found.path_values, std::vector<std::string>{"x"});
  EXPECT_EQ(router.match(Method::kDelete, "/a/x").allow, "GET, HEAD, POST, OPTIONS");
  EXPECT_EQ(router.match(Method::kHead, "/").route->path, "/");
  for (const std::string_view path : {"/a", "/a/", "/a/x/y", "", "a/x"}) {
    EXPECT_EQ(router.match(Method::kGet, path).route, nullptr) << path;
    EXPECT_EQ(router.match(Method::kGet, path).allow, "") << path;
  }
}

TEST(WakeBoardTest, ManyWakesBetweenTwoDeliveriesAreOneMessage) {
  int posts = 0;
  int wakes = 0;
  const auto board = std::make_shared<WakeBoard>([&] { ++posts; });
  std::vector<Waker> wakers;
  for (int i = 0; i < 3; ++i) {
    auto slot = std::make_shared<WakeSlot>();
    slot->on_wake = [&] { ++wakes; };
    wakers.emplace_back(board, slot);
  }
  Waker::wake_all(wakers);
  Waker::wake_all(wakers);
  wakers[0].wake();
  EXPECT_EQ(posts, 1);
  board->deliver();
  EXPECT_EQ(wakes, 3);
  wakers[1].wake();
  EXPECT_EQ(posts, 2);
  board->close();
  wakers[2].wake();
  board->deliver();
  EXPECT_EQ(posts, 2);
  EXPECT_EQ(wakes, 3);
  Waker().wake();
  Waker::wake_all({});
}

TEST(JobQueueTest, AFullQueueRefusesAndAClosedOneDropsWhatWaits) {
  std::mutex mutex;
  mutex.lock();
  std::atomic<int> ran = 0;
  JobQueue queue(2);
  const auto job = [&] {
    const std::scoped_lock lock(mutex);
    ++ran;
  };
  ASSERT_TRUE(queue.add([&] { ++ran; }));
  while (ran == 0) std::this_thread::yield();
  ASSERT_TRUE(queue.add(job));
  int added = 0;
  while (added < 10 && queue.add(job)) ++added;
  EXPECT_LE(added, 2);
  mutex.unlock();
  queue.close();
  EXPECT_LE(ran, 4);
  EXPECT_FALSE(queue.add(job));
}

}  // namespace
}  // namespace cairn::server

#include "tests/server/routes.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>

#include "base/file.h"
#include "server/http/sse.h"

namespace cairn::server {
namespace {

using Shared = std::shared_ptr<Watched>;

class TestSource : public EventSource {
 public:
  explicit TestSource(Shared watched) : watched_(std::move(watched)) { ++watched_->sources; }
  ~TestSource() override { --watched_->sources; }
  TestSource(const TestSource&) = delete;
  TestSource& operator=(const TestSource&) = delete;
  void end_early(std::string& out, EndReason /*reason*/) override {
    append_event(out, {.data = "stopped", .name = {}, .id = {}});
  }

 protected:
  Shared watched_;
};

class CountSource final : public TestSource {
 public:
  CountSource(Shared watched, int events) : TestSource(std::move(watched)), events_(events) {}
  Pulled pull(std::string& out, std::size_t bytes_wanted) override {
    ++watched_->pulls;
    while (next_ < events_ && out.size() < bytes_wanted) {
      const std::string id = std::to_string(next_++);
      append_event(out, {.data = "x" + id, .name = {}, .id = id});
    }
    return next_ < events_ ? Pulled::kMore : Pulled::kEnd;
  }

 private:
  int events_ = 0;
  int next_ = 0;
};

class EndlessSource final : public TestSource {
 public:
  using TestSource::TestSource;
  Pulled pull(std::string& out, std::size_t bytes_wanted) override {
    ++watched_->pulls;
    append_event(out, {.data = std::string(bytes_wanted, 'x'), .name = {}, .id = {}});
    return Pulled::kMore;
  }
};

class HeldSource final : public TestSource {
 public:
  using TestSource::TestSource;
  Pulled pull(std::string& /*out*/, std::size_t /*bytes_wanted*/) override {
    ++watched_->pulls;
    return Pulled::kMore;
  }
};

class NeverAnswer final : public PendingAnswer {
 public:
  explicit NeverAnswer(Shared watched) : watched_(std::move(watched)) { ++watched_->pending; }
  ~NeverAnswer() override { --watched_->pending; }
  NeverAnswer(const NeverAnswer&) = delete;
  NeverAnswer& operator=(const NeverAnswer&) = delete;
  std::optional<Reply> poll() override { return std::nullopt; }
  Response end_early(EndReason /*reason*/) override {
    return error_response(
        Flavour::kOpenAi,
        {.cause = Cause::kDraining, .message = "stopped", .param = {}, .code = {}});
  }

 private:
  Shared watched_;
};

Response text(std::string body) {
  return {.status = 200, .content_type = "text/plain", .headers = {}, .body = std::move(body)};
}

Reply stream(std::unique_ptr<EventSource> source) {
  EventStream events;
  events.source = std::move(source);
  return events;
}

Reply count(const Shared& watched, const Exchange& exchange) {
  const std::string events = exchange.request.parameter("n").value_or("3");
  return stream(std::make_unique<CountSource>(watched, std::atoi(events.c_str())));
}

Reply held(const Shared& watched, const Exchange& exchange) {
  const std::scoped_lock lock(watched->mutex);
  watched->wakers.push_back(exchange.waker);
  return stream(std::make_unique<HeldSource>(watched));
}

struct Row {
  Method method = Method::kGet;
  std::string path = {};
  RunOn run_on = RunOn::kIo;
  Handler handler = {};
};

std::vector<Row> plain_rows(const Shared& watched) {
  return {
      {Method::kGet, "/health", RunOn::kIo, [](Exchange&) { return text("ok"); }},
      {Method::kGet, "/text", RunOn::kIo, [](Exchange&) { return text("hello"); }},
      {Method::kPost, "/echo", RunOn::kPreparation,
       [watched](Exchange& exchange) {
         ++watched->handled;
         return text(exchange.request.body);
       }},
      {Method::kPost, "/json", RunOn::kPreparation,
       [](Exchange& exchange) { return text(exchange.request.body); }},
      {Method::kGet, "/admin", RunOn::kIo, [](Exchange&) { return text("admin"); }},
      {Method::kGet, "/throw", RunOn::kPreparation,
       [](Exchange&) -> Reply { throw std::runtime_error("thrown"); }},
      {Method::kGet, "/gate", RunOn::kPreparation,
       [watched](Exchange&) {
         const std::scoped_lock lock(watched->gate);
         return text("through");
       }},
      {Method::kGet, "/big", RunOn::kPreparation,
       [](Exchange&) { return text(std::string(1 << 20, 'b')); }},
  };
}

std::vector<Row> stream_rows(const Shared& watched) {
  return {
      {Method::kGet, "/count", RunOn::kPreparation,
       [watched](Exchange& exchange) { return count(watched, exchange); }},
      {Method::kGet, "/endless", RunOn::kIo,
       [watched](Exchange&) { return stream(std::make_unique<EndlessSource>(watched)); }},
      {Method::kGet, "/held", RunOn::kIo,
       [watched](Exchange& exchange) { return held(watched, exchange); }},
      {Method::kGet, "/pending", RunOn::kIo,
       [watched](Exchange&) -> Reply { return std::make_unique<NeverAnswer>(watched); }},
  };
}

Route route_of(Row row) {
  Route route;
  route.method = row.method;
  route.path = std::move(row.path);
  route.run_on = row.run_on;
  route.handler = std::move(row.handler);
  route.body = route.path == "/json" ? BodyType::kJson : BodyType::kAny;
  if (route.path == "/health") route.access = Access::kOpen;
  if (route.path == "/admin") route.access = Access::kAdmin;
  return route;
}

}  // namespace

std::vector<int> Watched::statuses() {
  const std::scoped_lock lock(mutex);
  std::vector<int> list;
  for (const AccessRecord& record : log) list.push_back(record.status);
  return list;
}

ServerOptions test_options(const std::shared_ptr<Watched>& watched) {
  ServerOptions options;
  options.listen = {{.host = "127.0.0.1", .port = 0, .unix_path = {}}};
  options.settings.drain_ms = 300;
  options.settings.body_bytes_max = 2 << 20;
  for (Row& row : plain_rows(watched)) options.routes.push_back(route_of(std::move(row)));
  for (Row& row : stream_rows(watched)) options.routes.push_back(route_of(std::move(row)));
  options.log = [watched](const AccessRecord& record) {
    const std::scoped_lock lock(watched->mutex);
    watched->log.push_back(record);
  };
  return options;
}

std::unique_ptr<Server> start_or_die(ServerOptions options) {
  auto server = Server::start(std::move(options));
  if (!server.ok()) ADD_FAILURE() << server.status().message();
  CAIRN_CHECK(server.ok());
  return std::move(server).value();
}

std::string test_path(const std::string& name) {
  return testing::TempDir() + "/cairn-" + std::to_string(::getpid()) + "-" + name;
}

std::string write_test_file(const std::string& name, const std::string& text_of_file) {
  const std::string path = test_path(name);
  CAIRN_CHECK(write_file_whole(path, text_of_file).ok());
  return path;
}

}  // namespace cairn::server

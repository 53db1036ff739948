// Whose turn it is among several models, with models that say nothing.
#include "server/models/models.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "server/models/with_model.h"
#include "tests/server/client.h"
#include "tests/server/scripted_runtime.h"

namespace cairn::server {
namespace {

/// Models "a", "b" and "c", of which `room` fit into memory.
class ModelsTest : public testing::Test {
 protected:
  void begin(std::uint64_t idle_unload_ms = 0) {
    models_ =
        Models::create(
            {.sources = {{.name = "a"}, {.name = "b"}, {.name = "c"}},
             .open = [this](const ModelSource& source, std::uint64_t promised,
                            const std::stop_token& /*stop*/) { return open(source, promised); },
             .idle_unload_ms = idle_unload_ms})
            .value();
    thread_ = std::jthread([this](const std::stop_token& stop) { models_->serve(stop); });
  }
  ~ModelsTest() override { thread_ = {}; }

  std::shared_ptr<Turn> ask(const std::string& name, TurnKind kind = TurnKind::kUse) {
    return models_->ask(*models_->find(name), kind, {});
  }
  static bool comes(const std::shared_ptr<Turn>& turn) {
    return eventually([&] { return turn->over(); });
  }
  ModelState state(const std::string& name) {
    return models_->status()[*models_->find(name)].state;
  }

  std::size_t room_ = 3;
  Status failure_ = {};                // of every opening
  runtime::MemoryReport memory_ = {};  // of every model
  std::vector<std::uint64_t> promised_;
  std::shared_ptr<int> alive_ = std::make_shared<int>();
  std::unique_ptr<Models> models_;
  std::jthread thread_;

 private:
  Result<LoadedModel> open(const ModelSource& source, std::uint64_t promised) {
    promised_.push_back(promised);
    if (!failure_.ok()) return failure_;
    if (static_cast<std::size_t>(alive_.use_count() - 1) >= room_) return too_large("no room");
    LoadedModel model;
    model.owner = std::make_unique<ScriptedRuntime>(Script{.memory = memory_, .counted = alive_});
    model.served = {.name = source.name, .runtime = model.owner.get()};
    return model;
  }
};

TEST_F(ModelsTest, OneModelAnswersAtATimeAndWhoeverWaitsIsServedInTurn) {
  begin();
  std::shared_ptr<Turn> a = ask("a");
  ASSERT_TRUE(comes(a));
  EXPECT_EQ((*a->model())->served.name, "a");
  std::shared_ptr<Turn> beside = ask("a");
  EXPECT_TRUE(beside->over()) << "the model that answers takes more at once";
  std::shared_ptr<Turn> b = ask("b");
  std::shared_ptr<Turn> behind = ask("a");
  EXPECT_FALSE(b->over());
  EXPECT_FALSE(behind->over()) << "it would overtake b, which could then wait forever";
  a.reset();
  pause_ms(20);
  EXPECT_FALSE(b->over()) << "one answer of a runs still";
  beside.reset();
  ASSERT_TRUE(comes(b));
  EXPECT_EQ((*b->model())->served.name, "b");
  EXPECT_FALSE(behind->over());
  b.reset();
  EXPECT_TRUE(comes(behind));
}

TEST_F(ModelsTest, WhatDoesNotFitMakesTheOneGoThatWasUsedLeastLately) {
  room_ = 2;
  begin();
  ASSERT_TRUE(comes(ask("a")));
  ASSERT_TRUE(comes(ask("b")));
  EXPECT_EQ(state("a"), ModelState::kLoaded);
  ASSERT_TRUE(comes(ask("a")));
  const std::shared_ptr<Turn> c = ask("c");
  ASSERT_TRUE(comes(c));
  EXPECT_TRUE(c->model().ok());
  EXPECT_EQ(state("a"), ModelState::kLoaded);
  EXPECT_EQ(state("b"), ModelState::kUnloaded);
}

TEST_F(ModelsTest, WhatOtherModelsMayStillTakeIsPromisedToThem) {
  memory_.rows = {{.kind = "cache", .planned_bytes = 100, .actual_bytes = 40},
                  {.kind = "program", .planned_bytes = 5, .actual_bytes = 9}};
  begin();
  ASSERT_TRUE(comes(ask("a")));
  ASSERT_TRUE(comes(ask("b")));
  EXPECT_THAT(promised_, testing::ElementsAre(0, 60));
}

TEST_F(ModelsTest, AModelThatCannotBeLoadedRefusesAllWhoWaitAndIsTriedAgain) {
  failure_ = io_error("a broken disk");
  begin();
  const std::shared_ptr<Turn> first = ask("a");
  const std::shared_ptr<Turn> second = ask("a");
  ASSERT_TRUE(comes(first));
  ASSERT_TRUE(comes(second));
  EXPECT_EQ(first->model().status().message(), "a broken disk");
  EXPECT_EQ(state("a"), ModelState::kFailed);
  failure_ = {};
  const std::shared_ptr<Turn> third = ask("a");
  ASSERT_TRUE(comes(third));
  EXPECT_TRUE(third->model().ok());
}

TEST_F(ModelsTest, AModelThatDoesNotFitAloneIsRefused) {
  room_ = 0;
  begin();
  const std::shared_ptr<Turn> turn = ask("a");
  ASSERT_TRUE(comes(turn));
  EXPECT_EQ(turn->model().status().code(), StatusCode::kTooLarge);
}

TEST_F(ModelsTest, WhoeverGoesAwayWhileWaitingHoldsNobodyUp) {
  begin();
  std::shared_ptr<Turn> a = ask("a");
  ASSERT_TRUE(comes(a));
  std::shared_ptr<Turn> gone = ask("b");
  const std::shared_ptr<Turn> waiting = ask("a");
  EXPECT_FALSE(waiting->over());
  gone.reset();
  EXPECT_TRUE(comes(waiting)) << "nobody waits for b any more";
}

TEST_F(ModelsTest, AModelThatNobodyUsesIsUnloadedAndLoadedAgain) {
  begin(1);
  std::shared_ptr<Turn> turn = ask("a");
  ASSERT_TRUE(comes(turn));
  pause_ms(20);
  EXPECT_EQ(state("a"), ModelState::kLoaded) << "an answer runs";
  turn.reset();
  EXPECT_TRUE(eventually([&] { return alive_.use_count() == 1; }));
  EXPECT_EQ(state("a"), ModelState::kUnloaded);
  turn = ask("a");
  EXPECT_TRUE(comes(turn));
}

TEST_F(ModelsTest, UnloadingWaitsForTheAnswersThatRun) {
  begin();
  std::shared_ptr<Turn> a = ask("a");
  ASSERT_TRUE(comes(a));
  const std::shared_ptr<Turn> unloading = ask("a", TurnKind::kUnload);
  const std::shared_ptr<Turn> behind = ask("a");
  EXPECT_FALSE(unloading->over());
  a.reset();
  ASSERT_TRUE(comes(unloading));
  EXPECT_TRUE(unloading->model().ok());
  ASSERT_TRUE(comes(behind));
  EXPECT_EQ(promised_.size(), 2U) << "it was loaded twice";
}

class EndlessEvents final : public EventSource {
 public:
  Pulled pull(std::string& /*out*/, std::size_t /*bytes_wanted*/) override { return Pulled::kMore; }
  void end_early(std::string& /*out*/, EndReason /*reason*/) override {}
};

Reply stream_without_end(const Api& api, Exchange& /*exchange*/) {
  EXPECT_EQ(api.model.name, "b");
  EventStream events;
  events.source = std::make_unique<EndlessEvents>();
  return events;
}

TEST_F(ModelsTest, AReplyHoldsItsModelAsLongAsItLives) {
  begin();
  const Api api{.models = models_.get()};
  const EndpointRow row{.method = Method::kPost,
                        .path = "/v1/completions",
                        .handler = &stream_without_end,
                        .fields = Endpoint::kCompletions};
  Exchange exchange{.request = {.body = R"({"prompt": "x", "model": "b"})"}};
  std::shared_ptr<Turn> before = ask("a");  // so that b has to wait
  ASSERT_TRUE(comes(before));
  Reply reply = with_model(api, row, exchange);
  ASSERT_TRUE(std::holds_alternative<std::unique_ptr<PendingAnswer>>(reply));
  before.reset();
  std::optional<Reply> news;
  ASSERT_TRUE(eventually([&] {
    news = std::get<std::unique_ptr<PendingAnswer>>(reply)->poll();
    return news.has_value();
  }));
  reply = with_model(api, row, *std::get<CallAgain>(*news).exchange);
  ASSERT_TRUE(std::holds_alternative<EventStream>(reply));
  EXPECT_EQ(models_->status()[1].requests, 1U);
  reply = Response{};
  news.reset();
  EXPECT_EQ(models_->status()[1].requests, 0U);
}

TEST_F(ModelsTest, WhatIsRefusedAnywayLoadsNothing) {
  begin();
  const Api api{.models = models_.get()};
  const EndpointRow row{.method = Method::kPost,
                        .path = "/v1/completions",
                        .handler = &stream_without_end,
                        .fields = Endpoint::kCompletions};
  for (const char* body : {"{", R"({"model": 5, "prompt": "x"})", R"({"model": "b"})"}) {
    Exchange exchange{.request = {.body = body}};
    const Reply reply = with_model(api, row, exchange);
    ASSERT_TRUE(std::holds_alternative<Response>(reply)) << body;
    EXPECT_EQ(std::get<Response>(reply).status, 400) << body;
  }
  EXPECT_TRUE(promised_.empty());
}

TEST(ModelListTest, NamesStandOnceAndAreNotEmpty) {
  EXPECT_FALSE(Models::create({}).ok());
  EXPECT_FALSE(Models::create({.sources = {{.name = ""}}}).ok());
  const auto twice = Models::create({.sources = {{.name = "a"}, {.name = "a"}}});
  ASSERT_FALSE(twice.ok());
  EXPECT_THAT(twice.status().message(), testing::HasSubstr("\"a\" stands twice"));
}

}  // namespace
}  // namespace cairn::server

// Models with a recurrent state: what their prefixes, preemptions and several answers cost.
#include <gtest/gtest.h>

#include <numeric>

#include "engine/engine.h"
#include "engine/fake_forwarder.h"

namespace cairn::engine {
namespace {

constexpr std::size_t kVocabulary = 40;

class SnapshotsTest : public testing::Test {
 protected:
  void start(std::size_t snapshot_tokens, std::size_t pages = 40) {
    auto forwarder = std::make_unique<FakeForwarder>(
        FakeForwarder::Options{.vocabulary = kVocabulary,
                               .rows_max = 64,
                               .pages = pages,
                               .script = scramble,
                               .groups = {CacheGroup{}, {.kind = models::CacheKind::kRecurrent}}});
    forwarder_ = forwarder.get();
    auto engine = Engine::create(
        std::move(forwarder), bytes_,
        {.context = 300, .step_rows = 64, .sequences = 4, .snapshot_tokens = snapshot_tokens});
    ASSERT_TRUE(engine.ok()) << engine.status().message();
    engine_ = std::move(*engine);
  }
  static Request ask(std::size_t length, std::size_t tokens, TokenId first = 1) {
    Request request{.prompt = std::vector<TokenId>(length, 7)};
    request.prompt[0] = first;
    request.tokens_max = tokens;
    return request;
  }
  struct Answer {
    std::vector<TokenId> ids;
    RequestFigures figures;
  };
  static Answer read(Stream& stream) {
    Answer answer;
    while (const auto token = stream.next().value()) answer.ids.push_back(token->id);
    answer.figures = stream.figures();
    return answer;
  }
  Answer answer(const Request& request) {
    auto stream = engine_->submit(request);
    EXPECT_TRUE(stream.ok()) << stream.status().message();
    return read(**stream);
  }
  std::size_t rows() const {
    return std::accumulate(forwarder_->steps.begin(), forwarder_->steps.end(), std::size_t{0});
  }

  FakeBytes bytes_{std::vector<std::string>(kVocabulary, "x")};
  FakeForwarder* forwarder_ = nullptr;
  std::unique_ptr<Engine> engine_;
};

TEST_F(SnapshotsTest, APromptGoesOnFromTheSnapshotAtItsLastWholePage) {
  start(512);
  const Answer first = answer(ask(200, 20));
  EXPECT_EQ(first.figures.cached_tokens, 0U);
  const std::size_t before = rows();
  const Answer second = answer(ask(200, 20));
  EXPECT_EQ(second.ids, first.ids);
  EXPECT_EQ(second.figures.cached_tokens, 192U);
  EXPECT_EQ(rows() - before, 8U + 19);
  EXPECT_EQ(answer(ask(190, 5)).figures.cached_tokens, 0U) << "there is no snapshot at 160";
  EXPECT_EQ(answer(ask(250, 5)).figures.cached_tokens, 192U);
}

TEST_F(SnapshotsTest, WithoutSnapshotsNothingIsFound) {
  start(0);
  const Answer first = answer(ask(200, 20));
  const Answer second = answer(ask(200, 20));
  EXPECT_EQ(second.ids, first.ids);
  EXPECT_EQ(second.figures.cached_tokens, 0U);
}

TEST_F(SnapshotsTest, AConversationGoesOnFromASnapshotInsideTheAnswer) {
  start(32);
  Request request = ask(50, 40);
  const Answer first = answer(request);
  request.prompt.insert(request.prompt.end(), first.ids.begin(), first.ids.end());
  request.prompt.push_back(3);
  const Answer second = answer(request);
  EXPECT_EQ(second.figures.cached_tokens, 64U) << "89 ids were computed";
  request.reuse = PrefixReuse::kNo;
  EXPECT_EQ(answer(request).ids, second.ids);
}

TEST_F(SnapshotsTest, APreemptedAnswerGoesOnFromItsNewestSnapshot) {
  start(32, 10);
  Request late = ask(200, 40, 2);
  const std::vector<TokenId> expected = answer(late).ids;
  engine_->forget();
  Request early = ask(30, 100);
  early.priority = -1;
  auto growing = engine_->submit(early);
  auto preempted = engine_->submit(late);
  ASSERT_TRUE(growing.ok() && preempted.ok());
  (void)read(**growing);
  const std::size_t before = rows();
  const Answer got = read(**preempted);
  EXPECT_EQ(got.ids, expected);
  EXPECT_GT(got.figures.preemptions, 0U);
  EXPECT_LT(rows() - before, 40U + 64) << "not the whole prompt again";
}

TEST_F(SnapshotsTest, SeveralAnswersHaveAStateEach) {
  start(64);
  Request request = ask(70, 20);
  request.sampling = {.temperature = 1, .seed = 5};
  auto streams = engine_->submit(request, 3);
  ASSERT_TRUE(streams.ok());
  for (std::size_t choice = 0; choice < 3; ++choice) {
    const Answer together = read(*(*streams)[choice]);
    Request alone = request;
    alone.choice = choice;
    alone.reuse = PrefixReuse::kNo;
    EXPECT_EQ(answer(alone).ids, together.ids);
  }
}

TEST_F(SnapshotsTest, ASnapshotInsideAPageIsRefused) {
  start(64);
  auto forwarder = std::make_unique<FakeForwarder>(FakeForwarder::Options{
      .vocabulary = kVocabulary, .rows_max = 64, .pages = 40, .script = scramble});
  EXPECT_EQ(Engine::create(std::move(forwarder), bytes_,
                           {.context = 300, .step_rows = 64, .snapshot_tokens = 50})
                .status()
                .message(),
            "a snapshot every 50 positions, accepted are multiples of 32");
}

}  // namespace
}  // namespace cairn::engine

// Pages that outlive their engine: the answers are the same, and computed from less.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "engine/engine.h"
#include "engine/fake_forwarder.h"

namespace cairn::engine {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kVocabulary = 40;

class PageKeepingTest : public testing::Test {
 protected:
  PageKeepingTest() { fs::remove_all(folder_); }
  ~PageKeepingTest() override { fs::remove_all(folder_); }

  std::unique_ptr<Engine> start(std::size_t pages = 40, const std::string& model = "a",
                                std::vector<CacheGroup> groups = {CacheGroup{}},
                                std::uint32_t layout = 1) {
    auto forwarder =
        std::make_unique<FakeForwarder>(FakeForwarder::Options{.vocabulary = kVocabulary,
                                                               .rows_max = 64,
                                                               .pages = pages,
                                                               .script = scramble,
                                                               .groups = std::move(groups),
                                                               .page_layout = layout});
    forwarder_ = forwarder.get();
    auto engine = Engine::create(std::move(forwarder), bytes_,
                                 {.context = 300,
                                  .step_rows = 64,
                                  .sequences = 2,
                                  .snapshot_tokens = snapshot_tokens_,
                                  .page_keeping = {.folder = folder_,
                                                   .bytes_max = 1 << 20,
                                                   .model = model,
                                                   .on_warning = [this](const std::string& text) {
                                                     warnings_.push_back(text);
                                                   }}});
    EXPECT_TRUE(engine.ok()) << engine.status().message();
    return engine.ok() ? std::move(*engine) : nullptr;
  }
  static Request ask(TokenId first, std::size_t length) {
    Request request{.prompt = std::vector<TokenId>(length, 7)};
    request.prompt[0] = first;
    request.tokens_max = 10;
    return request;
  }
  struct Answer {
    std::vector<TokenId> ids;
    std::size_t cached = 0;
  };
  static Answer answer(Engine& engine, const Request& request) {
    auto stream = engine.submit(request);
    EXPECT_TRUE(stream.ok()) << stream.status().message();
    Answer answer;
    while (const auto token = (*stream)->next().value()) answer.ids.push_back(token->id);
    answer.cached = (*stream)->figures().cached_tokens;
    return answer;
  }
  static void damage(const fs::path& file) {
    std::fstream page(file, std::ios::in | std::ios::out | std::ios::binary);
    page.seekp(260);
    page.put('\x55');
  }
  /// Those of the second cache group, by what stands in the file.
  std::set<std::string> snapshot_files() const {
    std::set<std::string> files;
    for (const auto& file : fs::directory_iterator(folder_)) {
      std::ifstream page(file.path(), std::ios::binary);
      if (page.seekg(12).get() == 1) files.insert(file.path());
    }
    return files;
  }

  std::string folder_ = testing::TempDir() + "cairn_page_keeping_" + std::to_string(::getpid());
  FakeBytes bytes_{std::vector<std::string>(kVocabulary, "x")};
  FakeForwarder* forwarder_ = nullptr;
  std::size_t snapshot_tokens_ = 64;
  std::vector<std::string> warnings_;
};

TEST_F(PageKeepingTest, APromptIsFoundAfterARestart) {
  const Answer first = answer(*start(), ask(1, 200));
  EXPECT_EQ(first.cached, 0U);
  const auto again = start();
  const Answer second = answer(*again, ask(1, 200));
  EXPECT_EQ(second.ids, first.ids);
  EXPECT_EQ(second.cached, 192U);
  EXPECT_EQ(answer(*again, ask(2, 200)).cached, 0U) << "another beginning";
  Request salted = ask(1, 200);
  salted.cache_salt = "other";
  EXPECT_EQ(answer(*again, salted).cached, 0U);
  salted = ask(1, 200);
  salted.reuse = PrefixReuse::kNo;
  EXPECT_EQ(answer(*again, salted).cached, 0U);
  Request longer = ask(1, 250);
  EXPECT_EQ(answer(*again, longer).cached, 192U) << "now from memory, 199 and 10 more ids differ";
}

TEST_F(PageKeepingTest, WhatMemoryEvictsComesBackFromTheFolder) {
  const auto engine = start(10);
  const Answer first = answer(*engine, ask(1, 200));
  for (TokenId other = 2; other < 6; ++other) (void)answer(*engine, ask(other, 280));
  while (engine->figures().kept_pages->written_pages < 6) std::this_thread::yield();
  const Answer second = answer(*engine, ask(1, 200));
  EXPECT_EQ(second.ids, first.ids);
  EXPECT_EQ(second.cached, 192U);
  EXPECT_GE(engine->figures().kept_pages->read_pages, 6U);
}

TEST_F(PageKeepingTest, EveryGroupHasItsPages) {
  const std::vector<CacheGroup> groups = {CacheGroup{}, {.window = 50}};
  const Answer first = answer(*start(40, "a", groups), ask(1, 200));
  const auto again = start(40, "a", groups);
  const Answer second = answer(*again, ask(1, 200));
  EXPECT_EQ(second.ids, first.ids);
  EXPECT_EQ(second.cached, 192U);
  EXPECT_EQ(answer(*start(40, "a"), ask(1, 200)).cached, 0U) << "a model with other groups";
}

const std::vector<CacheGroup> kHybrid = {CacheGroup{}, {.kind = models::CacheKind::kRecurrent}};

TEST_F(PageKeepingTest, APromptOfARecurrentModelIsFoundUpToItsLastSnapshot) {
  const Answer first = answer(*start(40, "a", kHybrid), ask(1, 200));
  const auto again = start(40, "a", kHybrid);
  const Answer second = answer(*again, ask(1, 200));
  EXPECT_EQ(second.ids, first.ids);
  EXPECT_EQ(second.cached, 192U) << "the prompt's last whole page";
  Request shorter = ask(1, 180);
  shorter.reuse = PrefixReuse::kNo;
  const Answer alone = answer(*start(40, "b", kHybrid), shorter);
  const Answer found = answer(*start(40, "a", kHybrid), ask(1, 180));
  EXPECT_EQ(found.ids, alone.ids);
  EXPECT_EQ(found.cached, 128U) << "160 positions are here, a snapshot stands at every 64th";
}

TEST_F(PageKeepingTest, WithoutSnapshotsARecurrentModelFindsNothing) {
  snapshot_tokens_ = 0;
  const Answer first = answer(*start(40, "a", kHybrid), ask(1, 200));
  snapshot_tokens_ = 64;
  const Answer second = answer(*start(40, "a", kHybrid), ask(1, 200));
  EXPECT_EQ(second.cached, 0U) << "keys and values are here, states are not";
  EXPECT_EQ(second.ids, first.ids);
}

TEST_F(PageKeepingTest, StatesAloneAreFoundToo) {
  const std::vector<CacheGroup> groups = {{.kind = models::CacheKind::kRecurrent}};
  const Answer first = answer(*start(40, "a", groups), ask(1, 200));
  const Answer second = answer(*start(40, "a", groups), ask(1, 200));
  EXPECT_EQ(second.cached, 192U);
  EXPECT_EQ(second.ids, first.ids);
}

TEST_F(PageKeepingTest, BehindADamagedSnapshotIsTheOneBeforeIt) {
  (void)answer(*start(40, "a", kHybrid), ask(1, 180));
  const std::set<std::string> before = snapshot_files();
  const Answer first = answer(*start(40, "a", kHybrid), ask(1, 200));
  for (const std::string& file : snapshot_files()) {
    if (!before.contains(file)) damage(file);
  }
  const Answer second = answer(*start(40, "a", kHybrid), ask(1, 200));
  EXPECT_EQ(second.cached, 160U);
  EXPECT_EQ(second.ids, first.ids);
  ASSERT_FALSE(warnings_.empty());
  EXPECT_THAT(warnings_[0], testing::HasSubstr("it is damaged"));
}

TEST_F(PageKeepingTest, AnotherModelAndAnotherLayoutFindNothing) {
  (void)answer(*start(), ask(1, 200));
  EXPECT_EQ(answer(*start(40, "b"), ask(1, 200)).cached, 0U);
  EXPECT_EQ(answer(*start(40, "a", {CacheGroup{}}, 2), ask(1, 200)).cached, 0U);
  EXPECT_EQ(answer(*start(), ask(1, 200)).cached, 192U);
  EXPECT_THAT(warnings_, testing::IsEmpty());
}

TEST_F(PageKeepingTest, ADamagedPageEndsWhatIsFoundAndTheAnswerIsTheSame) {
  const Answer first = answer(*start(), ask(1, 200));
  for (const auto& file : fs::directory_iterator(folder_)) damage(file.path());
  const Answer second = answer(*start(), ask(1, 200));
  EXPECT_EQ(second.cached, 0U);
  EXPECT_EQ(second.ids, first.ids);
  ASSERT_FALSE(warnings_.empty());
  EXPECT_THAT(warnings_[0], testing::HasSubstr("it is damaged"));
}

TEST_F(PageKeepingTest, APromptWhoseTokensAreToldUsesNone) {
  (void)answer(*start(), ask(1, 200));
  const auto again = start();
  Request request = ask(1, 200);
  request.prompt_logprobs = 0;
  EXPECT_EQ(answer(*again, request).cached, 0U);
}

TEST_F(PageKeepingTest, PagesThatFindNoPlaceInTheCacheAreComputed) {
  const Answer first = answer(*start(), ask(1, 200));
  const auto again = start(10);
  auto holding = again->submit(ask(2, 250));  // 8 of 10 pages
  ASSERT_TRUE(holding.ok() && (*holding)->next().ok());
  auto stream = again->submit(ask(1, 200));
  ASSERT_TRUE(stream.ok());
  std::vector<TokenId> ids;
  while (const auto token = (*stream)->next().value()) ids.push_back(token->id);
  EXPECT_EQ(ids, first.ids);
}

TEST_F(PageKeepingTest, WhatCanNotBeKeptIsRefusedAtOnce) {
  const auto refused = Engine::create(
      std::make_unique<FakeForwarder>(FakeForwarder::Options{.vocabulary = kVocabulary,
                                                             .rows_max = 64,
                                                             .pages = 40,
                                                             .script = scramble,
                                                             .page_layout = 0}),
      bytes_,
      {.context = 300, .step_rows = 64, .page_keeping = {.folder = folder_, .bytes_max = 1}});
  EXPECT_EQ(refused.status().message(), "this device's pages of the cache can not be kept on disk");
}

}  // namespace
}  // namespace cairn::engine

// The same answer in any company (DESIGN.md, promise 3), on a model that is a hash of its history.
#include "tests/company/company.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <thread>

#include "engine/fake_forwarder.h"

namespace cairn::engine {
namespace {

constexpr std::size_t kVocabulary = 40;
constexpr std::size_t kSeeds = 200;

const FakeBytes& bytes() {
  static const FakeBytes kBytes = [] {
    std::vector<std::string> pieces;
    for (std::size_t id = 0; id < kVocabulary; ++id) {
      pieces.emplace_back(1 + id % 2, static_cast<char>('a' + id % 26));
    }
    const std::vector<std::string> json = {"{", "}", "\"", ":",       ",",
                                           "1", "[", "]",  "{\"a\":", "null"};
    std::ranges::copy(json, pieces.end() - static_cast<std::ptrdiff_t>(json.size()));
    return FakeBytes(pieces);
  }();
  return kBytes;
}

std::vector<CacheGroup> draw_groups(Draws& draw) {
  const CacheGroup window = {.window = 20 + draw(60)};
  switch (draw(5)) {
    case 0:
      return {CacheGroup{}, window};
    case 1:
      return {window};
    case 2:
      return {CacheGroup{}, {.kind = models::CacheKind::kRecurrent}};
    case 3:
      return {CacheGroup{}, {.kind = models::CacheKind::kLatent}, window};
    default:
      return {CacheGroup{}};
  }
}

std::unique_ptr<Engine> engine_of(const std::vector<CacheGroup>& groups, std::size_t pages,
                                  const EngineOptions& options,
                                  const FakeForwarder::Script& script = scramble) {
  auto fake = FakeForwarder::fitting(options, kVocabulary + 2, pages, script);
  fake.groups = groups;
  auto forwarder = std::make_unique<FakeForwarder>(std::move(fake));
  auto engine = Engine::create(std::move(forwarder), bytes(), options);
  if (engine.ok()) return std::move(*engine);
  ADD_FAILURE() << engine.status().message();
  return nullptr;
}

struct Company {
  CompanyShape shape = {};
  std::unique_ptr<Engine> engine = {};
  std::unique_ptr<Engine> alone = {};
};

bool can_forget(const std::vector<CacheGroup>& groups) {
  return std::ranges::none_of(
      groups, [](const CacheGroup& group) { return group.kind == models::CacheKind::kRecurrent; });
}

/// An engine with few pages for its requests, and a roomy one of the same model.
Company draw_company(Draws& draw, const PageKeeping& keeping = {}) {
  Company company;
  company.shape = {.vocabulary = kVocabulary,
                   .context = 64 + draw(200),
                   .answer_max = 60,
                   .requests = 8 + draw(12),
                   .json = true};
  company.shape.prompt_max = company.shape.context - 20;
  const std::vector<CacheGroup> groups = draw_groups(draw);
  EngineOptions options{.context = company.shape.context, .step_rows = 1 + draw(70)};
  options.page_keeping = keeping;
  options.snapshot_tokens = 32 * draw(4);
  options.sequences = 1 + draw(std::min<std::size_t>(options.step_rows, 6));
  const std::size_t pages = pages_for(options.context) + draw(8);
  if (can_forget(groups) && draw.once_in(2)) {
    options.lookup = {.tokens_max = 1 + draw(8), .run_min = 1 + draw(2)};
  }
  // Whether guesses pay is told by a clock: one of steps makes a seed do the same every time.
  options.clock = [steps = 0.0]() mutable { return steps += 0.001; };
  const FakeForwarder::Script script = draw.once_in(2) ? scramble : stutter;
  company.engine = engine_of(groups, pages, options, script);
  company.alone = engine_of(groups, pages_for(options.context),
                            {.context = options.context, .step_rows = options.context}, script);
  return company;
}

TEST(CompanyTest, EveryAnswerIsBitEqualToItselfAlone) {
  // Repeating the test (--gtest_repeat) goes on with the next seeds.
  static std::uint64_t next = 0;
  std::uint64_t preemptions = 0;
  std::uint64_t hits = 0;
  std::uint64_t copies = 0;
  DraftFigures drafts;
  CompanyCounts counts;
  for (const std::uint64_t end = next + kSeeds; next < end; ++next) {
    Draws draw(next);
    const Company company = draw_company(draw);
    ASSERT_NE(company.engine, nullptr);
    ASSERT_EQ(keep_company(*company.engine, *company.alone, draw, company.shape, &counts), "")
        << "seed " << next;
    const EngineFigures figures = company.engine->figures();
    ASSERT_EQ(figures.running + figures.waiting, 0U) << "seed " << next;
    ASSERT_EQ(figures.cache.free_pages + figures.cache.idle_pages, figures.cache.pages)
        << "a page leaked, seed " << next;
    preemptions += figures.preemptions;
    hits += figures.cache.hit_tokens;
    copies += figures.cache.copied_pages;
    if (figures.drafts) drafts.add(*figures.drafts);
  }
  EXPECT_GT(preemptions, 100U) << "the seeds must reach what they are to test";
  EXPECT_GT(hits, 5000U);
  EXPECT_GT(copies, 50U);
  EXPECT_GT(drafts.accepted, 200U);
  EXPECT_GT(drafts.drafted, 2 * drafts.accepted) << "guesses must be wrong at times too";
  EXPECT_GT(counts.told_prompts, counts.answers / 10);
  EXPECT_GT(counts.masked, counts.answers / 20);
  EXPECT_GT(counts.json, 20U);
  EXPECT_GT(counts.schemas, 100U);
}

TEST(CompanyTest, PagesThatComeBackFromDiskChangeNothing) {
  const std::string folder = testing::TempDir() + "cairn_company_" + std::to_string(::getpid());
  std::vector<std::string> warnings;
  std::uint64_t read = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    std::filesystem::remove_all(folder);
    const PageKeeping keeping{
        .folder = folder, .bytes_max = 1 << 20, .on_warning = [&](const std::string& text) {
          warnings.push_back(text);
        }};
    for (int start = 0; start < 2; ++start) {
      Draws draw(seed);  // the same requests after the restart
      const Company company = draw_company(draw, keeping);
      ASSERT_NE(company.engine, nullptr);
      ASSERT_EQ(keep_company(*company.engine, *company.alone, draw, company.shape), "")
          << "seed " << seed << " start " << start;
      const auto kept = company.engine->figures().kept_pages;
      if (kept) read += kept->read_pages;
    }
  }
  std::filesystem::remove_all(folder);
  EXPECT_EQ(warnings, std::vector<std::string>());
  EXPECT_GT(read, 30U);
}

/// Reads answers on `threads` threads at once; each compares its own with itself alone.
void read_on_threads(Engine& engine, const Company& company, std::uint64_t seed,
                     std::vector<std::string>& differences) {
  std::vector<std::jthread> readers;
  for (std::size_t thread = 0; thread < differences.size(); ++thread) {
    readers.emplace_back([&, thread] {
      Draws draw(1000 * seed + thread);
      const auto alone =
          engine_of({CacheGroup{}}, pages_for(company.shape.context),
                    {.context = company.shape.context, .step_rows = company.shape.context});
      differences[thread] = keep_company(engine, *alone, draw, company.shape);
    });
  }
}

TEST(CompanyTest, ThreadsThatSubmitAndReadAtOnceGetTheSameAnswers) {
  for (const bool served : {false, true}) {
    Company company;
    company.shape = {.vocabulary = kVocabulary,
                     .context = 150,
                     .prompt_max = 130,
                     .answer_max = 50,
                     .requests = 40};
    company.engine = engine_of({CacheGroup{}}, 9,
                               {.context = 150,
                                .step_rows = 32,
                                .sequences = 5,
                                .lookup = {.tokens_max = served ? 4U : 0U}});
    ASSERT_NE(company.engine, nullptr);
    std::jthread server;
    if (served) {
      server = std::jthread([&](const std::stop_token& stop) { company.engine->serve(stop); });
    }
    std::vector<std::string> differences(4);
    read_on_threads(*company.engine, company, served ? 1 : 2, differences);
    EXPECT_EQ(differences, std::vector<std::string>(4))
        << (served ? "served" : "driven by readers");
    const EngineFigures figures = company.engine->figures();
    EXPECT_GT(figures.preemptions, 0U);
  }
}

TEST(CompanyTest, AConsumerThatNeverReadsHoldsUpNobodyAndItsAnswerWaits) {
  const auto engine =
      engine_of({CacheGroup{}}, 16, {.context = 200, .step_rows = 32, .sequences = 2});
  const std::jthread server([&](const std::stop_token& stop) { engine->serve(stop); });
  auto stuck = engine->submit({.prompt = {1, 2, 3}, .sampling = {}, .tokens_max = 50});
  ASSERT_TRUE(stuck.ok());
  for (int i = 0; i < 20; ++i) {
    const Heard heard =
        hear_alone(*engine, {.prompt = {4, 5}, .sampling = {}, .tokens_max = 30}, 0);
    EXPECT_EQ(heard.ids.size(), 30U);
  }
  while (!(*stuck)->finish_reason()) std::this_thread::yield();
  Heard late;
  while (late.take((*stuck)->next())) {
  }
  EXPECT_EQ(late.ids.size(), 50U);
}

}  // namespace
}  // namespace cairn::engine

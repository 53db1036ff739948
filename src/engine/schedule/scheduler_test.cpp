// Longer than most files: the scheduler against a restatement of its rules, and each rule alone.
#include "engine/schedule/scheduler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "base/random.h"

namespace cairn::engine {
namespace {

constexpr std::size_t kPage = 32;

/// Counts pages of 32 ids; may say that some of a prompt are found.
class CountedPages final : public SchedulePages {
 public:
  explicit CountedPages(std::size_t pages) : free_(pages), pages_(pages) {}

  std::optional<std::size_t> admit(RequestId id) override {
    const std::size_t length = lengths.at(id);
    if (!grow(id, length)) return std::nullopt;
    const std::size_t found = found_of ? found_of(id) : 0;
    return std::min(found, length - 1);
  }
  bool grow(RequestId id, std::size_t length) override {
    std::size_t& owned = owned_[id];
    const std::size_t wanted = (length + kPage - 1) / kPage;
    if (wanted > owned + free_) return false;
    free_ -= wanted - std::min(owned, wanted);
    owned = std::max(owned, wanted);
    return true;
  }
  void drop(RequestId id) override {
    const auto at = owned_.find(id);
    if (at == owned_.end()) return;
    free_ += at->second;
    owned_.erase(at);
  }

  std::size_t free() const { return free_; }
  std::size_t pages() const { return pages_; }
  std::size_t owned(RequestId id) const { return owned_.contains(id) ? owned_.at(id) : 0; }

  std::map<RequestId, std::size_t> lengths;  // what admit() needs to know
  std::function<std::size_t(RequestId)> found_of;

 private:
  std::size_t free_ = 0;
  std::size_t pages_ = 0;
  std::map<RequestId, std::size_t> owned_;
};

/// The rules once more, as plainly as they can be said: sorts everything in every step.
class Restated {
 public:
  struct Request {
    RequestId id = 0;
    double rank = 0;
    double deadline_s = INFINITY;
    std::size_t length = 0;
    std::size_t computed = 0;
    std::size_t pages = 0;
    bool runs = false;
  };
  struct Step {
    std::vector<Chunk> chunks;
    std::vector<RequestId> preempted;
    std::vector<RequestId> expired;
  };

  Restated(ScheduleLimits limits, std::size_t pages) : limits_(limits), free_(pages) {}

  std::vector<Request> requests;

  Step step(double now, const StepCosts& costs,
            const std::function<std::size_t(RequestId)>& found) {
    Step step;
    expire(step, now);
    newest(step);
    const std::size_t rows = step.chunks.size();
    std::size_t left =
        std::min(costs.prompt_rows(rows, limits_.rows_max, limits_.gap), limits_.rows_max - rows);
    for (const RequestId id : ranked(true)) {
      if (of(id).length - of(id).computed > 1) give(step, id, left);
    }
    if (step.preempted.empty()) admit(step, left, found);
    return step;
  }
  Request& of(RequestId id) { return *std::ranges::find(requests, id, &Request::id); }
  void remove(RequestId id) {
    free_ += of(id).pages;
    std::erase_if(requests, [id](const Request& request) { return request.id == id; });
  }

 private:
  void expire(Step& step, double now) {
    for (const bool running : {true, false}) {
      for (const RequestId id : ranked(running)) {
        if (now < of(id).deadline_s) continue;
        step.expired.push_back(id);
        remove(id);
      }
    }
  }
  void newest(Step& step) {
    for (const RequestId id : ranked(true)) {
      if (!of(id).runs || of(id).length - of(id).computed != 1) continue;
      while (of(id).runs && !fit(of(id))) preempt(step);
      if (of(id).runs) step.chunks.push_back({id, 1, true});
    }
  }
  void admit(Step& step, std::size_t& left, const std::function<std::size_t(RequestId)>& found) {
    for (const RequestId id : ranked(false)) {
      if (left == 0 || ranked(true).size() == limits_.sequences_max || !fit(of(id))) return;
      of(id).runs = true;
      of(id).computed = std::min(found(id), of(id).length - 1);
      give(step, id, left);
    }
  }
  std::vector<RequestId> ranked(bool running) const {
    std::vector<Request> some;
    for (const Request& request : requests) {
      if (request.runs == running) some.push_back(request);
    }
    std::ranges::sort(some, [](const Request& a, const Request& b) {
      return std::pair(a.rank, a.id) < std::pair(b.rank, b.id);
    });
    std::vector<RequestId> ids;
    for (const Request& request : some) ids.push_back(request.id);
    return ids;
  }
  bool fit(Request& request) {
    const std::size_t wanted = (request.length + kPage - 1) / kPage;
    if (wanted > request.pages + free_) return false;
    free_ -= wanted - request.pages;
    request.pages = wanted;
    return true;
  }
  void preempt(Step& step) {
    Request& worst = of(ranked(true).back());
    free_ += worst.pages;
    worst.pages = 0;
    worst.computed = 0;
    worst.runs = false;
    step.preempted.push_back(worst.id);
  }
  void give(Step& step, RequestId id, std::size_t& left) {
    const std::size_t pending = of(id).length - of(id).computed;
    const std::size_t rows = std::min(pending, left);
    if (rows == 0) return;
    step.chunks.push_back({id, rows, rows == pending});
    left -= rows;
  }

  ScheduleLimits limits_;
  std::size_t free_ = 0;
};

/// Random requests on a fake clock, the scheduler and the restatement side by side.
class Load {
 public:
  explicit Load(std::uint64_t seed) : seed_(seed), scheduler_(limits(), pages_) {
    found_ = [](RequestId id) { return random_bits(9, id, 0) % 3 == 0 ? std::size_t{40} : 0; };
    pages_.found_of = found_;
  }

  void step() {
    arrive();
    const Restated::Step expected = restated_.step(now_, scheduler_.costs(), found_);
    const Plan& plan = scheduler_.plan(now_);
    ASSERT_EQ(plan.chunks, expected.chunks) << "step " << steps_;
    ASSERT_EQ(plan.preempted, expected.preempted) << "step " << steps_;
    ASSERT_EQ(plan.expired, expected.expired) << "step " << steps_;
    preempted += plan.preempted.size();
    expired += plan.expired.size();
    for (const RequestId id : plan.expired) left_.erase(id);
    check(plan);
    const std::vector<Chunk> chunks = plan.chunks;
    const double seconds = 0.004 + 0.0002 * static_cast<double>(plan.prompt_rows);
    now_ += seconds;
    scheduler_.computed(seconds);
    for (const Chunk& chunk : chunks) apply(chunk);
    cancel();
    ++steps_;
  }
  /// No more arrivals: until nothing is left.
  void drain() {
    arrivals_ = false;
    for (std::size_t i = 0; i < 200000 && !left_.empty(); ++i) {
      step();
      if (testing::Test::HasFatalFailure()) return;
    }
    ASSERT_TRUE(left_.empty()) << left_.size() << " requests were never served";
    EXPECT_EQ(pages_.free(), pages_.pages()) << "no page leaked";
    EXPECT_EQ(scheduler_.running() + scheduler_.waiting(), 0U);
  }

  std::size_t preempted = 0;
  std::size_t expired = 0;
  std::size_t finished = 0;
  std::size_t refused = 0;
  double longest_s = 0;  // from arrival to the end, of requests without a deadline

 private:
  static ScheduleLimits limits() {
    return {.rows_max = 64, .sequences_max = 6, .waiting_max = 12, .aging_per_s = 1};
  }
  std::uint64_t draw(std::uint64_t below) { return random_bits(seed_, 0, draws_++) % below; }

  void arrive() {
    if (!arrivals_ || draw(100) >= 6) return;
    const RequestId id = next_++;
    Job job{.id = id, .priority = static_cast<double>(draw(3)), .arrival_s = now_};
    job.length = 1 + draw(draw(8) == 0 ? 300 : 60);
    if (draw(10) == 0) job.deadline_s = now_ + 0.001 * static_cast<double>(draw(4000));
    const std::size_t answer = std::min<std::size_t>(1 + draw(60), 384 - job.length);
    pages_.lengths[id] = job.length;
    if (!scheduler_.submit(job, now_).ok()) {
      ++refused;
      return;
    }
    restated_.requests.push_back({.id = id,
                                  .rank = job.priority + 1.0 * now_,
                                  .deadline_s = job.deadline_s.value_or(INFINITY),
                                  .length = job.length});
    left_[id] = {answer, now_};
  }
  void apply(const Chunk& chunk) {
    Restated::Request& request = restated_.of(chunk.id);
    request.computed += chunk.rows;
    if (!chunk.last) return;
    if (--left_.at(chunk.id).tokens == 0) {
      if (std::isinf(request.deadline_s)) {
        longest_s = std::max(longest_s, now_ - left_.at(chunk.id).arrival_s);
      }
      return end(chunk.id);
    }
    ++request.length;
    ++pages_.lengths[chunk.id];
    scheduler_.sampled(chunk.id);
  }
  void end(RequestId id) {
    restated_.remove(id);
    scheduler_.finished(id, now_);
    pages_.drop(id);
    pages_.lengths.erase(id);
    left_.erase(id);
    ++finished;
  }
  void cancel() {
    if (left_.empty() || draw(500) != 0) return;
    auto at = left_.begin();
    std::advance(at, static_cast<std::ptrdiff_t>(draw(left_.size())));
    end(at->first);
  }
  void check(const Plan& plan) const {
    std::size_t rows = 0;
    for (const Chunk& chunk : plan.chunks) rows += chunk.rows;
    ASSERT_LE(rows, limits().rows_max);
    ASSERT_LE(scheduler_.running(), limits().sequences_max);
    ASSERT_TRUE(rows > 0 || left_.empty() || !plan.preempted.empty()) << "nothing runs";
    for (const Restated::Request& request : restated_.requests) {
      ASSERT_EQ(pages_.owned(request.id), request.pages);
    }
  }

  struct Left {
    std::size_t tokens = 0;
    double arrival_s = 0;
  };
  std::uint64_t seed_ = 0;
  std::uint64_t draws_ = 0;
  RequestId next_ = 1;
  double now_ = 0;
  bool arrivals_ = true;
  std::size_t steps_ = 0;
  CountedPages pages_{12};
  std::function<std::size_t(RequestId)> found_;
  Scheduler scheduler_;
  Restated restated_{limits(), 12};
  std::map<RequestId, Left> left_;
};

TEST(SchedulerTest, AMillionStepsUnderRandomLoadKeepTheRulesStarveNobodyAndLeakNoPage) {
  std::size_t preempted = 0;
  double longest_s = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Load load(seed);
    for (std::size_t step = 0; step < 100000; ++step) {
      load.step();
      if (HasFatalFailure()) return;
    }
    load.drain();
    if (HasFatalFailure()) return;
    EXPECT_GT(load.finished, 3000U);
    EXPECT_GT(load.expired, 10U);
    preempted += load.preempted;
    longest_s = std::max(longest_s, load.longest_s);
  }
  EXPECT_GT(preempted, 1000U);
  // Work that can rank ahead of a request arrives within 2 priorities / aging = 2 s of it, beside
  // 12 waiting and 6 running requests of at most 384 positions: some seconds at these costs.
  EXPECT_LT(longest_s, 20);
}

/// A scheduler with room for everything but what a test takes away.
class RulesTest : public testing::Test {
 protected:
  void start(const ScheduleLimits& limits, std::size_t pages) {
    pages_ = std::make_unique<CountedPages>(pages);
    scheduler_ = std::make_unique<Scheduler>(limits, *pages_);
  }
  Status submit(Job job) {
    pages_->lengths[job.id] = job.length;
    return scheduler_->submit(job, job.arrival_s);
  }
  /// Runs a step; every request whose ids are all computed gets one more.
  std::vector<Chunk> step(double now, double seconds = 0.01) {
    std::vector<Chunk> chunks = scheduler_->plan(now).chunks;
    scheduler_->computed(seconds);
    for (const Chunk& chunk : chunks) {
      if (!chunk.last) continue;
      scheduler_->sampled(chunk.id);
      ++pages_->lengths[chunk.id];
    }
    return chunks;
  }
  static std::vector<RequestId> ids(const std::vector<Chunk>& chunks) {
    std::vector<RequestId> all;
    for (const Chunk& chunk : chunks) all.push_back(chunk.id);
    return all;
  }

  std::unique_ptr<CountedPages> pages_;
  std::unique_ptr<Scheduler> scheduler_;
};

TEST_F(RulesTest, ALongPromptComesInChunksBesideRequestsThatGoOnDecoding) {  // K07
  start({.rows_max = 64, .sequences_max = 4}, 1000);
  ASSERT_TRUE(submit({.id = 1, .length = 3}).ok());
  step(0);
  ASSERT_TRUE(submit({.id = 2, .length = 500}).ok());
  std::size_t rows = 0;
  for (int i = 0; i < 100 && rows < 500; ++i) {
    const std::vector<Chunk> chunks = step(0);
    ASSERT_EQ(chunks.size(), 2U);
    EXPECT_EQ(chunks[0], (Chunk{1, 1, true})) << "it gets its token in every step";
    rows += chunks[1].rows;
  }
  EXPECT_EQ(rows, 500U);
}

TEST_F(RulesTest, PromptRowsBesideDecodingRequestsFollowWhatStepsCost) {
  start({.rows_max = 512, .sequences_max = 4}, 1000);
  ASSERT_TRUE(submit({.id = 1, .length = 400}).ok());
  step(0, 0.400);  // 1 ms per prompt row
  for (int i = 0; i < 50; ++i) step(0, 0.010);
  ASSERT_TRUE(submit({.id = 2, .length = 20000}).ok());
  std::vector<Chunk> chunks = step(0, 0.025);
  // max(3 * 10 ms, 25 ms) * 0.85 leaves 15.5 ms beside the 10 ms of the decoding step.
  ASSERT_EQ(chunks.size(), 2U);
  EXPECT_EQ(chunks[1].rows, 15U + 1) << "at least kPromptRowsMin";
  for (int i = 0; i < 100; ++i) {
    chunks = step(0, 0.010 + 0.0001 * static_cast<double>(chunks[1].rows));
  }
  EXPECT_NEAR(static_cast<double>(chunks[1].rows), 155, 10) << "rows got ten times cheaper";
}

TEST_F(RulesTest, AdmitsByPriorityThenArrivalAndNeverPastOneThatDoesNotFit) {
  start({.rows_max = 64, .sequences_max = 2, .aging_per_s = 0.1}, 4);
  ASSERT_TRUE(submit({.id = 1, .priority = 5, .length = 10}).ok());
  ASSERT_TRUE(submit({.id = 2, .priority = 0, .length = 100}).ok());
  ASSERT_TRUE(submit({.id = 3, .priority = 0, .length = 40}).ok());
  EXPECT_EQ(ids(step(0)), (std::vector<RequestId>{2})) << "3 needs two pages and one is left";
  EXPECT_EQ(scheduler_->waiting(), 2U) << "1 would fit, but it is not its turn";
}

TEST_F(RulesTest, WaitingImprovesTheRankBySoMuchPerSecond) {
  start({.rows_max = 64, .sequences_max = 1, .aging_per_s = 0.1}, 100);
  ASSERT_TRUE(submit({.id = 1, .priority = 1, .arrival_s = 0, .length = 10}).ok());
  ASSERT_TRUE(submit({.id = 2, .priority = 0, .arrival_s = 10.5, .length = 10}).ok());
  EXPECT_EQ(ids(step(11)), (std::vector<RequestId>{1}));
  start({.rows_max = 64, .sequences_max = 1, .aging_per_s = 0.1}, 100);
  ASSERT_TRUE(submit({.id = 1, .priority = 1, .arrival_s = 0, .length = 10}).ok());
  ASSERT_TRUE(submit({.id = 2, .priority = 0, .arrival_s = 9.5, .length = 10}).ok());
  EXPECT_EQ(ids(step(11)), (std::vector<RequestId>{2}));
}

TEST_F(RulesTest, WherePagesLackTheYoungestOfTheLowestPriorityIsPreempted) {
  start({.rows_max = 200, .sequences_max = 4}, 4);
  ASSERT_TRUE(submit({.id = 1, .priority = 1, .length = 32}).ok());
  ASSERT_TRUE(submit({.id = 2, .priority = 1, .length = 30}).ok());
  ASSERT_TRUE(submit({.id = 3, .priority = 0, .length = 32}).ok());
  ASSERT_TRUE(submit({.id = 4, .priority = 0, .length = 32}).ok());
  ASSERT_EQ(step(0).size(), 4U);
  const Plan& plan = scheduler_->plan(0);
  EXPECT_EQ(plan.preempted, (std::vector<RequestId>{2, 1})) << "3 and 4 need a page each";
  EXPECT_EQ(ids(plan.chunks), (std::vector<RequestId>{3, 4}));
  EXPECT_TRUE(plan.admitted.empty());
}

TEST_F(RulesTest, AFullQueueRefusesAtOnceAndSaysWhenToTryAgain) {
  start({.rows_max = 64, .sequences_max = 1, .waiting_max = 2}, 100);
  ASSERT_TRUE(submit({.id = 1, .length = 10}).ok());
  ASSERT_TRUE(submit({.id = 2, .length = 10}).ok());
  const Status status = submit({.id = 3, .length = 10});
  EXPECT_EQ(status.code(), StatusCode::kUnavailable);
  EXPECT_EQ(status.message(), "2 requests wait, accepted are 2; try again in 1 s");
  step(0);
  scheduler_->finished(1, 7.2);
  pages_->drop(1);
  EXPECT_EQ(scheduler_->retry_after_s(), 8) << "a request took 7.2 s";
}

TEST_F(RulesTest, ADeadlineThatMeasuredCostsRuleOutIsRefusedAndAnotherEndsTheRequest) {
  start({.rows_max = 64, .sequences_max = 4}, 1000);
  Job job{.id = 1, .deadline_s = 0.5, .length = 64};
  ASSERT_TRUE(submit(job).ok()) << "no step was measured yet";
  step(0, 0.64);
  EXPECT_EQ(scheduler_->plan(0.7).expired, (std::vector<RequestId>{1}));
  EXPECT_EQ(pages_->free(), 1000U);
  ASSERT_TRUE(submit({.id = 2, .arrival_s = 1, .length = 100}).ok());
  const Status status = submit({.id = 3, .arrival_s = 1, .deadline_s = 2.5, .length = 100});
  EXPECT_EQ(status.message(),
            "the deadline is in 1.500 s, the first token would take 2.000 s or more");
  EXPECT_TRUE(submit({.id = 4, .arrival_s = 1, .deadline_s = 3.5, .length = 100}).ok());
}

TEST_F(RulesTest, AShortPriorityRequestPassesLongOnesThatWait) {
  start({.rows_max = 64, .sequences_max = 2}, 1000);
  for (RequestId id = 1; id <= 5; ++id) ASSERT_TRUE(submit({.id = id, .length = 1000}).ok());
  step(0);
  ASSERT_TRUE(submit({.id = 6, .priority = -1, .length = 5}).ok());
  scheduler_->finished(1, 0);
  pages_->drop(1);
  EXPECT_EQ(ids(step(0)), (std::vector<RequestId>{6, 2}));
}

}  // namespace
}  // namespace cairn::engine

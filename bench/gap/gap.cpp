// The gap between two tokens of answers, without and with prompts computed beside them.
// Usage: bench_gap MODEL [ROUNDS] [PROMPT_TOKENS] [THREADS]
//
// Eight answers run. A gap is the time from one token of all of them to the next: the reader drives
// the steps, so nothing waits for another thread. A round measures the gaps without a prompt, then
// beside prompts that follow one another, then without again, so that answers that grew longer
// meet both; and the same prompts alone. What is asked for: the p99 gap beside prompts at most the
// larger of 3 times the one without and 25 ms, and prompts at half of their throughput alone.
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/random.h"
#include "runtime/runtime.h"

namespace cairn::bench {
namespace {

constexpr std::size_t kAnswers = 8;
constexpr std::size_t kAnswerPrompt = 128;
constexpr std::size_t kGapsAlone = 200;  // before the prompts, and again behind them
constexpr std::size_t kPromptsBeside = 2;
constexpr double kGapFactor = 3;
constexpr double kGapSeconds = 0.025;

struct GapArguments {
  std::string model = {};
  std::size_t rounds = 3;
  std::size_t prompt_tokens = 4000;
  std::size_t threads = 0;
};

/// What one round gave.
struct Round {
  std::vector<double> without_s = {};
  std::vector<double> with_s = {};
  double beside_s = 0;  // of kPromptsBeside prompts
  double alone_s = 0;   // of one prompt
};

double seconds_since(std::int64_t begin_ns) {
  return static_cast<double>(steady_ns() - begin_ns) * 1e-9;
}

/// The smallest value that `share` of all do not pass.
double quantile(std::vector<double> values, double share) {
  std::ranges::sort(values);
  const auto rank = static_cast<std::size_t>(share * static_cast<double>(values.size()));
  return values[std::min(rank, values.size() - 1)];
}

class Bench {
 public:
  Bench(const GapArguments& arguments, runtime::Runtime& model)
      : arguments_(arguments), model_(model) {}

  Result<Round> run() {
    Round round;
    CAIRN_TRY(start_answers());
    CAIRN_TRY(gaps_alone(round));
    CAIRN_TRY(gaps_beside(round));
    CAIRN_TRY(gaps_alone(round));
    answers_.clear();
    const std::int64_t begin_ns = steady_ns();
    CAIRN_ASSIGN(const auto prompt, submit(arguments_.prompt_tokens, 1));
    CAIRN_TRY(prompt->next().status());
    round.alone_s = seconds_since(begin_ns);
    return round;
  }

 private:
  using Stream = std::unique_ptr<runtime::TextStream>;

  /// Ids that no prompt before had, so that nothing is found in the cache.
  Result<Stream> submit(std::size_t tokens, std::size_t answer) {
    runtime::IdsPrompt prompt;
    const auto vocabulary = static_cast<double>(model_.facts().vocabulary);
    for (std::size_t i = 0; i < tokens; ++i) {
      prompt.ids.push_back(static_cast<TokenId>(random_unit(7, prompts_, i) * vocabulary));
    }
    ++prompts_;
    return model_.generate({.prompt = std::move(prompt),
                            .seed = 1,
                            .tokens_max = answer,
                            .stop_at_end = runtime::StopAtEnd::kNo,
                            .reuse = runtime::PrefixReuse::kNo});
  }

  Status start_answers() {
    for (std::size_t i = 0; i < kAnswers; ++i) {
      CAIRN_ASSIGN(Stream answer, submit(kAnswerPrompt, arguments_.prompt_tokens));
      answers_.push_back(std::move(answer));
    }
    for (const Stream& answer : answers_) CAIRN_TRY(answer->next().status());
    return {};
  }

  /// Seconds until every answer has its next token.
  Result<double> gap() {
    const std::int64_t begin_ns = steady_ns();
    CAIRN_ASSIGN(const auto piece, answers_.front()->next());
    const double seconds = seconds_since(begin_ns);
    if (!piece) return internal_error("an answer ended before the measurement did");
    for (const Stream& answer : answers_) {
      while (answer != answers_.front() && answer->take().value()) {
      }
    }
    return seconds;
  }

  Status gaps_alone(Round& round) {
    for (std::size_t i = 0; i < kGapsAlone; ++i) {
      CAIRN_ASSIGN(const double seconds, gap());
      round.without_s.push_back(seconds);
    }
    return {};
  }

  Status gaps_beside(Round& round) {
    const std::int64_t begin_ns = steady_ns();
    for (std::size_t i = 0; i < kPromptsBeside; ++i) {
      CAIRN_ASSIGN(const Stream prompt, submit(arguments_.prompt_tokens, 1));
      while (!prompt->finish_reason()) {
        CAIRN_ASSIGN(const double seconds, gap());
        round.with_s.push_back(seconds);
      }
    }
    round.beside_s = seconds_since(begin_ns);
    return {};
  }

  const GapArguments& arguments_;
  runtime::Runtime& model_;
  std::vector<Stream> answers_;
  std::uint64_t prompts_ = 0;
};

void print_round(const Round& round, double prompt_tokens) {
  const double without = quantile(round.without_s, 0.99);
  const double with = quantile(round.with_s, 0.99);
  const double limit = std::max(kGapFactor * without, kGapSeconds);
  const double beside = prompt_tokens * kPromptsBeside / round.beside_s;
  const double alone = prompt_tokens / round.alone_s;
  fmt::print("gap without: median {:.1f}, p99 {:.1f} ms of {}; beside: median {:.1f}, p99 {:.1f}, ",
             1e3 * quantile(round.without_s, 0.5), 1e3 * without, round.without_s.size(),
             1e3 * quantile(round.with_s, 0.5), 1e3 * with);
  fmt::print("most {:.1f} ms of {} (limit {:.1f}: {})\n", 1e3 * quantile(round.with_s, 1),
             round.with_s.size(), 1e3 * limit, with <= limit ? "kept" : "not kept");
  fmt::print("prompts: {:.0f} tokens/s beside, {:.0f} alone: {:.2f} (at least 0.50: {})\n", beside,
             alone, beside / alone, beside >= alone / 2 ? "kept" : "not kept");
  (void)std::fflush(stdout);
}

Status run(const GapArguments& arguments) {
  runtime::OpenOptions options{.path = arguments.model,
                               .context = kAnswerPrompt + arguments.prompt_tokens,
                               .threads = arguments.threads,
                               .sequences = kAnswers + 1};
  CAIRN_ASSIGN(const auto model, runtime::Runtime::open(options));
  fmt::print("{}, isa {}, {} threads, {} answers, prompts of {} tokens, {} rounds\n",
             arguments.model, model->facts().isa, model->facts().threads, kAnswers,
             arguments.prompt_tokens, arguments.rounds);
  Bench bench(arguments, *model);
  for (std::size_t i = 0; i <= arguments.rounds; ++i) {
    CAIRN_ASSIGN(const Round round, bench.run());
    if (i > 0) print_round(round, static_cast<double>(arguments.prompt_tokens));
  }
  return {};
}

}  // namespace
}  // namespace cairn::bench

int main(int argc, char** argv) try {
  if (argc < 2 || argc > 5) {
    fmt::print(stderr, "usage: bench_gap MODEL [ROUNDS] [PROMPT_TOKENS] [THREADS]\n");
    return 2;
  }
  cairn::bench::GapArguments arguments{.model = argv[1]};
  if (argc > 2) arguments.rounds = std::strtoul(argv[2], nullptr, 10);
  if (argc > 3) arguments.prompt_tokens = std::strtoul(argv[3], nullptr, 10);
  if (argc > 4) arguments.threads = std::strtoul(argv[4], nullptr, 10);
  const cairn::Status status = cairn::bench::run(arguments);
  if (status.ok()) return 0;
  fmt::print(stderr, "bench_gap: {}\n", status.message());
  return 1;
} catch (const std::exception& error) {
  (void)std::fputs(error.what(), stderr);
  return 1;
}

// The time to the first token of a prompt that the cache has, beside that of a prompt it has not.
// Usage: bench_prefix MODEL [ROUNDS] [PROMPT_TOKENS] [THREADS]
//
// A round computes a prompt that nobody sent before and then the same one again: a pair on the same
// tokens in the same minute. What is asked for: the second takes at most 5 % of the first.
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

constexpr double kShareMax = 0.05;

struct PrefixArguments {
  std::string model = {};
  std::size_t rounds = 5;
  std::size_t prompt_tokens = 2000;
  std::size_t threads = 0;
};

/// One prompt with the first token of its answer.
struct First {
  double seconds = 0;
  TokenId id = 0;
  std::size_t cached = 0;
};

runtime::IdsPrompt random_prompt(const runtime::Runtime& model, std::size_t tokens,
                                 std::uint64_t number) {
  runtime::IdsPrompt prompt;
  const auto vocabulary = static_cast<double>(model.facts().vocabulary);
  for (std::size_t i = 0; i < tokens; ++i) {
    prompt.ids.push_back(static_cast<TokenId>(random_unit(7, number, i) * vocabulary));
  }
  return prompt;
}

Result<First> first_token(runtime::Runtime& model, const runtime::IdsPrompt& prompt) {
  const std::int64_t begin_ns = steady_ns();
  CAIRN_ASSIGN(
      const auto stream,
      model.generate(
          {.prompt = prompt, .seed = 1, .tokens_max = 1, .stop_at_end = runtime::StopAtEnd::kNo}));
  CAIRN_ASSIGN(const auto piece, stream->next());
  if (!piece) return internal_error("an answer ended without a token");
  return First{.seconds = static_cast<double>(steady_ns() - begin_ns) * 1e-9,
               .id = piece->id,
               .cached = stream->cached_tokens()};
}

/// The share of the cold time that the found prompt took.
Result<double> run_round(runtime::Runtime& model, const PrefixArguments& arguments,
                         std::uint64_t number) {
  const runtime::IdsPrompt prompt = random_prompt(model, arguments.prompt_tokens, number);
  CAIRN_ASSIGN(const First cold, first_token(model, prompt));
  CAIRN_ASSIGN(const First found, first_token(model, prompt));
  if (cold.cached != 0) return internal_error("a prompt that nobody sent before was found");
  if (found.cached == 0) return internal_error("the prompt was not found in the cache");
  if (cold.id != found.id) return internal_error("the answers differ");
  const double share = found.seconds / cold.seconds;
  if (number > 0) {  // the first round warms up
    fmt::print("cold {:.1f} ms, found {:.2f} ms ({} of {} tokens): {:.2f} %\n", 1e3 * cold.seconds,
               1e3 * found.seconds, found.cached, arguments.prompt_tokens, 100 * share);
    (void)std::fflush(stdout);
  }
  return share;
}

Status run(const PrefixArguments& arguments) {
  CAIRN_ASSIGN(const auto model, runtime::Runtime::open({.path = arguments.model,
                                                         .context = arguments.prompt_tokens,
                                                         .threads = arguments.threads,
                                                         .sequences = 2}));
  fmt::print("{}, isa {}, {} threads, prompts of {} tokens, {} rounds\n", arguments.model,
             model->facts().isa, model->facts().threads, arguments.prompt_tokens, arguments.rounds);
  std::vector<double> shares;
  for (std::size_t round = 0; round <= arguments.rounds; ++round) {
    CAIRN_ASSIGN(const double share, run_round(*model, arguments, round));
    if (round > 0) shares.push_back(share);
  }
  if (shares.empty()) return {};
  std::ranges::sort(shares);
  const double median = shares[shares.size() / 2];
  fmt::print("found beside cold: median {:.2f} %, most {:.2f} % (at most {:.0f} %: {})\n",
             100 * median, 100 * shares.back(), 100 * kShareMax,
             median <= kShareMax ? "kept" : "not kept");
  return {};
}

}  // namespace
}  // namespace cairn::bench

int main(int argc, char** argv) try {
  if (argc < 2 || argc > 5) {
    fmt::print(stderr, "usage: bench_prefix MODEL [ROUNDS] [PROMPT_TOKENS] [THREADS]\n");
    return 2;
  }
  cairn::bench::PrefixArguments arguments{.model = argv[1]};
  if (argc > 2) arguments.rounds = std::strtoul(argv[2], nullptr, 10);
  if (argc > 3) arguments.prompt_tokens = std::strtoul(argv[3], nullptr, 10);
  if (argc > 4) arguments.threads = std::strtoul(argv[4], nullptr, 10);
  const cairn::Status status = cairn::bench::run(arguments);
  if (status.ok()) return 0;
  fmt::print(stderr, "bench_prefix: {}\n", status.message());
  return 1;
} catch (const std::exception& error) {
  (void)std::fputs(error.what(), stderr);
  return 1;
}

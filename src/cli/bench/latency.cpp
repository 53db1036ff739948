// cairn bench latency MODEL: time to the first token and between tokens, at several depths.
#include <fmt/format.h>

#include <algorithm>

#include "base/clock.h"
#include "base/sha256.h"
#include "cli/bench/answer.h"
#include "cli/bench/command.h"
#include "cli/generation_flags.h"
#include "cli/model_path.h"
#include "cli/parse_errors.h"

namespace cairn::cli {
namespace {

constexpr std::uint64_t kLatencyTokensMax = 1'000'000;

struct LatencyBench {
  std::string model;
  std::vector<std::size_t> depths = {32, 512};
  std::size_t generate = 32;
  BenchFlags flags;
  SettingFlags settings;
};

void declare_latency(CLI::App& app, LatencyBench& bench) {
  app.add_option("MODEL", bench.model)->required();
  app.add_option("--depths", bench.depths)
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(whole_number(1, kLatencyTokensMax));
  app.add_option("--generate", bench.generate)->check(whole_number(2, kLatencyTokensMax));
  bench.flags.declare(app);
  bench.settings.declare(app, Purpose::kModel);
}

std::vector<AnswerAsk> asks_of(const LatencyBench& bench) {
  std::vector<AnswerAsk> asks;
  for (const std::size_t depth : bench.depths) {
    asks.push_back({.prompt_tokens = depth, .generate = bench.generate});
  }
  return asks;
}

std::vector<evidence::MetricUnit> latency_units(const std::vector<AnswerAsk>& asks) {
  std::vector<evidence::MetricUnit> units;
  for (const AnswerAsk& ask : asks) {
    units.push_back({.metric = fmt::format("ttft.d{}", ask.prompt_tokens), .unit = "ms"});
    units.push_back({.metric = fmt::format("itl.d{}", ask.prompt_tokens), .unit = "ms"});
    units.push_back(
        {.metric = fmt::format("decode.d{}", ask.prompt_tokens), .unit = "tokens/s (decode)"});
  }
  return units;
}

void add_readings(const AnswerAsk& ask, const TimedAnswer& answer, bool cold,
                  std::vector<evidence::Reading>& readings) {
  const auto add = [&](std::string_view name, std::vector<double> values) {
    readings.push_back({.metric = fmt::format("{}.d{}", name, ask.prompt_tokens),
                        .cold = cold,
                        .values = std::move(values)});
  };
  add("ttft", {answer.first_ms()});
  add("itl", answer.gaps_ms());
  add("decode", {static_cast<double>(ask.generate - 1) / (answer.decode_ms() / kMsPerSecond)});
}

/// Everything that stays over the repetitions.
struct LatencyRun {
  const LatencyBench& bench;
  Settings settings;
  std::vector<AnswerAsk> asks;
  runtime::Runtime& model;
  std::function<bool()> cancelled;
};

Result<std::vector<TimedAnswer>> answer_all(const LatencyRun& run, runtime::Runtime& model) {
  std::vector<TimedAnswer> answers;
  for (const AnswerAsk& ask : run.asks) {
    CAIRN_ASSIGN(TimedAnswer answer, time_answer(model, ask, run.cancelled));
    answers.push_back(std::move(answer));
  }
  return answers;
}

/// Warm: through the model that stays open. With reload the first answers of one opened anew stand
/// beside them as cold.
Result<evidence::ArmRound> latency_round(const LatencyRun& run, bool reload) {
  evidence::ArmRound round;
  if (reload) {
    CAIRN_ASSIGN(const std::unique_ptr<runtime::Runtime> fresh,
                 open_model(run.bench.model, run.settings, {}, run.cancelled));
    CAIRN_ASSIGN(const std::vector<TimedAnswer> cold, answer_all(run, *fresh));
    for (std::size_t i = 0; i < cold.size(); ++i) {
      add_readings(run.asks[i], cold[i], true, round.readings);
    }
  }
  CAIRN_ASSIGN(const std::vector<TimedAnswer> answers, answer_all(run, run.model));
  for (std::size_t i = 0; i < answers.size(); ++i) {
    add_readings(run.asks[i], answers[i], false, round.readings);
  }
  round.work = work_of(run.asks, answers);
  return round;
}

Status run_latency(LatencyBench& bench, Output& out) {
  CAIRN_TRY(bench.settings.read());
  Interrupt interrupt;
  interrupt.watch();
  const auto cancelled = [&] { return interrupt.requested(); };
  CAIRN_ASSIGN(const BenchLock lock, lock_series(bench.flags, cancelled));
  const std::vector<AnswerAsk> asks = asks_of(bench);
  const Settings settings =
      with_context(bench.settings.values(), std::ranges::max(bench.depths) + bench.generate);
  CAIRN_ASSIGN(const std::string path, model_path(bench.model));
  CAIRN_ASSIGN(const std::string hash, file_sha256(path));
  CAIRN_ASSIGN(const std::unique_ptr<runtime::Runtime> model,
               open_model(bench.model, settings, {}, cancelled));
  const LatencyRun run = {
      .bench = bench, .settings = settings, .asks = asks, .model = *model, .cancelled = cancelled};
  CAIRN_ASSIGN(const std::vector<TimedAnswer> warm_up, answer_all(run, *model));
  std::string prompts;
  for (const TimedAnswer& answer : warm_up) prompts += answer.prompt_sha256;
  const BenchCase measured = {
      .kind = "latency",
      .subject = model_stem(path),
      .arms = {our_bench_arm({.name = "cairn",
                              .role = "ours",
                              .model_sha256 = hash,
                              .corpus_sha256 = sha256_hex(prompts),
                              .facts = model->facts(),
                              .settings = settings})},
      .settings = settings_of_arm("cairn", bench.settings),
      .units = latency_units(asks),
      .curves = {{.prefix = "itl.d", .axis = "depth, tokens"},
                 {.prefix = "ttft.d", .axis = "depth, tokens"}},
      .isa = model->facts().isa,
      .run = [&](const evidence::RoundAsk& ask) { return latency_round(run, ask.reload); }};
  return run_case(bench.flags, measured, out, cancelled);
}

}  // namespace

int run_bench_latency(const PlainCall& call) {
  LatencyBench bench;
  CLI::App app;
  declare_latency(app, bench);
  return run_parsed(call, app, [&] { return run_latency(bench, call.out); });
}

}  // namespace cairn::cli

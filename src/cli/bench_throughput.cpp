// cairn bench throughput MODEL: tokens per second of many answers at once.
#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include "cli/bench/command.h"
#include "cli/bench/throughput_record.h"
#include "cli/generation_flags.h"
#include "cli/json_text.h"
#include "cli/parse_errors.h"
#include "cli/plain_command.h"
#include "cli/throughput.h"
#include "cli/words.h"

namespace cairn::cli {
namespace {

constexpr std::uint64_t kTokensMax = 1'000'000;

/// What the command line asks for.
struct Bench {
  std::string model;
  std::vector<std::size_t> parallel = {1, 8, 16};
  std::size_t prompt_tokens = 128;
  std::size_t generate = 128;
  std::size_t rounds = 5;
  bool json = false;
  std::string out;
  std::string plot;
  double lock_wait_s = 0;
  SettingFlags settings;
};

/// All rounds with one number of answers at once.
struct Measured {
  std::size_t sequences = 0;
  std::vector<ThroughputSample> samples = {};
};

void declare(CLI::App& app, Bench& bench) {
  app.add_option("MODEL", bench.model)->required();
  app.add_option("--parallel", bench.parallel)
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(whole_number(1, 65536));
  app.add_option("--prompt-tokens", bench.prompt_tokens)->check(whole_number(1, kTokensMax));
  app.add_option("--generate", bench.generate)->check(whole_number(1, kTokensMax));
  app.add_option("--rounds", bench.rounds)->check(whole_number(1, 1000));
  app.add_flag("--json", bench.json);
  app.add_option("--out", bench.out);
  app.add_option("--plot", bench.plot);
  app.add_option("--lock-wait", bench.lock_wait_s)->check(CLI::Range(0.0, 86400.0));
  bench.settings.declare(app, Purpose::kModel);
}

/// The numbers of one figure over the rounds.
template <typename Figure>
std::vector<double> values_of(const Measured& measured, Figure figure) {
  std::vector<double> values;
  for (const ThroughputSample& sample : measured.samples) values.push_back((sample.*figure)());
  return values;
}

/// A figure of every round.
struct FigureRow {
  const char* name = "";
  double (ThroughputSample::*figure)() const = nullptr;
};

constexpr FigureRow kFigures[] = {
    {"tokens_per_s", &ThroughputSample::tokens_per_s},
    {"generated_tokens_per_s", &ThroughputSample::generated_tokens_per_s},
    {"decode_tokens_per_s", &ThroughputSample::decode_tokens_per_s},
    {"scheduler_share", &ThroughputSample::scheduler_share},
    {"sampling_share", &ThroughputSample::sampling_share},
};

Json measured_json(const Measured& measured) {
  Json object = {{"sequences", measured.sequences}};
  for (const FigureRow& row : kFigures) {
    const std::vector<double> values = values_of(measured, row.figure);
    object[row.name] = {{"median", median_of(values)},
                        {"least", std::ranges::min(values)},
                        {"most", std::ranges::max(values)},
                        {"rounds", values}};
  }
  return object;
}

std::string measured_text(const Measured& measured) {
  const auto median = [&](auto figure) { return median_of(values_of(measured, figure)); };
  const std::vector<double> generated =
      values_of(measured, &ThroughputSample::generated_tokens_per_s);
  return fmt::format(
      "{:>9} {:>10.1f} {:>10.1f} {:>10.1f} {:>17} {:>9.2f}% {:>8.2f}%\n", measured.sequences,
      median(&ThroughputSample::tokens_per_s), median_of(generated),
      median(&ThroughputSample::decode_tokens_per_s),
      fmt::format("{:.1f} to {:.1f}", std::ranges::min(generated), std::ranges::max(generated)),
      100 * median(&ThroughputSample::scheduler_share),
      100 * median(&ThroughputSample::sampling_share));
}

Json bench_json(const Bench& bench, const runtime::ModelFacts& facts,
                const std::vector<Measured>& all) {
  Json results = Json::array();
  for (const Measured& measured : all) results.push_back(measured_json(measured));
  return {{"model", facts.path},
          {"architecture", facts.architecture},
          {"device", facts.device},
          {"isa", facts.isa},
          {"numerics", facts.numerics},
          {"threads", facts.threads},
          {"context", facts.context},
          {"pages", facts.pages},
          {"prompt_tokens", bench.prompt_tokens},
          {"generated_tokens", bench.generate},
          {"rounds", bench.rounds},
          {"results", std::move(results)}};
}

std::string bench_text(const Bench& bench, const std::vector<Measured>& all) {
  std::string text = fmt::format(
      "prompts of {}, answers of {}, medians of {}; tokens per second\n"
      "sequences        all  generated     decode  generated, range scheduler sampling\n",
      counted(bench.prompt_tokens, "token"), counted(bench.generate, "token"),
      counted(bench.rounds, "round"));
  for (const Measured& measured : all) text += measured_text(measured);
  return text;
}

/// Rounds outside, numbers of sequences inside: what changes on the machine meanwhile meets all.
Result<std::vector<Measured>> measure_all(const Bench& bench, runtime::Runtime& model,
                                          const std::function<bool()>& cancelled) {
  std::vector<Measured> all;
  for (const std::size_t sequences : bench.parallel) all.push_back({.sequences = sequences});
  ProgressBar bar("measuring", "runs");
  std::uint64_t seed = 0;
  const std::uint64_t runs = (bench.rounds + 1) * all.size();
  for (std::size_t round = 0; round <= bench.rounds; ++round) {
    for (Measured& measured : all) {
      CAIRN_ASSIGN(const ThroughputSample sample,
                   measure_throughput(model,
                                      {.sequences = measured.sequences,
                                       .prompt_tokens = bench.prompt_tokens,
                                       .generated_tokens = bench.generate},
                                      ++seed, cancelled));
      bar.show(seed, runs);
      if (round > 0) measured.samples.push_back(sample);  // the first one warms up
    }
  }
  return all;
}

/// The settings, with room for what is measured where they leave that open. Errors:
/// kInvalidArgument for fewer answers at once than are to be measured.
Result<Settings> settings_of(const Bench& bench) {
  Settings settings = bench.settings.values();
  engine::EngineSettings& engine = settings.engine;
  const std::size_t most = std::ranges::max(bench.parallel);
  if (engine.max_num_seqs.value_or(most) < most) {
    return invalid_argument(fmt::format("--max-num-seqs is {}, --parallel asks for {} at once",
                                        *engine.max_num_seqs, most));
  }
  if (!engine.max_num_seqs) engine.max_num_seqs = most;
  if (!engine.ctx) engine.ctx = bench.prompt_tokens + bench.generate;
  return settings;
}

/// With a file to write the measurement becomes a bench record.
Status record(const Bench& bench, const Settings& settings, Output& out,
              const std::function<bool()>& cancelled) {
  BenchFlags flags;
  flags.repetitions = static_cast<std::int64_t>(bench.rounds);
  if (flags.repetitions < evidence::kRepetitionsMin) {
    return invalid_argument(fmt::format("--rounds: found {}, expected at least {} for a record",
                                        bench.rounds, evidence::kRepetitionsMin));
  }
  flags.lock_wait_s = bench.lock_wait_s;
  flags.out = bench.out;
  flags.plot = bench.plot;
  flags.json = bench.json;
  ThroughputSeries series = {.model = bench.model,
                             .loads = {},
                             .settings = settings,
                             .kept = settings_of_arm("cairn", bench.settings)};
  for (const std::size_t sequences : bench.parallel) {
    series.loads.push_back({.sequences = sequences,
                            .prompt_tokens = bench.prompt_tokens,
                            .generated_tokens = bench.generate});
  }
  return record_throughput(flags, series, out, cancelled);
}

Status run(Bench& bench, Output& out) {
  CAIRN_TRY(bench.settings.read());
  Interrupt interrupt;
  interrupt.watch();
  const auto cancelled = [&] { return interrupt.requested(); };
  CAIRN_ASSIGN(const Settings settings, settings_of(bench));
  if (!bench.out.empty() || !bench.plot.empty()) return record(bench, settings, out, cancelled);
  CAIRN_ASSIGN(const std::unique_ptr<runtime::Runtime> model,
               open_model(bench.model, settings, {}, cancelled));
  CAIRN_ASSIGN(const std::vector<Measured> all, measure_all(bench, *model, cancelled));
  return out.write(bench.json ? json_text(bench_json(bench, model->facts(), all), 2) + "\n"
                              : bench_text(bench, all));
}

}  // namespace

int run_bench_throughput(const PlainCall& call) {
  Bench bench;
  CLI::App app;
  declare(app, bench);
  return run_parsed(call, app, [&] { return run(bench, call.out); });
}

}  // namespace cairn::cli

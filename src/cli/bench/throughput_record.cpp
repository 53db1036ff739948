#include "cli/bench/throughput_record.h"

#include <fmt/format.h>

#include <memory>

#include "base/sha256.h"
#include "cli/bench/answer.h"
#include "cli/generation_flags.h"
#include "cli/model_path.h"

namespace cairn::cli {
namespace {

/// Every repetition asks the same, so that its outputs can be compared.
constexpr std::uint64_t kThroughputSeed = 1;

struct ThroughputFigure {
  const char* name = "";
  const char* unit = "";
  double (ThroughputSample::*value)() const = nullptr;
};

constexpr ThroughputFigure kThroughputFigures[] = {
    {"total.b", "tokens/s (total)", &ThroughputSample::tokens_per_s},
    {"output.b", "tokens/s (output)", &ThroughputSample::generated_tokens_per_s},
    {"decode.b", "tokens/s (decode)", &ThroughputSample::decode_tokens_per_s},
};

std::vector<evidence::MetricUnit> throughput_units(const ThroughputSeries& series) {
  std::vector<evidence::MetricUnit> units;
  for (const ThroughputLoad& load : series.loads) {
    for (const ThroughputFigure& figure : kThroughputFigures) {
      units.push_back(
          {.metric = fmt::format("{}{}", figure.name, load.sequences), .unit = figure.unit});
    }
  }
  return units;
}

/// All loads once.
Status measure_loads(const ThroughputSeries& series, runtime::Runtime& model, bool cold,
                     evidence::ArmRound& round, const std::function<bool()>& cancelled) {
  std::string outputs;
  evidence::BenchWork work;
  for (const ThroughputLoad& load : series.loads) {
    CAIRN_ASSIGN(const ThroughputSample sample,
                 measure_throughput(model, load, kThroughputSeed, cancelled));
    for (const ThroughputFigure& figure : kThroughputFigures) {
      round.readings.push_back({.metric = fmt::format("{}{}", figure.name, load.sequences),
                                .cold = cold,
                                .values = {(sample.*figure.value)()}});
    }
    work.requests += static_cast<std::int64_t>(load.sequences);
    work.prompt_tokens += static_cast<std::int64_t>(sample.prompt_tokens);
    work.output_tokens += static_cast<std::int64_t>(sample.generated_tokens);
    outputs += sample.outputs_sha256;
  }
  work.outputs_sha256 = sha256_hex(std::string_view(outputs));
  round.work = work;
  return {};
}

Result<evidence::ArmRound> throughput_round(const ThroughputSeries& series, runtime::Runtime& model,
                                            bool reload, const std::function<bool()>& cancelled) {
  evidence::ArmRound round;
  if (reload) {
    CAIRN_ASSIGN(const std::unique_ptr<runtime::Runtime> fresh,
                 open_model(series.model, series.settings, {}, cancelled));
    CAIRN_TRY(measure_loads(series, *fresh, true, round, cancelled));
  }
  CAIRN_TRY(measure_loads(series, model, false, round, cancelled));
  return round;
}

/// The prompts are drawn of the loads' sizes and the seed alone.
std::string loads_sha256(const ThroughputSeries& series) {
  std::string text = fmt::format("seed {}", kThroughputSeed);
  for (const ThroughputLoad& load : series.loads) {
    text +=
        fmt::format(", {} of {} and {}", load.sequences, load.prompt_tokens, load.generated_tokens);
  }
  return sha256_hex(std::string_view(text));
}

}  // namespace

Status record_throughput(const BenchFlags& flags, const ThroughputSeries& series, Output& out,
                         const std::function<bool()>& cancelled) {
  CAIRN_ASSIGN(const BenchLock lock, lock_series(flags, cancelled));
  CAIRN_ASSIGN(const std::string path, model_path(series.model));
  CAIRN_ASSIGN(const std::string hash, file_sha256(path));
  CAIRN_ASSIGN(const std::unique_ptr<runtime::Runtime> model,
               open_model(series.model, series.settings, {}, cancelled));
  evidence::ArmRound warm_up;
  CAIRN_TRY(measure_loads(series, *model, false, warm_up, cancelled));
  const BenchCase measured = {.kind = "throughput",
                              .subject = model_stem(path),
                              .arms = {our_bench_arm({.name = "cairn",
                                                      .role = "ours",
                                                      .model_sha256 = hash,
                                                      .corpus_sha256 = loads_sha256(series),
                                                      .facts = model->facts(),
                                                      .settings = series.settings})},
                              .settings = series.kept,
                              .units = throughput_units(series),
                              .curves = {{.prefix = "output.b", .axis = "answers at once"},
                                         {.prefix = "decode.b", .axis = "answers at once"}},
                              .isa = model->facts().isa,
                              .run = [&](const evidence::RoundAsk& ask) {
                                return throughput_round(series, *model, ask.reload, cancelled);
                              }};
  return run_case(flags, measured, out, cancelled);
}

}  // namespace cairn::cli

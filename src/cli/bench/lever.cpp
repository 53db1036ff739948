// cairn bench lever MODEL --setting NAME --off VALUE --on VALUE: one switch, off and on in one
// process, alternated. Screening: it writes a bench record and never a receipt.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/clock.h"
#include "cli/bench/answer.h"
#include "cli/bench/command.h"
#include "cli/generation_flags.h"
#include "cli/model_path.h"
#include "cli/parse_errors.h"

namespace cairn::cli {
namespace {

constexpr std::int64_t kPairsMin =
    15;  // fewer tell a lever from the noise of a shared machine badly

struct LeverBench {
  std::string model;
  std::string setting;
  std::string off;
  std::string on;
  AnswerAsk ask;
  BenchFlags flags;
  SettingFlags settings;
};

void declare_lever(CLI::App& app, LeverBench& bench) {
  app.add_option("MODEL", bench.model)->required();
  app.add_option("--setting", bench.setting)->required();
  app.add_option("--off", bench.off)->required();
  app.add_option("--on", bench.on)->required();
  app.add_option("--prompt-tokens", bench.ask.prompt_tokens)->check(whole_number(1, 1'000'000));
  app.add_option("--generate", bench.ask.generate)->check(whole_number(2, 1'000'000));
  bench.flags.repetitions = kPairsMin;
  bench.flags.declare(app);
  bench.settings.declare(app, Purpose::kModel);
}

/// One side: the settings with the switch thrown, and a model that stays open.
struct LeverSide {
  std::string name;
  Settings settings;
  std::vector<evidence::ArmSetting> kept;
  std::unique_ptr<runtime::Runtime> model;
};

/// Errors: kInvalidArgument for a setting that is none of a model's, or a value it does not take.
Result<LeverSide> open_side(const LeverBench& bench, std::string_view name,
                            const std::string& value, const std::function<bool()>& cancelled) {
  LeverSide side;
  side.name = name;
  side.settings =
      with_context(bench.settings.values(), bench.ask.prompt_tokens + bench.ask.generate);
  side.kept = kept_settings(bench.settings);
  const auto row = std::ranges::find(side.kept, bench.setting, &evidence::ArmSetting::name);
  if (row == side.kept.end()) {
    return invalid_argument(
        fmt::format("--setting: found '{}', expected a setting of a model (cairn settings lists "
                    "them)",
                    bench.setting));
  }
  SettingOrigins origins;
  CAIRN_TRY(set_setting(side.settings, origins,
                        {.name = bench.setting, .value = value, .origin = Origin::kFlag}));
  row->value = value;
  row->origin = std::string(name_of(Origin::kFlag));
  CAIRN_ASSIGN(side.model, open_model(bench.model, side.settings, {}, cancelled));
  return side;
}

void add_lever_readings(const TimedAnswer& answer, std::size_t generate, bool cold,
                        std::vector<evidence::Reading>& readings) {
  readings.push_back({.metric = "ttft", .cold = cold, .values = {answer.first_ms()}});
  readings.push_back({.metric = "itl", .cold = cold, .values = answer.gaps_ms()});
  const double seconds = answer.decode_ms() / kMsPerSecond;
  readings.push_back({.metric = "decode_rate",
                      .cold = cold,
                      .values = {static_cast<double>(generate - 1) / seconds}});
}

Result<evidence::ArmRound> lever_round(const LeverBench& bench, const LeverSide& side, bool reload,
                                       const std::function<bool()>& cancelled) {
  evidence::ArmRound round;
  if (reload) {
    CAIRN_ASSIGN(const std::unique_ptr<runtime::Runtime> fresh,
                 open_model(bench.model, side.settings, {}, cancelled));
    CAIRN_ASSIGN(const TimedAnswer cold, time_answer(*fresh, bench.ask, cancelled));
    add_lever_readings(cold, bench.ask.generate, true, round.readings);
  }
  CAIRN_ASSIGN(const TimedAnswer answer, time_answer(*side.model, bench.ask, cancelled));
  add_lever_readings(answer, bench.ask.generate, false, round.readings);
  round.work = work_of({bench.ask}, {answer});
  return round;
}

/// Both arms of the record, off first.
Status add_arms(const LeverBench& bench, const std::array<LeverSide, 2>& sides,
                const std::function<bool()>& cancelled, BenchCase& measured) {
  CAIRN_ASSIGN(const std::string path, model_path(bench.model));
  CAIRN_ASSIGN(const std::string hash, file_sha256(path));
  measured.subject = fmt::format("{} {}", model_stem(path), bench.setting);
  for (const LeverSide& side : sides) {
    CAIRN_ASSIGN(const TimedAnswer warm_up, time_answer(*side.model, bench.ask, cancelled));
    measured.arms.push_back(our_bench_arm({.name = side.name,
                                           .role = side.name,
                                           .model_sha256 = hash,
                                           .corpus_sha256 = warm_up.prompt_sha256,
                                           .facts = side.model->facts(),
                                           .settings = side.settings}));
    for (const evidence::ArmSetting& setting : side.kept) {
      measured.settings.push_back({.arm = side.name, .setting = setting});
    }
  }
  measured.isa = sides[1].model->facts().isa;
  return {};
}

Status check_lever(const LeverBench& bench) {
  if (bench.flags.repetitions < kPairsMin) {
    return invalid_argument(fmt::format("--repetitions: found {}, expected at least {} pairs",
                                        bench.flags.repetitions, kPairsMin));
  }
  if (bench.off != bench.on) return {};
  return invalid_argument(
      fmt::format("--off and --on: found '{}' twice, expected two values", bench.on));
}

Status run_lever(LeverBench& bench, Output& out) {
  CAIRN_TRY(check_lever(bench));
  CAIRN_TRY(bench.settings.read());
  Interrupt interrupt;
  interrupt.watch();
  const auto cancelled = [&] { return interrupt.requested(); };
  CAIRN_ASSIGN(const BenchLock lock, lock_series(bench.flags, cancelled));
  CAIRN_ASSIGN(LeverSide off, open_side(bench, "off", bench.off, cancelled));
  CAIRN_ASSIGN(LeverSide on, open_side(bench, "on", bench.on, cancelled));
  const std::array<LeverSide, 2> sides = {std::move(off), std::move(on)};
  BenchCase measured;
  measured.kind = "lever";
  measured.units = {{.metric = "ttft", .unit = "ms"},
                    {.metric = "itl", .unit = "ms"},
                    {.metric = "decode_rate", .unit = "tokens/s (decode)"}};
  CAIRN_TRY(add_arms(bench, sides, cancelled, measured));
  measured.run = [&](const evidence::RoundAsk& ask) {
    return lever_round(bench, sides[arm_of_case(measured, ask)], ask.reload, cancelled);
  };
  return run_case(bench.flags, measured, out, cancelled);
}

}  // namespace

int run_bench_lever(const PlainCall& call) {
  LeverBench bench;
  CLI::App app;
  declare_lever(app, bench);
  return run_parsed(call, app, [&] { return run_lever(bench, call.out); });
}

}  // namespace cairn::cli

// cairn bench startup MODEL, cairn bench memory MODEL: whole processes, from their start to their
// end.
#include <fmt/format.h>

#include "cli/bench/arm_child.h"
#include "cli/bench/command.h"
#include "cli/model_path.h"
#include "cli/parse_errors.h"

namespace cairn::cli {
namespace {

struct ProcessBench {
  ArmCommand command;
  BenchFlags flags;
  SettingFlags settings;
};

/// A kind of measurement: its words, and what it reads off a child.
struct ProcessKind {
  const char* kind = "";
  const char* unit = "";
  Watch watch = Watch::kNothing;
  void (*read)(const WatchedArm& child, bool cold, evidence::ArmRound& round) = nullptr;
};

void declare_process(CLI::App& app, ProcessBench& bench) {
  app.add_option("MODEL", bench.command.model)->required();
  app.add_option("--prompt-tokens", bench.command.ask.prompt_tokens)
      ->check(whole_number(1, 1'000'000));
  app.add_option("--generate", bench.command.ask.generate)->check(whole_number(1, 1'000'000));
  bench.flags.declare(app);
  bench.settings.declare(app, Purpose::kModel);
}

void add_value(std::string metric, double value, bool cold, evidence::ArmRound& round) {
  round.readings.push_back({.metric = std::move(metric), .cold = cold, .values = {value}});
}

void read_startup(const WatchedArm& child, bool cold, evidence::ArmRound& round) {
  add_value("process", child.process.wall_ms, cold, round);
  add_value("load", child.run.load_milliseconds, cold, round);
  add_value("ttft", child.run.ttft_milliseconds, cold, round);
}

void read_memory(const WatchedArm& child, bool cold, evidence::ArmRound& round) {
  add_value("peak_pss", static_cast<double>(child.peaks.pss_bytes), cold, round);
  add_value("peak_rss", static_cast<double>(child.peaks.rss_bytes), cold, round);
  add_value("memavailable_drop", static_cast<double>(child.peaks.available_drop_bytes), cold,
            round);
  for (const evidence::MemoryKind& kind : child.run.memory) {  // M-56
    add_value("planned." + kind.kind, static_cast<double>(kind.planned_bytes), cold, round);
    add_value("actual." + kind.kind, static_cast<double>(kind.actual_bytes), cold, round);
  }
}

/// With reload first a child whose model comes from the disk.
Result<evidence::ArmRound> process_round(const ProcessBench& bench, const ChildFolder& folder,
                                         bool reload, const ProcessKind& kind) {
  evidence::ArmRound round;
  if (reload) {
    CAIRN_ASSIGN(const WatchedArm cold,
                 run_arm_child(bench.command, folder, PageCache::kDrop, kind.watch));
    kind.read(cold, true, round);
  }
  CAIRN_ASSIGN(const WatchedArm warm,
               run_arm_child(bench.command, folder, PageCache::kKeep, kind.watch));
  kind.read(warm, false, round);
  round.work = {.arm = {},
                .requests = 1,
                .prompt_tokens = warm.run.prompt_tokens,
                .output_tokens = warm.run.output_tokens,
                .outputs_sha256 = warm.run.outputs_sha256};
  return round;
}

std::vector<evidence::MetricUnit> units_of(const evidence::ArmRound& round, const char* unit) {
  std::vector<evidence::MetricUnit> units;
  for (const evidence::Reading& reading : round.readings) {
    units.push_back({.metric = reading.metric, .unit = unit});
  }
  return units;
}

Status run_process_bench(ProcessBench& bench, const ProcessKind& kind, Output& out) {
  CAIRN_TRY(bench.settings.read());
  const auto never = [] { return false; };  // Ctrl-C reaches whoever waits for the child
  CAIRN_ASSIGN(const BenchLock lock, lock_series(bench.flags, never));
  CAIRN_ASSIGN(bench.command.model, model_path(bench.command.model));
  CAIRN_ASSIGN(bench.command.model_sha256, file_sha256(bench.command.model));
  bench.command.settings = given_settings(bench.settings);
  CAIRN_ASSIGN(const ChildFolder folder, ChildFolder::make());
  // The first child warms the page cache and says what the arm is.
  CAIRN_ASSIGN(const WatchedArm first,
               run_arm_child(bench.command, folder, PageCache::kKeep, kind.watch));
  evidence::ArmRound readings;
  kind.read(first, false, readings);
  const BenchCase measured = {.kind = kind.kind,
                              .subject = model_stem(bench.command.model),
                              .arms = {arm_of(first.run, bench.settings.values())},
                              .settings = settings_of_arm("cairn", bench.settings),
                              .units = units_of(readings, kind.unit),
                              .curves = {},
                              .isa = first.run.isa,
                              .run = [&](const evidence::RoundAsk& ask) {
                                return process_round(bench, folder, ask.reload, kind);
                              }};
  return run_case(bench.flags, measured, out, never);
}

int run_process_command(const PlainCall& call, ProcessBench bench, const ProcessKind& kind) {
  CLI::App app;
  declare_process(app, bench);
  return run_parsed(call, app, [&] { return run_process_bench(bench, kind, call.out); });
}

}  // namespace

int run_bench_startup(const PlainCall& call) {
  ProcessBench bench;
  bench.command.ask = {.prompt_tokens = 1, .generate = 1};
  bench.command.warmups = 0;
  return run_process_command(call, std::move(bench),
                             {.kind = "startup", .unit = "ms", .read = &read_startup});
}

int run_bench_memory(const PlainCall& call) {
  ProcessBench bench;
  bench.command.ask = {.prompt_tokens = 128, .generate = 64};
  return run_process_command(
      call, std::move(bench),
      {.kind = "memory", .unit = "bytes", .watch = Watch::kMemory, .read = &read_memory});
}

}  // namespace cairn::cli

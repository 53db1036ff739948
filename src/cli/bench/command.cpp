#include "cli/bench/command.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <optional>
#include <thread>

#include "base/clock.h"
#include "base/file.h"
#include "base/host/counters.h"
#include "base/sha256.h"
#include "cli/exit_codes.h"
#include "cli/parse_errors.h"
#include "evidence/attestation/fold.h"
#include "evidence/bench/summary.h"
#include "evidence/wire/encode.h"
#include "evidence/wire/predicates.h"

namespace cairn::cli {
namespace {

using evidence::BenchRecord;

constexpr double kBytesPerGib = 1024.0 * 1024 * 1024;

/// A name that tells machines of one class from others and nobody who they are.
std::string machine_name(const BenchFlags& flags, const BenchCase& bench) {
  if (!flags.machine.empty()) return flags.machine;
  const double bytes = static_cast<double>(host::read_counters().memory.total_bytes);
  std::string name = fmt::format("{}cpu", std::thread::hardware_concurrency());
  if (!bench.isa.empty()) name += "-" + bench.isa;
  return fmt::format("{}-{:.0f}gib", name, bytes / kBytesPerGib);
}

constexpr const char* host_platform() {
#if defined(__x86_64__)
  return "linux/amd64";
#else
  return "linux/arm64";
#endif
}

/// The boot id says whether the host was started anew, and its hash says that too.
std::string boot_name(const host::Counters& counters) {
  constexpr std::size_t kDigits = 16;
  return counters.boot_id.empty() ? "unknown" : sha256_hex(counters.boot_id).substr(0, kDigits);
}

/// M-29, around one record.
class HostFrame {
 public:
  HostFrame() : before_(host::read_counters()), begin_(evidence::attestation::utc_text(utc_ns())) {}

  evidence::HostState state() const {
    const host::Counters after = host::read_counters();
    return {.boot_id_before = boot_name(before_),
            .boot_id_after = boot_name(after),
            .clock_before_utc = begin_,
            .clock_after_utc = evidence::attestation::utc_text(utc_ns()),
            .swap_ins = std::max<std::int64_t>(after.swap_ins - before_.swap_ins, 0),
            .oom_count = std::max<std::int64_t>(after.oom_kills - before_.oom_kills, 0),
            .steal_milliseconds = std::max(after.steal_ms - before_.steal_ms, 0.0),
            .lock = std::string(evidence::kBenchLock)};
  }

 private:
  host::Counters before_;
  std::string begin_;
};

BenchRecord frame_of(const BenchFlags& flags, const BenchCase& bench) {
  BenchRecord record;
  record.schema = evidence::kBenchRecordSchema;
  record.subject = {.key = flags.key.empty() ? bench.subject + " " + bench.kind : flags.key,
                    .kind = bench.kind,
                    .run_id = fmt::format("{}-{}", bench.kind, utc_ns() / 1'000'000),
                    .control = false};
  record.arms = bench.arms;
  std::vector<evidence::MetricUnit> units = bench.units;
  units.push_back({.metric = std::string(evidence::kOthersCpuMetric), .unit = "percent"});
  evidence::set_units(record, units);
  record.machine.scrubbed_id = machine_name(flags, bench);
  record.machine.platform = host_platform();
  record.machine.backend = "cpu";
  record.settings = bench.settings;
  return record;
}

/// What others take of the machine while nothing is measured.
std::optional<double> others_in_quiet() {
  constexpr std::chrono::milliseconds kQuiet{250};
  const host::Counters before = host::read_counters();
  std::this_thread::sleep_for(kQuiet);
  return host::others_cpu_percent(before, host::read_counters());
}

/// One repetition with what others took of the machine beside it.
Result<evidence::ArmRound> run_watched(const BenchCase& bench, const evidence::RoundAsk& ask) {
  std::optional<double> others;
  if (bench.others == OthersSeen::kBefore) others = others_in_quiet();
  const host::Counters before = host::read_counters();
  CAIRN_ASSIGN(evidence::ArmRound round, bench.run(ask));
  if (bench.others == OthersSeen::kMeanwhile) {
    others = host::others_cpu_percent(before, host::read_counters());
  }
  if (others) {
    round.readings.push_back(
        {.metric = std::string(evidence::kOthersCpuMetric), .values = {*others}});
  }
  return round;
}

/// What others took is told of every repetition or of none: one shorter than a tick of the host's
/// clock has no such reading.
void keep_whole(BenchRecord& record) {
  const auto is_others = [](const evidence::BenchSample& sample) {
    return sample.metric == evidence::kOthersCpuMetric;
  };
  const auto found = std::ranges::count_if(record.samples, is_others);
  if (static_cast<std::size_t>(found) != record.work.size()) {
    std::erase_if(record.samples, is_others);
  }
}

/// Rounds, host and seal. Errors: also kInternal where a rule of chapter 18 does not hold.
Status fill_record(
    BenchRecord& record, const BenchCase& bench, std::int64_t repetitions,
    const std::function<Result<evidence::ArmRound>(const evidence::RoundAsk&)>& run) {
  const HostFrame host;
  CAIRN_TRY(evidence::run_rounds(record, repetitions, run));
  keep_whole(record);
  record.machine.host_state = host.state();
  evidence::seal(record);
  const evidence::Findings findings = evidence::validate_bench_record(record);
  if (findings.empty()) return {};
  return internal_error("the record of " + bench.kind + " breaks its own rules:\n" +
                        evidence::to_lines(findings, "  record"));
}

/// What is wrong before anything is measured: names, manifests, units. A series may take an hour.
Status check_frame(BenchRecord record) {
  constexpr std::array<std::string_view, 5> kKnownBefore = {"M-01", "M-34", "M-37", "M-45", "M-47"};
  evidence::seal(record);
  evidence::Findings findings = evidence::validate_bench_record(record);
  std::erase_if(findings, [&](const evidence::Finding& finding) {
    return std::ranges::find(kKnownBefore, finding.ids.front()) == kKnownBefore.end();
  });
  if (findings.empty()) return {};
  return invalid_argument("the record would break its rules:\n" +
                          evidence::to_lines(findings, "  record"));
}

std::string control_path(const std::string& out) {
  const std::filesystem::path path(out);
  return (path.parent_path() / (path.stem().string() + ".control.json")).string();
}

std::string pair_json(const BenchPair& pair) {
  using evidence::Value;
  Value::Object both;
  both.push_back({.key = "control", .value = evidence::encode_value(pair.control)});
  both.push_back({.key = "record", .value = evidence::encode_value(pair.record)});
  return evidence::to_text(Value(std::move(both)), evidence::Layout::kIndented) + "\n";
}

}  // namespace

void BenchFlags::declare(CLI::App& app) {
  app.add_option("--repetitions", repetitions)
      ->check(whole_number(evidence::kRepetitionsMin, 1000));
  app.add_option("--lock-wait", lock_wait_s)->check(CLI::Range(0.0, 86400.0));
  app.add_option("--key", key);
  app.add_option("--machine", machine);
  app.add_option("--out", out);
  app.add_option("--plot", plot);
  app.add_flag("--json", json);
}

std::size_t arm_of_case(const BenchCase& bench, const evidence::RoundAsk& ask) {
  return ask.reload ? bench.control_arm : ask.arm;
}

Result<BenchPair> measure(const BenchFlags& flags, const BenchCase& bench,
                          const std::function<bool()>& cancelled) {
  BenchPair pair;
  pair.record = frame_of(flags, bench);
  CAIRN_TRY(check_frame(pair.record));
  pair.control = evidence::control_of(pair.record, bench.control_arm);
  const auto control_runs = static_cast<std::uint64_t>(evidence::kRepetitionsMin) * 2;
  const auto runs =
      control_runs + static_cast<std::uint64_t>(flags.repetitions) * bench.arms.size();
  ProgressBar bar("measuring", "runs");
  std::uint64_t done = 0;
  const auto run = [&](const evidence::RoundAsk& ask) -> Result<evidence::ArmRound> {
    if (cancelled()) return cairn::cancelled("stopped");
    bar.show(done++, runs);
    return run_watched(bench, ask);
  };
  CAIRN_TRY(fill_record(pair.control, bench, evidence::kRepetitionsMin, run));
  CAIRN_TRY(fill_record(pair.record, bench, flags.repetitions, run));
  bar.show(runs, runs);
  return pair;
}

Status deliver(const BenchFlags& flags, const BenchCase& bench, const BenchPair& pair,
               Output& out) {
  if (!flags.out.empty()) {
    CAIRN_TRY(write_file_whole(control_path(flags.out), evidence::text_of(pair.control)));
    CAIRN_TRY(write_file_whole(flags.out, evidence::text_of(pair.record)));
  }
  if (!flags.plot.empty()) {
    CAIRN_TRY(write_file_whole(flags.plot, evidence::plots_of(pair.record, bench.curves)));
  }
  if (flags.json) return out.write(pair_json(pair));
  return out.write(evidence::summary_of(pair.record, pair.control) +
                   (bench.footer ? bench.footer() : ""));
}

Result<BenchLock> lock_series(const BenchFlags& flags, const std::function<bool()>& cancelled) {
  return BenchLock::take(std::chrono::duration_cast<std::chrono::milliseconds>(
                             std::chrono::duration<double>(flags.lock_wait_s)),
                         cancelled);
}

Status run_case(const BenchFlags& flags, const BenchCase& bench, Output& out,
                const std::function<bool()>& cancelled) {
  CAIRN_ASSIGN(const BenchPair pair, measure(flags, bench, cancelled));
  return deliver(flags, bench, pair, out);
}

int run_parsed(const PlainCall& call, CLI::App& app, const std::function<Status()>& run) {
  std::vector<std::string> arguments(call.arguments.begin(), call.arguments.end());
  std::ranges::reverse(arguments);  // as the parser takes them
  try {
    app.parse(std::move(arguments));
  } catch (const CLI::CallForHelp&) {
    return call.answer_usage();
  } catch (const CLI::ParseError& error) {
    return call.wrong_usage(safe(error.what()));
  }
  const Status status = run();
  if (status.ok()) return 0;
  if (status.code() == StatusCode::kCancelled) return kExitInterrupted;
  if (status.code() == StatusCode::kInvalidArgument)
    return call.wrong_usage(safe(status.message()));
  call.say(safe(status.message()));
  return kExitFailed;
}

std::vector<evidence::ArmSetting> kept_settings(const SettingFlags& flags) {
  std::vector<evidence::ArmSetting> kept;
  for (const SettingRow& row : flags.rows()) {
    if (!has_use(Purpose::kModel, row.info.name)) continue;
    const bool scrubbed = !evidence::is_private_path(row.value);
    kept.push_back({.name = std::string(row.info.name),
                    .value = scrubbed ? row.value : "set",
                    .origin = std::string(name_of(row.origin))});
  }
  return kept;
}

std::vector<evidence::BenchSetting> settings_of_arm(std::string_view arm,
                                                    const SettingFlags& flags) {
  std::vector<evidence::BenchSetting> settings;
  for (evidence::ArmSetting& setting : kept_settings(flags)) {
    settings.push_back({.arm = std::string(arm), .setting = std::move(setting)});
  }
  return settings;
}

std::string model_stem(const std::string& path) {
  return std::filesystem::path(path).stem().string();
}

}  // namespace cairn::cli

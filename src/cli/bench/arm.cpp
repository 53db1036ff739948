// cairn bench arm MODEL: exactly one repetition of one arm, in a process of its own.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/clock.h"
#include "base/file.h"
#include "cli/bench/answer.h"
#include "cli/bench/command.h"
#include "cli/generation_flags.h"
#include "cli/model_path.h"
#include "cli/parse_errors.h"
#include "evidence/arm/arm_run.h"
#include "evidence/wire/encode.h"

namespace cairn::cli {
namespace {

struct ArmBench {
  std::string model;
  AnswerAsk ask;
  std::size_t warmups = 1;
  std::int64_t series = 0;
  std::string model_sha256;
  double lock_wait_s = 0;
  std::string out;
  bool json = false;
  SettingFlags settings;
};

void declare_arm(CLI::App& app, ArmBench& bench) {
  app.add_option("MODEL", bench.model)->required();
  app.add_option("--prompt-tokens", bench.ask.prompt_tokens)->check(whole_number(1, 1'000'000));
  app.add_option("--generate", bench.ask.generate)->check(whole_number(1, 1'000'000));
  app.add_option("--warmups", bench.warmups)->check(whole_number(0, 100));
  app.add_option("--series", bench.series)->check(whole_number(1, 1U << 30U));
  app.add_option("--model-sha256", bench.model_sha256);
  app.add_option("--lock-wait", bench.lock_wait_s)->check(CLI::Range(0.0, 86400.0));
  app.add_option("--out", bench.out);
  app.add_flag("--json", bench.json);
  bench.settings.declare(app, Purpose::kModel);
}

/// What the model says of itself.
void describe_model(const runtime::ModelFacts& facts, evidence::ArmRun& run) {
  run.version = "cairn " CAIRN_VERSION;
  run.device = facts.device;
  run.isa = facts.isa;
  run.numerics = facts.numerics;
  run.kv_type = facts.kv_cache_dtype;
  run.threads = static_cast<std::int64_t>(facts.threads);
  run.context_tokens = static_cast<std::int64_t>(facts.context);
  run.bytes_per_token = facts.bytes_per_token;
  run.load_milliseconds = facts.load_s * kMsPerSecond;
}

Status describe_memory(const runtime::Runtime& model, evidence::ArmRun& run) {
  CAIRN_ASSIGN(const runtime::MemoryReport report, model.memory());
  run.peak_bytes = report.peak_bytes;
  run.resident_bytes = std::min(report.resident_bytes, report.peak_bytes);
  for (const runtime::MemoryRow& row : report.rows) {
    run.memory.push_back({.kind = std::string(row.kind),
                          .planned_bytes = row.planned_bytes,
                          .actual_bytes = row.actual_bytes});
  }
  return {};
}

Result<evidence::ArmRun> one_repetition(const ArmBench& bench,
                                        const std::function<bool()>& cancelled) {
  const Settings settings =
      with_context(bench.settings.values(), bench.ask.prompt_tokens + bench.ask.generate);
  evidence::ArmRun run;
  CAIRN_ASSIGN(const std::string path, model_path(bench.model));
  run.model_sha256 = bench.model_sha256;
  if (run.model_sha256.empty()) {
    CAIRN_ASSIGN(run.model_sha256, file_sha256(path));
  }
  CAIRN_ASSIGN(const std::unique_ptr<runtime::Runtime> model,
               open_model(bench.model, settings, {}, cancelled));
  for (std::size_t i = 0; i < bench.warmups; ++i) {
    CAIRN_TRY(time_answer(*model, bench.ask, cancelled).status());
  }
  CAIRN_ASSIGN(const TimedAnswer answer, time_answer(*model, bench.ask, cancelled));
  describe_model(model->facts(), run);
  CAIRN_TRY(describe_memory(*model, run));
  run.prompt_tokens = static_cast<std::int64_t>(bench.ask.prompt_tokens);
  run.output_tokens = static_cast<std::int64_t>(bench.ask.generate);
  run.warmups = static_cast<std::int64_t>(bench.warmups);
  run.end_to_end_milliseconds = answer.last_ms();
  run.ttft_milliseconds = answer.first_ms();
  run.prefill_milliseconds = answer.prefill_ms;
  run.decode_milliseconds = answer.decode_ms();
  run.prompt_sha256 = answer.prompt_sha256;
  run.outputs_sha256 = answer.outputs_sha256;
  run.settings = kept_settings(bench.settings);
  return run;
}

std::string arm_text(const evidence::ArmRun& run) {
  std::string text = fmt::format(
      "prompt of {} tokens, {} generated, isa {}, numerics {}, {} threads\n"
      "loaded in {:.0f} ms, first token after {:.2f} ms, last after {:.2f} ms\n",
      run.prompt_tokens, run.output_tokens, run.isa, run.numerics, run.threads,
      run.load_milliseconds, run.ttft_milliseconds, run.end_to_end_milliseconds);
  if (run.output_tokens < 2) return text;
  return text + fmt::format("{:.2f} tokens/s (decode)\n", evidence::tokens_per_second(run));
}

/// A child of a series is under its holder's lock; one on its own takes the lock.
Result<std::optional<BenchLock>> lock_of(const ArmBench& bench,
                                         const std::function<bool()>& cancelled) {
  if (bench.series != 0) {
    CAIRN_TRY(BenchLock::held_by(static_cast<pid_t>(bench.series)));
    return std::optional<BenchLock>();
  }
  BenchFlags flags;
  flags.lock_wait_s = bench.lock_wait_s;
  CAIRN_ASSIGN(BenchLock lock, lock_series(flags, cancelled));
  return std::optional<BenchLock>(std::move(lock));
}

Status run_arm(ArmBench& bench, Output& out) {
  if (!bench.model_sha256.empty() && bench.series == 0) {
    return invalid_argument("found --model-sha256 without --series, expected both or none");
  }
  CAIRN_TRY(bench.settings.read());
  Interrupt interrupt;
  interrupt.watch();
  const auto cancelled = [&] { return interrupt.requested(); };
  CAIRN_ASSIGN(const std::optional<BenchLock> lock, lock_of(bench, cancelled));
  CAIRN_ASSIGN(const evidence::ArmRun run, one_repetition(bench, cancelled));
  const std::string text = evidence::document_text(run);
  if (!bench.out.empty()) CAIRN_TRY(write_file_whole(bench.out, text));
  if (bench.series != 0 && !bench.json) return {};  // its series says what there is to say
  return out.write(bench.json ? text : arm_text(run));
}

}  // namespace

int run_bench_arm(const PlainCall& call) {
  ArmBench bench;
  CLI::App app;
  declare_arm(app, bench);
  return run_parsed(call, app, [&] { return run_arm(bench, call.out); });
}

}  // namespace cairn::cli

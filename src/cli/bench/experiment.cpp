// cairn bench experiment LEVER MODEL: both arms of one lever through the whole procedure, and the
// only command that writes receipts.
#include <fmt/format.h>

#include <array>
#include <filesystem>

#include "base/file.h"
#include "base/process.h"
#include "base/sha256.h"
#include "cli/bench/arm_child.h"
#include "cli/bench/command.h"
#include "cli/model_path.h"
#include "cli/parse_errors.h"
#include "evidence/arm/experiment.h"
#include "evidence/attestation/check.h"
#include "evidence/compare/comparison.h"
#include "evidence/graph/validate.h"
#include "evidence/receipt/attach.h"
#include "evidence/wire/encode.h"
#include "evidence/wire/parse.h"

namespace cairn::cli {
namespace {

constexpr int kRegressionCode = 3;

struct ExperimentBench {
  std::string lever;
  std::string model;
  std::string graph = "docs/evidence/graph.json";
  std::string setting;
  std::string off;
  std::string on;
  std::string revision;
  std::string machine;
  std::string out;
  double lock_wait_s = 0;
  double quiet_s = 1;
  SettingFlags settings;
};

void declare_experiment(CLI::App& app, ExperimentBench& bench) {
  app.add_option("LEVER", bench.lever)->required();
  app.add_option("MODEL", bench.model)->required();
  app.add_option("--graph", bench.graph);
  app.add_option("--setting", bench.setting)->required();
  app.add_option("--off", bench.off)->required();
  app.add_option("--on", bench.on)->required();
  app.add_option("--revision", bench.revision)->required();
  app.add_option("--machine", bench.machine)->required();
  app.add_option("--out", bench.out)->required();
  app.add_option("--lock-wait", bench.lock_wait_s)->check(CLI::Range(0.0, 86400.0));
  app.add_option("--quiet", bench.quiet_s)->check(CLI::Range(0.01, 60.0));
  bench.settings.declare(app, Purpose::kModel);
}

/// One arm while its runs come in.
struct RunningArm {
  evidence::ExperimentArm arm;
  ArmCommand command;
  std::vector<evidence::attestation::Attestation> attestations;
};

/// What stays over the experiment.
struct ExperimentPlan {
  const ExperimentBench& bench;
  evidence::Graph graph;
  const evidence::Lever* lever = nullptr;
  const evidence::Envelope* envelope = nullptr;
  std::array<RunningArm, 2> arms;  // baseline, candidate
};

/// Errors: kInvalidFile for a graph that breaks its rules, kInvalidArgument for a lever that is not
/// in it.
Status read_graph_of(const ExperimentBench& bench, ExperimentPlan& plan) {
  CAIRN_ASSIGN(const std::string text, read_file(bench.graph, evidence::kDocumentBytesMax));
  evidence::Decoded<evidence::Graph> read = evidence::decode_graph(text);
  CAIRN_TRY(evidence::to_status(read.findings, bench.graph));
  plan.graph = std::move(read.value);
  CAIRN_TRY(evidence::to_status(evidence::validate_graph(plan.graph), bench.graph));
  plan.lever = evidence::find_lever(plan.graph, bench.lever);
  if (plan.lever == nullptr) {
    return invalid_argument(
        fmt::format("found the lever '{}', expected one of {}", bench.lever, bench.graph));
  }
  plan.envelope = evidence::find_envelope(plan.graph, plan.lever->applicability.envelope_id);
  return {};
}

/// The model must be the envelope's: everything else would be refused by the receipt afterwards.
Status check_model(const ExperimentPlan& plan, const std::string& path) {
  CAIRN_ASSIGN(const std::string hash, file_sha256(path));
  if (hash == plan.envelope->artifact_sha256) return {};
  return invalid_argument(fmt::format("{}: found the hash {}, expected {} of the envelope {}", path,
                                      hash, plan.envelope->artifact_sha256, plan.envelope->id));
}

Status prepare_arms(const ExperimentBench& bench, ExperimentPlan& plan) {
  CAIRN_ASSIGN(const std::string path, model_path(bench.model));
  CAIRN_TRY(check_model(plan, path));
  const auto positions = plan.envelope->prompt_tokens + plan.envelope->decode_tokens;
  for (std::size_t i = 0; i < plan.arms.size(); ++i) {
    ArmCommand& command = plan.arms[i].command;
    command.model = path;
    command.model_sha256 = plan.envelope->artifact_sha256;  // found above
    // The first token is the prefill's: decode_tokens steps follow it.
    command.ask = {.prompt_tokens = static_cast<std::size_t>(plan.envelope->prompt_tokens),
                   .generate = static_cast<std::size_t>(plan.envelope->decode_tokens) + 1};
    for (auto& setting : given_settings(bench.settings)) {
      if (setting.first != "ctx" && setting.first != bench.setting)
        command.settings.push_back(std::move(setting));
    }
    command.settings.emplace_back("ctx", std::to_string(positions));
    command.settings.emplace_back(bench.setting, i == 0 ? bench.off : bench.on);
    plan.arms[i].arm = {
        .role = i == 0 ? "baseline" : "candidate", .command = arm_words(command), .runs = {}};
  }
  return {};
}

/// "bench system-baseline" around "bench arm", its report kept off standard error.
std::vector<std::string> attested_command(const ExperimentBench& bench, const std::string& program,
                                          const std::string& attestation,
                                          const std::vector<std::string>& arm) {
  std::vector<std::string> words = {"sh",
                                    "-c",
                                    "exec \"$0\" \"$@\" >/dev/null",
                                    program,
                                    "bench",
                                    "system-baseline",
                                    "--baseline-duration",
                                    fmt::format("{}ms", static_cast<int>(bench.quiet_s * 1000)),
                                    "--interval",
                                    "100ms",
                                    "--out",
                                    attestation,
                                    "--",
                                    program};
  words.insert(words.end(), arm.begin(), arm.end());
  return words;
}

Status run_attested(const ExperimentBench& bench, const ChildFolder& folder, RunningArm& arm) {
  const std::string run = folder.file("run.json");
  const std::string report = folder.file("attestation.json");
  CAIRN_ASSIGN(const std::string program, program_path());
  CAIRN_ASSIGN(const ChildRun child, run_child(attested_command(bench, program, report,
                                                                arm_arguments(arm.command, run))));
  if (child.code != 0) {
    return internal_error(fmt::format("{} ended with exit code {}; what it said is above",
                                      arm.arm.command, child.code));
  }
  CAIRN_ASSIGN(evidence::ArmRun read, read_arm_run(run));
  CAIRN_ASSIGN(const std::string text, read_file(report, evidence::attestation::kFileBytesMax));
  auto attestation = evidence::attestation::read(text);
  CAIRN_TRY(evidence::to_status(attestation.findings, report));
  note(fmt::format("{}: {:.2f} tokens/s (decode), machine {}\n", arm.arm.role,
                   evidence::tokens_per_second(read), attestation.value.verdict));
  arm.arm.runs.push_back(std::move(read));
  arm.attestations.push_back(std::move(attestation.value));
  return {};
}

/// Arms alternate, their order turned around every round.
Status run_all(const ExperimentBench& bench, ExperimentPlan& plan) {
  CAIRN_ASSIGN(const ChildFolder folder, ChildFolder::make());
  const std::size_t arms = plan.arms.size();
  const std::size_t runs = arms * static_cast<std::size_t>(plan.envelope->repetitions);
  for (std::size_t i = 0; i < runs; ++i) {
    const bool turned = i / arms % 2 == 1;
    CAIRN_TRY(run_attested(bench, folder, plan.arms[turned ? arms - 1 - i % arms : i % arms]));
  }
  return {};
}

/// Writes the arm record and gives the receipt that names it, with its attestations.
Result<evidence::Receipt> write_arm(const ExperimentPlan& plan,
                                    const evidence::ExperimentFacts& facts, const RunningArm& arm) {
  const std::string name = arm.arm.role + ".arm.json";
  const std::string record = evidence::document_text(
      evidence::experiment_arm_record(plan.graph, *plan.lever, facts, arm.arm));
  CAIRN_ASSIGN(
      evidence::Receipt receipt,
      evidence::experiment_receipt(plan.graph, *plan.lever, facts, arm.arm,
                                   {.path = name, .sha256 = sha256_hex(std::string_view(record))}));
  for (const auto& attestation : arm.attestations) {
    CAIRN_TRY(evidence::to_status(evidence::attach_attestation(plan.graph, receipt, attestation),
                                  arm.arm.role));
  }
  CAIRN_TRY(evidence::to_status(evidence::validate_receipt(plan.graph, receipt), arm.arm.role));
  CAIRN_TRY(write_file_whole(plan.bench.out + "/" + name, record));
  CAIRN_TRY(write_file_whole(plan.bench.out + "/" + arm.arm.role + ".json",
                             evidence::document_text(receipt)));
  return receipt;
}

std::string verdict_text(const evidence::GateVerdict& verdict,
                         const evidence::Comparison& comparison) {
  std::string text = fmt::format(
      "{}: {:.2f} and {:.2f} tokens/s (decode), {:+.2f} %: {}\n", comparison.changed_lever_id,
      comparison.baseline_mean_tokens_per_second, comparison.candidate_mean_tokens_per_second,
      comparison.delta_percent, verdict.classification);
  for (const evidence::GateCheck& check : verdict.checks) {
    if (check.status != "pass") text += fmt::format("  {}: {}\n", check.name, check.detail);
  }
  return text;
}

/// Compares and gates what was measured, and writes the question beside the receipts.
Result<std::string> conclude(const ExperimentPlan& plan, int& code) {
  const evidence::ExperimentFacts facts = {
      .revision = plan.bench.revision,
      .machine = plan.bench.machine,
      .reference_sha256 = plan.arms[0].arm.runs.front().outputs_sha256};
  CAIRN_ASSIGN(const evidence::Receipt baseline, write_arm(plan, facts, plan.arms[0]));
  CAIRN_ASSIGN(const evidence::Receipt candidate, write_arm(plan, facts, plan.arms[1]));
  const auto comparison = evidence::compare_receipts(plan.graph, baseline, candidate);
  CAIRN_TRY(evidence::to_status(comparison.findings, "the two receipts"));
  const evidence::GateRequest request = {.schema = std::string(evidence::kGateRequestSchemaV2),
                                         .policy = evidence::experiment_policy(baseline),
                                         .last_accepted = baseline,
                                         .candidate = candidate};
  const evidence::GateResult result =
      evidence::judge(plan.graph, request, evidence::Strictness::kStrict);
  CAIRN_TRY(evidence::to_status(result.findings, "the gate request"));
  CAIRN_TRY(
      write_file_whole(plan.bench.out + "/candidate.gate.json", evidence::document_text(request)));
  if (result.verdict.classification == "regression") code = kRegressionCode;
  return verdict_text(result.verdict, comparison.value);
}

Status run_experiment(ExperimentBench& bench, Output& out, int& code) {
  if (bench.off == bench.on) {
    return invalid_argument(
        fmt::format("--off and --on: found '{}' twice, expected two values", bench.on));
  }
  CAIRN_TRY(bench.settings.read());
  ExperimentPlan plan = {.bench = bench, .graph = {}, .arms = {}};
  CAIRN_TRY(read_graph_of(bench, plan));
  BenchFlags flags;
  flags.lock_wait_s = bench.lock_wait_s;
  CAIRN_ASSIGN(const BenchLock lock, lock_series(flags, [] { return false; }));
  CAIRN_TRY(prepare_arms(bench, plan));
  std::error_code error;
  std::filesystem::create_directories(bench.out, error);
  if (error) return io_error(fmt::format("{}: cannot be made: {}", bench.out, error.message()));
  CAIRN_TRY(run_all(bench, plan));
  CAIRN_ASSIGN(const std::string text, conclude(plan, code));
  return out.write(text +
                   fmt::format("receipts, arm records and the gate's question: {}\n", bench.out));
}

}  // namespace

int run_bench_experiment(const PlainCall& call) {
  ExperimentBench bench;
  CLI::App app;
  declare_experiment(app, bench);
  int code = 0;
  const int ended = run_parsed(call, app, [&] { return run_experiment(bench, call.out, code); });
  return ended != 0 ? ended : code;
}

}  // namespace cairn::cli

// The modes of native-performance that read or write documents.
#include <fmt/format.h>

#include "base/file.h"
#include "base/staged_file.h"
#include "cli/native_performance.h"
#include "evidence/attestation/check.h"
#include "evidence/compare/comparison.h"
#include "evidence/gate/gate.h"
#include "evidence/profile/classify.h"
#include "evidence/receipt/attach.h"
#include "evidence/receipt/receipt.h"
#include "evidence/wire/encode.h"

namespace cairn::cli {
namespace {

constexpr int kRegression = 3;

/// Reads the file of a flag with `decode`; says what is wrong and returns nothing otherwise.
template <typename T, typename Decode>
std::optional<T> load(const NativePerformance& run, std::string_view flag, const Decode& decode) {
  const std::string_view path = run.value(flag);
  const std::optional<std::string> text = run.read(path);
  if (!text) return std::nullopt;
  evidence::Decoded<T> decoded = decode(*text);
  if (decoded.ok()) return std::move(decoded.value);
  run.refuse(decoded.findings, path);
  return std::nullopt;
}

std::optional<evidence::Receipt> load_receipt(const NativePerformance& run, std::string_view flag) {
  return load<evidence::Receipt>(
      run, flag, [](std::string_view text) { return evidence::decode_receipt(text); });
}

/// A-01 limits an attestation file to 1 MiB.
std::optional<evidence::attestation::Attestation> load_attestation(const NativePerformance& run) {
  namespace attestation = evidence::attestation;
  const std::string path(run.value("system-baseline"));
  const Result<std::string> text = read_file(path, attestation::kFileBytesMax);
  if (!text.ok() && text.status().code() == StatusCode::kTooLarge) {
    run.refuse(attestation::too_large(), path);
    return std::nullopt;
  }
  if (!text.ok()) {
    run.refuse(text.status().message());
    return std::nullopt;
  }
  evidence::Decoded<attestation::Attestation> decoded = attestation::read(*text);
  if (decoded.ok()) return std::move(decoded.value);
  run.refuse(decoded.findings, path);
  return std::nullopt;
}

std::string both_names(const NativePerformance& run) {
  return fmt::format("{} and {}", run.value("compare"), run.value("candidate"));
}

/// On standard output, or only into --out, whole or not at all.
int deliver(const NativePerformance& run, std::string_view text) {
  const std::string out(run.value("out"));
  if (out.empty()) return run.print(text);
  Result<StagedFile> file = StagedFile::open(out);
  if (!file.ok()) return run.refuse(file.status().message());
  const Status status = file->commit(text);
  return status.ok() ? 0 : run.refuse(status.message());
}

}  // namespace

int run_baseline_mode(const NativePerformance& run) {
  const std::string_view id = run.value("baseline");
  const evidence::Lever* lever = evidence::find_lever(run.graph, id);
  if (lever == nullptr) {
    return run.refuse(
        fmt::format("--baseline: found the unknown lever {}, accepted the id of a "
                    "lever of the {}",
                    evidence::quote(id), run.graph_name));
  }
  const Result<evidence::Receipt> receipt = evidence::baseline_template(run.graph, *lever);
  if (!receipt.ok()) return run.refuse(receipt.status().message());
  return run.print(evidence::document_text(*receipt));
}

int run_compare_mode(const NativePerformance& run) {
  const std::optional<evidence::Receipt> baseline = load_receipt(run, "compare");
  if (!baseline) return 1;
  const std::optional<evidence::Receipt> candidate = load_receipt(run, "candidate");
  if (!candidate) return 1;
  const evidence::Decoded<evidence::Comparison> result =
      evidence::compare_receipts(run.graph, *baseline, *candidate);
  if (!result.ok()) return run.refuse(result.findings, both_names(run));
  if (!run.pass_opt_in(evidence::receipt_warnings(*baseline), run.value("compare")) ||
      !run.pass_opt_in(evidence::receipt_warnings(*candidate), run.value("candidate"))) {
    return 1;
  }
  return run.print(evidence::document_text(result.value));
}

int run_attach_mode(const NativePerformance& run) {
  std::optional<evidence::Receipt> receipt = load_receipt(run, "attach-receipt");
  if (!receipt) return 1;
  const std::optional<evidence::attestation::Attestation> attestation = load_attestation(run);
  if (!attestation) return 1;
  const evidence::Findings findings =
      evidence::attach_attestation(run.graph, *receipt, *attestation);
  if (!findings.empty()) {
    return run.refuse(findings, fmt::format("{} with {}", run.value("attach-receipt"),
                                            run.value("system-baseline")));
  }
  if (!run.pass_opt_in(evidence::receipt_warnings(*receipt), run.value("attach-receipt")) ||
      !run.pass_opt_in(evidence::attestation::check_opt_in(*attestation),
                       run.value("system-baseline"))) {
    return 1;
  }
  return deliver(run, evidence::document_text(*receipt));
}

int run_gate_mode(const NativePerformance& run) {
  const std::optional<evidence::GateRequest> request = load<evidence::GateRequest>(
      run, "gate", [](std::string_view text) { return evidence::decode_gate_request(text); });
  if (!request) return 1;
  const evidence::Strictness strictness =
      run.strict() ? evidence::Strictness::kStrict : evidence::Strictness::kDefault;
  evidence::GateResult result = evidence::judge(run.graph, *request, strictness);
  if (!result.ok()) return run.refuse(result.findings, run.value("gate"));
  if (!run.pass_opt_in(evidence::receipt_warnings(request->last_accepted), run.value("gate")) ||
      !run.pass_opt_in(evidence::receipt_warnings(request->candidate), run.value("gate")) ||
      !run.pass_opt_in(result.warnings, run.value("gate"))) {
    return 1;
  }
  evidence::apply(run.settings, result.verdict);
  const int code = run.print(evidence::document_text(result.verdict));
  return code == 0 && result.verdict.classification == "regression" ? kRegression : code;
}

int run_profile_mode(const NativePerformance& run) {
  const std::optional<evidence::Profile> profile = load<evidence::Profile>(
      run, "profile", [](std::string_view text) { return evidence::decode_profile(text); });
  if (!profile) return 1;
  const evidence::Decoded<evidence::Classification> result =
      evidence::classify_profile(run.graph, *profile);
  if (!result.ok()) return run.refuse(result.findings, run.value("profile"));
  return run.print(evidence::document_text(result.value));
}

int run_profile_next_mode(const NativePerformance& run) {
  const std::optional<evidence::Profile> profile = load<evidence::Profile>(
      run, "profile-next", [](std::string_view text) { return evidence::decode_profile(text); });
  if (!profile) return 1;
  const evidence::Decoded<evidence::ProfileChoice> result =
      evidence::choose_from_profile(run.graph, *profile);
  if (!result.ok()) return run.refuse(result.findings, run.value("profile-next"));
  return run.print(evidence::document_text(result.value));
}

}  // namespace cairn::cli

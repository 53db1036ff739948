#include "evidence/receipt/receipt.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "evidence/receipt/rules.h"
#include "evidence/wire/predicates.h"

namespace cairn::evidence {
namespace {

void stages_present(const ReceiptView& view, Report& report) {
  if (view.receipt.schema != kReceiptSchemaV2) return;
  for (std::size_t i = 0; i < view.receipt.repetitions.size(); ++i) {
    const Repetition& one = view.receipt.repetitions[i];
    for (const auto& [key, value] :
         {std::pair<std::string_view, double>{"ttft_milliseconds", one.ttft_milliseconds},
          {"prefill_milliseconds", one.prefill_milliseconds},
          {"decode_milliseconds", one.decode_milliseconds}}) {
      if (value > 0) continue;
      report.add(member_path(item_path("repetitions", i), key), shown_number(value),
                 "a stage time above 0");
    }
  }
}

constexpr std::array kReceiptOptInRules = {
    ReceiptRule{.id = "R-34", .check = &stages_present},
};

ReceiptView view_of(const Graph& graph, const Receipt& receipt) {
  const Lever* lever = find_lever(graph, receipt.changed_lever_id);
  const Envelope* envelope =
      lever == nullptr ? nullptr : find_envelope(graph, lever->applicability.envelope_id);
  return {.graph = graph, .receipt = receipt, .lever = lever, .envelope = envelope};
}

}  // namespace

std::vector<std::string> canonical_controls() {
  return {"artifact_sha256", "machine",        "prompt_tokens", "decode_tokens",
          "batch",           "context_tokens", "temperature",   "sampling",
          "cache_state",     "warmups",        "repetitions",   "execution_identity"};
}

Decoded<Receipt> decode_receipt(std::string_view text, Rules rules) {
  return decode<Receipt>(text, rules);
}

Findings validate_receipt(const Graph& graph, const Receipt& receipt, Rules rules) {
  const ReceiptView view = view_of(graph, receipt);
  Findings all;
  for (const std::span<const ReceiptRule> table :
       {identity_rules(), measurement_rules(), attachment_rules()}) {
    std::ranges::move(collect(table, view, rules), std::back_inserter(all));
  }
  return sorted(std::move(all));
}

Findings receipt_warnings(const Receipt& receipt, Rules rules) {
  const Graph none;
  return collect(std::span<const ReceiptRule>(kReceiptOptInRules), view_of(none, receipt), rules);
}

Result<Receipt> baseline_template(const Graph& graph, const Lever& lever) {
  constexpr std::int64_t kMost = 1'000'000'000;
  const Envelope& envelope = *find_envelope(graph, lever.applicability.envelope_id);
  if (envelope.repetitions > kMost / 1000 || envelope.prompt_tokens > kMost ||
      envelope.decode_tokens > kMost) {
    return too_large("envelope " + quote(envelope.id) + ": found " +
                     std::to_string(envelope.repetitions) + " repetitions of P" +
                     std::to_string(envelope.prompt_tokens) + "/T" +
                     std::to_string(envelope.decode_tokens) +
                     ", a template takes a million repetitions and a thousand million tokens");
  }
  Receipt receipt;
  receipt.schema = kReceiptSchemaV2;
  receipt.role = "baseline";
  receipt.envelope_id = envelope.id;
  receipt.changed_lever_id = lever.id;
  receipt.revision = "FILL_COMMITTED_REVISION";
  receipt.artifact_sha256 =
      is_hex64(envelope.artifact_sha256) ? envelope.artifact_sha256 : "FILL_ARTIFACT_SHA256";
  receipt.machine = {.scrubbed_id = "FILL_SCRUBBED_MACHINE_ID",
                     .platform = lever.applicability.platform,
                     .backend = envelope.backend};
  receipt.controls = {.prompt_tokens = envelope.prompt_tokens,
                      .decode_tokens = envelope.decode_tokens,
                      .batch = 1,
                      .context_tokens = envelope.prompt_tokens + envelope.decode_tokens,
                      .temperature = static_cast<double>(envelope.temperature),
                      .sampling = "greedy",
                      .cache_state = "cold",
                      .warmups = 1,
                      .repetitions = envelope.repetitions};
  receipt.unchanged_controls = canonical_controls();
  receipt.repetitions.resize(static_cast<std::size_t>(envelope.repetitions));
  receipt.execution = {
      .engine = envelope.engine, .forward_path = envelope.forward_path, .fallback_count = 0};
  receipt.quality = {.name = "FILL_QUALITY_METRIC", .score = 0, .higher_is_better = true};
  receipt.module_versions = {{.module = "FILL_MODULE", .revision = "FILL_MODULE_REVISION"}};
  receipt.commands = {"FILL_SCRUBBED_CAPTURE_COMMAND"};
  receipt.profiler_artifacts = {
      {.path = "FILL_RELATIVE_PROFILE_PATH", .sha256 = std::string(64, '0')}};
  return receipt;
}

}  // namespace cairn::evidence

#include "evidence/arm/arm_run.h"

#include <cmath>

#include "evidence/wire/predicates.h"

namespace cairn::evidence {

Decoded<ArmRun> decode_arm_run(std::string_view text, Rules rules) {
  return decode<ArmRun>(text, rules);
}

Findings check_arm_run(const ArmRun& run, Rules rules) {
  Findings findings;
  if (!rules.on("M-03")) return findings;
  Report report("M-03", findings);
  if (run.schema != kArmRunSchema) {
    report.add("schema", quote(run.schema), std::string(kArmRunSchema));
  }
  const auto hash = [&](std::string_view key, const std::string& text) {
    if (is_sha256_hex(text)) return;
    report.add(std::string(key), quote(text), "64 lower-case hex digits, not all 0");
  };
  hash("model_sha256", run.model_sha256);
  hash("prompt_sha256", run.prompt_sha256);
  hash("outputs_sha256", run.outputs_sha256);
  const auto positive = [&](std::string_view key, double value) {
    if (std::isfinite(value) && value > 0) return;
    report.add(std::string(key), shown_number(value), "a number above 0");
  };
  positive("threads", static_cast<double>(run.threads));
  positive("context_tokens", static_cast<double>(run.context_tokens));
  positive("prompt_tokens", static_cast<double>(run.prompt_tokens));
  positive("output_tokens", static_cast<double>(run.output_tokens));
  positive("end_to_end_milliseconds", run.end_to_end_milliseconds);
  positive("ttft_milliseconds", run.ttft_milliseconds);
  positive("prefill_milliseconds", run.prefill_milliseconds);
  if (run.output_tokens > 1) positive("decode_milliseconds", run.decode_milliseconds);
  positive("peak_bytes", static_cast<double>(run.peak_bytes));
  positive("resident_bytes", static_cast<double>(run.resident_bytes));
  return findings;
}

double tokens_per_second(const ArmRun& run) {
  return static_cast<double>(run.output_tokens - 1) / (run.decode_milliseconds / 1000);
}

}  // namespace cairn::evidence

// R-16..R-24, R-33 and J-13: what a receipt measured and how.
#include <algorithm>
#include <array>
#include <cmath>

#include "evidence/receipt/rules.h"
#include "evidence/wire/predicates.h"
#include "evidence/wire/strings.h"

namespace cairn::evidence {
namespace {

/// The one envelope whose decode_tokens are this repository's value, not the authority's (D-04).
constexpr std::string_view kOpenDecodeTokens = "qwen38-27b-q4k-a100-p1-decode";

bool is_above_zero(double value) { return std::isfinite(value) && value > 0; }

void report_least(std::int64_t value, std::int64_t least, std::string path, Report& report) {
  if (value >= least) return;
  report.add(std::move(path), std::to_string(value), "at least " + std::to_string(least));
}

void controls(const ReceiptView& view, Report& report) {
  const Controls& found = view.receipt.controls;
  report_least(found.prompt_tokens, 1, "controls.prompt_tokens", report);
  report_least(found.decode_tokens, 1, "controls.decode_tokens", report);
  report_least(found.batch, 1, "controls.batch", report);
  report_least(found.context_tokens, 1, "controls.context_tokens", report);
  report_least(found.warmups, 0, "controls.warmups", report);
  report_least(found.repetitions, 1, "controls.repetitions", report);
  if (!std::isfinite(found.temperature)) {
    report.add("controls.temperature", shown_number(found.temperature), "a finite number");
  }
}

void controls_of_envelope(const ReceiptView& view, Report& report) {
  if (view.envelope == nullptr) return;
  const Controls& found = view.receipt.controls;
  const auto compare = [&](std::int64_t value, std::int64_t accepted, std::string path) {
    if (value == accepted) return;
    report.add(std::move(path), std::to_string(value),
               "the envelope's " + std::to_string(accepted));
  };
  compare(found.prompt_tokens, view.envelope->prompt_tokens, "controls.prompt_tokens");
  compare(found.repetitions, view.envelope->repetitions, "controls.repetitions");
  if (view.envelope->id != kOpenDecodeTokens) {
    compare(found.decode_tokens, view.envelope->decode_tokens, "controls.decode_tokens");
  }
  if (found.temperature != static_cast<double>(view.envelope->temperature)) {
    report.add("controls.temperature", shown_number(found.temperature),
               "the envelope's " + std::to_string(view.envelope->temperature));
  }
}

void repetition_count(const ReceiptView& view, Report& report) {
  const std::size_t count = view.receipt.repetitions.size();
  if (view.receipt.controls.repetitions == static_cast<std::int64_t>(count)) return;
  report.add(
      "repetitions", std::to_string(count) + " repetitions",
      "the " + std::to_string(view.receipt.controls.repetitions) + " of controls.repetitions");
}

void report_stage(double value, std::string path, Report& report) {
  if (std::isfinite(value) && value >= 0) return;
  report.add(std::move(path), shown_number(value), "a number from 0, or no key");
}

void repetitions(const ReceiptView& view, Report& report) {
  for (std::size_t i = 0; i < view.receipt.repetitions.size(); ++i) {
    const Repetition& one = view.receipt.repetitions[i];
    const std::string path = item_path("repetitions", i);
    if (!is_above_zero(one.end_to_end_milliseconds)) {
      report.add(member_path(path, "end_to_end_milliseconds"),
                 shown_number(one.end_to_end_milliseconds), "a number above 0");
    }
    if (!is_above_zero(one.tokens_per_second)) {
      report.add(member_path(path, "tokens_per_second"), shown_number(one.tokens_per_second),
                 "a number above 0");
    }
    report_stage(one.ttft_milliseconds, member_path(path, "ttft_milliseconds"), report);
    report_stage(one.prefill_milliseconds, member_path(path, "prefill_milliseconds"), report);
    report_stage(one.decode_milliseconds, member_path(path, "decode_milliseconds"), report);
  }
}

void memory(const ReceiptView& view, Report& report) {
  const Memory& found = view.receipt.memory;
  if (found.peak_bytes == 0) report.add("memory.peak_bytes", "0", "a number above 0");
  if (found.resident_bytes == 0) report.add("memory.resident_bytes", "0", "a number above 0");
  if (found.resident_bytes > found.peak_bytes) {
    report.add("memory.resident_bytes", std::to_string(found.resident_bytes),
               "at most the peak of " + std::to_string(found.peak_bytes));
  }
}

void unchanged_controls(const ReceiptView& view, Report& report) {
  std::vector<std::string> found = view.receipt.unchanged_controls;
  std::vector<std::string> accepted = canonical_controls();
  std::ranges::sort(found);
  std::ranges::sort(accepted);
  if (found == accepted) return;
  report.add("unchanged_controls", std::to_string(found.size()) + " names",
             "the 12 canonical names, each once");
}

void changed_axes(const ReceiptView& view, Report& report) {
  const Receipt& receipt = view.receipt;
  const std::string axis = "lever:" + receipt.changed_lever_id;
  if (receipt.role == "baseline" && !receipt.changed_axes.empty()) {
    report.add("changed_axes", std::to_string(receipt.changed_axes.size()) + " axes",
               "none in a baseline");
  }
  if (receipt.role == "candidate" && receipt.changed_axes != std::vector<std::string>{axis}) {
    const std::string found = receipt.changed_axes.size() == 1
                                  ? quote(receipt.changed_axes[0])
                                  : std::to_string(receipt.changed_axes.size()) + " axes";
    report.add("changed_axes", found, "only " + quote(axis) + " in a candidate");
  }
}

void commands(const ReceiptView& view, Report& report) {
  if (view.receipt.commands.empty()) report.add("commands", "no command", "at least one command");
  for (std::size_t i = 0; i < view.receipt.commands.size(); ++i) {
    const std::string& command = view.receipt.commands[i];
    if (!is_blank(command) && !is_private(command) && !is_placeholder(command)) continue;
    report.add(item_path("commands", i), quote(command),
               "a filled command without private path, host or user, no placeholder");
  }
}

void artifacts(const ReceiptView& view, Report& report) {
  if (view.receipt.profiler_artifacts.empty()) {
    report.add("profiler_artifacts", "no artifact", "at least one artifact");
  }
  for (std::size_t i = 0; i < view.receipt.profiler_artifacts.size(); ++i) {
    const ProfilerArtifact& artifact = view.receipt.profiler_artifacts[i];
    const std::string path = item_path("profiler_artifacts", i);
    if (!is_relative_path(artifact.path) || is_placeholder(artifact.path)) {
      report.add(member_path(path, "path"), quote(artifact.path),
                 "a relative path inside its folder, no placeholder");
    }
    if (!is_sha256_hex(artifact.sha256)) {
      report.add(member_path(path, "sha256"), quote(artifact.sha256),
                 "64 lower-case hex digits, not all 0");
    }
  }
}

/// Machine id, commands and artifact paths have rules of their own, which know the @ test.
bool has_own_scrub_rule(std::string_view path) {
  return path == "machine.scrubbed_id" || path.starts_with("commands[") ||
         (path.starts_with("profiler_artifacts[") && path.ends_with(".path"));
}

void scrubbed(const ReceiptView& view, Report& report) {
  for_each_string(view.receipt, "system_baselines",
                  [&](const std::string& path, const std::string& text) {
                    const bool command = path.starts_with("commands[");
                    const bool strict = has_own_scrub_rule(path);
                    const bool hit = command  ? is_private_text(text)
                                     : strict ? is_private(text)
                                              : is_private_path(text);
                    if (hit) report.add(path, quote(text), "no private path, host or user");
                  });
}

/// R-07..R-09, R-14, R-15, R-23 and R-24 refuse the placeholders of their own rows.
bool has_own_placeholder_rule(std::string_view path) {
  return has_own_scrub_rule(path) || path == "revision" || path == "quality.name" ||
         path.starts_with("module_versions[");
}

void placeholders(const ReceiptView& view, Report& report) {
  for_each_string(view.receipt, "system_baselines",
                  [&](const std::string& path, const std::string& text) {
                    if (!is_placeholder(text) || has_own_placeholder_rule(path)) return;
                    report.add(path, quote(text), "a filled text, no placeholder");
                  });
}

constexpr std::array kMeasurementRules = {
    ReceiptRule{.id = "R-16", .check = &controls},
    ReceiptRule{.id = "R-17", .check = &controls_of_envelope},
    ReceiptRule{.id = "R-18", .check = &repetition_count},
    ReceiptRule{.id = "R-19", .check = &repetitions},
    ReceiptRule{.id = "R-20", .check = &memory},
    ReceiptRule{.id = "R-21", .check = &unchanged_controls},
    ReceiptRule{.id = "R-22", .check = &changed_axes},
    ReceiptRule{.id = "R-23", .check = &commands},
    ReceiptRule{.id = "R-24", .check = &artifacts},
    ReceiptRule{.id = "R-33", .check = &scrubbed},
    ReceiptRule{.id = "J-13", .check = &placeholders},
};

}  // namespace

std::span<const ReceiptRule> measurement_rules() { return kMeasurementRules; }

}  // namespace cairn::evidence

// How tokens are chosen, in words.
#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "cli/generation_flags.h"

namespace cairn::cli {
namespace {

using runtime::SamplingParams;

/// Settings that only matter where a random number is drawn.
constexpr std::array<std::string_view, 15> kDrawing = {"top-k",
                                                       "top-p",
                                                       "min-p",
                                                       "typical-p",
                                                       "top-n-sigma",
                                                       "min-keep",
                                                       "dynatemp-range",
                                                       "dynatemp-exponent",
                                                       "xtc-probability",
                                                       "xtc-threshold",
                                                       "mirostat",
                                                       "mirostat-tau",
                                                       "mirostat-eta",
                                                       "samplers",
                                                       "seed"};

/// A number that is told where it is not at the value that switches it off.
struct Told {
  std::string_view name;
  double SamplingParams::*field = nullptr;
  double off = 0;
};
constexpr Told kToldWhereDrawn[] = {{"dynatemp-range", &SamplingParams::dynatemp_range, 0},
                                    {"top-p", &SamplingParams::top_p, 1},
                                    {"min-p", &SamplingParams::min_p, 0},
                                    {"typical-p", &SamplingParams::typical_p, 1},
                                    {"top-n-sigma", &SamplingParams::top_n_sigma, 0},
                                    {"xtc-probability", &SamplingParams::xtc_probability, 0}};
constexpr Told kTold[] = {{"presence-penalty", &SamplingParams::presence_penalty, 0},
                          {"frequency-penalty", &SamplingParams::frequency_penalty, 0},
                          {"dry-multiplier", &SamplingParams::dry_multiplier, 0}};

/// Settings that say how another one works, and what switches that one on.
struct Detail {
  std::string_view setting;
  bool (*idle)(const SamplingParams& params) = nullptr;
  std::string_view reason;
};
bool no_dry(const SamplingParams& params) { return params.dry_multiplier == 0; }
bool no_xtc(const SamplingParams& params) { return params.xtc_probability == 0; }
bool no_mirostat(const SamplingParams& params) { return params.mirostat == 0; }
bool no_stop(const SamplingParams& params) { return params.repetition_pattern_max == 0; }
constexpr Detail kDetails[] = {
    {"repetition-window", [](const SamplingParams& p) { return p.repetition_penalty == 1; },
     "without a --repetition-penalty"},
    {"answer-window",
     [](const SamplingParams& p) { return p.presence_penalty == 0 && p.frequency_penalty == 0; },
     "without a --presence-penalty or --frequency-penalty"},
    {"dry-base", no_dry, "without a --dry-multiplier"},
    {"dry-allowed-length", no_dry, "without a --dry-multiplier"},
    {"dry-window", no_dry, "without a --dry-multiplier"},
    {"dynatemp-exponent", [](const SamplingParams& p) { return p.dynatemp_range == 0; },
     "without a --dynatemp-range"},
    {"xtc-threshold", no_xtc, "without an --xtc-probability"},
    {"mirostat-tau", no_mirostat, "without a --mirostat"},
    {"mirostat-eta", no_mirostat, "without a --mirostat"},
    {"repetition-pattern-min", no_stop, "without a --repetition-pattern-max"},
    {"repetition-count", no_stop, "without a --repetition-pattern-max"},
};

/// The setting as it was given on the command line or in the environment; empty for others.
std::string as_given(const SettingRow& row) {
  const bool given = row.origin == Origin::kFlag || row.origin == Origin::kEnvironment;
  return given && row.value != "auto" ? written_name(row.info.name, row.origin) : "";
}

/// Why a setting that was given does nothing; empty when it does something.
std::string_view idle_reason(std::string_view setting, const SamplingParams& sampling) {
  if (sampling.temperature == 0 && std::ranges::find(kDrawing, setting) != kDrawing.end()) {
    return "at temperature 0";
  }
  const auto* detail = std::ranges::find(kDetails, setting, &Detail::setting);
  return detail != std::end(kDetails) && detail->idle(sampling) ? detail->reason : "";
}

}  // namespace

std::string describe(const SamplingParams& sampling, std::uint64_t seed) {
  const bool greedy = sampling.temperature == 0;
  std::string text = greedy ? "greedy" : fmt::format("temperature {}", sampling.temperature);
  const auto add = [&](std::string_view name, double value, double off) {
    if (value != off) text += fmt::format(", {} {}", name, value);
  };
  if (!greedy) {
    add("top-k", static_cast<double>(sampling.top_k), 0);
    for (const Told& told : kToldWhereDrawn) add(told.name, sampling.*told.field, told.off);
    add("mirostat", static_cast<double>(sampling.mirostat), 0);
  }
  add("repetition-penalty", sampling.repetition_penalty, 1);
  if (sampling.repetition_penalty != 1) {
    text += fmt::format(", repetition-window {}", sampling.repetition_window);
  }
  for (const Told& told : kTold) add(told.name, sampling.*told.field, told.off);
  add("logit biases", static_cast<double>(sampling.bias.size()), 0);
  add("banned texts", static_cast<double>(sampling.banned_words.size()), 0);
  add("allowed ids", static_cast<double>(sampling.allowed_ids.size()), 0);
  if (sampling.format == engine::AnswerFormat::kJsonObject) text += ", one JSON object";
  if (!greedy) text += fmt::format(", seed {}", seed);
  return "sampling: " + text;
}

std::string sampling_lines(const GenerationFlags& flags, const runtime::Runtime& model,
                           const runtime::GenerateRequest& request, std::uint64_t seed) {
  std::string lines = "cairn: " + describe(request.sampling, seed);
  if (model.has_own_sampling()) lines += fmt::format(" (defaults: {})", model.sampling_origin());
  lines += "\n";
  for (const SettingRow& row : flags.settings.rows()) {
    const std::string given = as_given(row);
    const std::string_view reason = idle_reason(row.info.name, request.sampling);
    if (given.empty() || reason.empty()) continue;
    lines += fmt::format("cairn: {} has no effect {}\n", given, reason);
  }
  return lines;
}

}  // namespace cairn::cli

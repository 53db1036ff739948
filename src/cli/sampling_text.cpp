// How tokens are chosen, in words.
#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "cli/generation_flags.h"

namespace cairn::cli {
namespace {

/// Settings that only matter where a random number is drawn.
constexpr std::array<std::string_view, 4> kDrawing = {"top-k", "top-p", "min-p", "seed"};

/// The setting as it was given on the command line or in the environment; empty for others.
std::string as_given(const SettingRow& row) {
  const bool given = row.origin == Origin::kFlag || row.origin == Origin::kEnvironment;
  return given && row.value != "auto" ? written_name(row.info.name, row.origin) : "";
}

/// Why a setting that was given does nothing; empty when it does something.
std::string_view idle_reason(std::string_view setting, const runtime::SamplingParams& sampling) {
  if (sampling.temperature == 0 && std::ranges::find(kDrawing, setting) != kDrawing.end()) {
    return "at temperature 0";
  }
  const bool penalty = sampling.repetition_penalty != 1;
  return setting == "repetition-window" && !penalty ? "without a --repetition-penalty" : "";
}

}  // namespace

std::string describe(const runtime::SamplingParams& sampling, std::uint64_t seed) {
  const bool greedy = sampling.temperature == 0;
  std::string text = greedy ? "greedy" : fmt::format("temperature {}", sampling.temperature);
  const auto add = [&](std::string_view name, double value, double off) {
    if (value != off) text += fmt::format(", {} {}", name, value);
  };
  if (!greedy) {
    add("top-k", static_cast<double>(sampling.top_k), 0);
    add("top-p", sampling.top_p, 1);
    add("min-p", sampling.min_p, 0);
  }
  add("repetition-penalty", sampling.repetition_penalty, 1);
  if (sampling.repetition_penalty != 1) {
    text += fmt::format(", repetition-window {}", sampling.repetition_window);
  }
  add("presence-penalty", sampling.presence_penalty, 0);
  add("frequency-penalty", sampling.frequency_penalty, 0);
  add("logit biases", static_cast<double>(sampling.bias.size()), 0);
  if (!greedy) text += fmt::format(", seed {}", seed);
  return "sampling: " + text;
}

std::string sampling_lines(const GenerationFlags& flags, const runtime::Runtime& model,
                           const runtime::GenerateRequest& request, std::uint64_t seed) {
  std::string lines = "cairn: " + describe(request.sampling, seed);
  const std::string& origin = model.sampling_origin();
  if (origin != "greedy") lines += fmt::format(" (defaults: {})", origin);
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

#include "engine/settings.h"

#include <fmt/core.h>

#include <algorithm>

namespace cairn::engine {
namespace {

template <typename T>
void take(const std::optional<T>& from, T& to) {
  if (from) to = *from;
}

/// A setting and the knob that it turns.
template <typename T>
struct Knob {
  std::optional<T> SamplingSettings::*from = nullptr;
  T SamplingParams::*to = nullptr;
};

constexpr Knob<double> kReals[] = {
    {&SamplingSettings::temperature, &SamplingParams::temperature},
    {&SamplingSettings::top_p, &SamplingParams::top_p},
    {&SamplingSettings::min_p, &SamplingParams::min_p},
    {&SamplingSettings::repetition_penalty, &SamplingParams::repetition_penalty},
    {&SamplingSettings::presence_penalty, &SamplingParams::presence_penalty},
    {&SamplingSettings::frequency_penalty, &SamplingParams::frequency_penalty},
    {&SamplingSettings::dynatemp_range, &SamplingParams::dynatemp_range},
    {&SamplingSettings::dynatemp_exponent, &SamplingParams::dynatemp_exponent},
    {&SamplingSettings::typical_p, &SamplingParams::typical_p},
    {&SamplingSettings::top_n_sigma, &SamplingParams::top_n_sigma},
    {&SamplingSettings::xtc_probability, &SamplingParams::xtc_probability},
    {&SamplingSettings::xtc_threshold, &SamplingParams::xtc_threshold},
    {&SamplingSettings::dry_multiplier, &SamplingParams::dry_multiplier},
    {&SamplingSettings::dry_base, &SamplingParams::dry_base},
    {&SamplingSettings::mirostat_tau, &SamplingParams::mirostat_tau},
    {&SamplingSettings::mirostat_eta, &SamplingParams::mirostat_eta},
};

constexpr Knob<std::int64_t> kWholes[] = {
    {&SamplingSettings::top_k, &SamplingParams::top_k},
    {&SamplingSettings::repetition_window, &SamplingParams::repetition_window},
    {&SamplingSettings::answer_window, &SamplingParams::answer_window},
    {&SamplingSettings::dry_allowed_length, &SamplingParams::dry_allowed_length},
    {&SamplingSettings::dry_window, &SamplingParams::dry_window},
    {&SamplingSettings::mirostat, &SamplingParams::mirostat},
    {&SamplingSettings::min_keep, &SamplingParams::min_keep},
};

}  // namespace

LookupOptions EngineSettings::lookup() const {
  return {.tokens_max = speculate == "lookup" ? lookup_tokens : 0,
          .run_min = lookup_run_min,
          .run_max = lookup_run_max};
}

Result<std::vector<std::string>> parse_order(std::string_view text) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(';', at), text.size());
    if (end == at) {
      return invalid_argument(fmt::format(
          "samplers is '{}', expected names of stages with one ';' between them", text));
    }
    names.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return names;
}

Status take_settings(const SamplingSettings& asked, SamplingParams& params) {
  for (const Knob<double>& knob : kReals) take(asked.*knob.from, params.*knob.to);
  for (const Knob<std::int64_t>& knob : kWholes) take(asked.*knob.from, params.*knob.to);
  params.tokens_min = asked.min_tokens;
  params.repetition_pattern_max = asked.repetition_pattern_max;
  params.repetition_pattern_min = asked.repetition_pattern_min;
  params.repetition_count = asked.repetition_count;
  if (asked.response_format == "json_object") params.format = AnswerFormat::kJsonObject;
  if (!asked.samplers) return {};
  CAIRN_ASSIGN(params.order, parse_order(*asked.samplers));
  return {};
}

}  // namespace cairn::engine

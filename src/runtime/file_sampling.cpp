#include "runtime/file_sampling.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace cairn::runtime {
namespace {

using engine::SamplingParams;
using formats::Metadata;

constexpr std::string_view kPrefix = "general.sampling.";

/// A key, the setting it stands for and the knob it turns; one of the two members is set.
struct Known {
  std::string_view key;
  std::string_view setting;
  double SamplingParams::*real = nullptr;
  std::int64_t SamplingParams::*whole = nullptr;
};

constexpr Known kKnown[] = {
    {.key = "temp", .setting = "temperature", .real = &SamplingParams::temperature},
    {.key = "top_k", .setting = "top-k", .whole = &SamplingParams::top_k},
    {.key = "top_p", .setting = "top-p", .real = &SamplingParams::top_p},
    {.key = "min_p", .setting = "min-p", .real = &SamplingParams::min_p},
    {.key = "penalty_last_n",
     .setting = "repetition-window",
     .whole = &SamplingParams::repetition_window},
    {.key = "penalty_repeat",
     .setting = "repetition-penalty",
     .real = &SamplingParams::repetition_penalty},
    {.key = "xtc_probability",
     .setting = "xtc-probability",
     .real = &SamplingParams::xtc_probability},
    {.key = "xtc_threshold", .setting = "xtc-threshold", .real = &SamplingParams::xtc_threshold},
    {.key = "mirostat", .setting = "mirostat", .whole = &SamplingParams::mirostat},
    {.key = "mirostat_tau", .setting = "mirostat-tau", .real = &SamplingParams::mirostat_tau},
    {.key = "mirostat_eta", .setting = "mirostat-eta", .real = &SamplingParams::mirostat_eta},
};

const Known* find_known(std::string_view name) {
  const auto* row = std::ranges::find(kKnown, name, &Known::key);
  return row == std::end(kKnown) ? nullptr : row;
}

Status read_known(const Metadata& metadata, std::string_view key, const Known& known,
                  SamplingParams& params) {
  if (known.real != nullptr) {
    CAIRN_ASSIGN(params.*known.real, metadata.f64(key));
    return {};
  }
  CAIRN_ASSIGN(params.*known.whole, metadata.i64(key));
  return {};
}

/// Reads every key below the prefix into `result`; gives the settings that were understood.
Result<std::vector<std::string_view>> read_keys(const Metadata& metadata, FileSampling& result) {
  std::vector<std::string_view> used;
  for (const std::string_view key : metadata.keys()) {
    if (!key.starts_with(kPrefix)) continue;
    const std::string_view name = key.substr(kPrefix.size());
    const Known* known = find_known(name);
    if (known == nullptr) {
      result.warnings.push_back(
          fmt::format("the file's generation setting {} is not understood and not used", key));
      continue;
    }
    CAIRN_TRY(read_known(metadata, key, *known, result.params));
    used.push_back(known->setting);
  }
  return used;
}

bool truncates(const SamplingParams& params) {
  return params.top_k > 0 || params.top_p < 1 || params.min_p > 0 || params.xtc_probability > 0;
}

/// Mirostat has no place for them, and such a file was made for programs that then pass them over.
void drop_truncations(FileSampling& result) {
  SamplingParams& params = result.params;
  params.top_k = 0;
  params.top_p = 1;
  params.min_p = 0;
  params.xtc_probability = 0;
  result.warnings.emplace_back(
      "the file's generation settings ask for mirostat, so its top-k, top-p, min-p and XTC are not "
      "used");
}

}  // namespace

Result<FileSampling> read_sampling(const Metadata& metadata) {
  FileSampling result;
  CAIRN_ASSIGN(const std::vector<std::string_view> used, read_keys(metadata, result));
  if (used.empty()) return result;
  result.own = true;
  SamplingParams& params = result.params;
  const bool draws = truncates(params) || params.mirostat > 0;
  if (draws && !metadata.has("general.sampling.temp")) params.temperature = 1;
  if (params.mirostat > 0 && truncates(params)) drop_truncations(result);
  result.origin = fmt::format("the file's generation settings: {}", fmt::join(used, ", "));
  if (const Status status = check(result.params, 0); !status.ok()) {
    return invalid_file(fmt::format("generation settings: {}", status.message()));
  }
  return result;
}

}  // namespace cairn::runtime

// The flags that run and chat share: which model, on what, and how tokens are chosen.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "cli/terminal.h"
#include "runtime/runtime.h"

namespace cairn::cli {

/// Values as given; what is absent is the model's or cairn's default.
struct GenerationFlags {
  std::string model;
  std::uint64_t context = 0;
  std::uint64_t threads = 0;
  std::string device = "auto";
  std::string isa;
  std::string numerics = "exact";
  std::optional<std::uint64_t> tokens_max;
  std::optional<std::uint64_t> seed;
  std::optional<double> temperature;
  std::optional<std::int64_t> top_k;
  std::optional<double> top_p;
  std::optional<double> min_p;
  std::optional<double> repetition_penalty;
  std::optional<std::int64_t> repetition_window;
  std::optional<double> presence_penalty;
  std::optional<double> frequency_penalty;
  std::vector<std::string> bias;
  std::vector<std::string> stop;
  bool ignore_end = false;
};

/// Declares every flag on `app`.
void declare(CLI::App& app, GenerationFlags& flags);

/// Opens the model with a progress bar, which Ctrl-C stops; prints warnings and the defaults that
/// were chosen on standard error. Errors: as runtime::Runtime::open, and the store's for a name.
Result<std::unique_ptr<runtime::Runtime>> open_model(const GenerationFlags& flags,
                                                     const Interrupt& interrupt);

/// The request that `flags` ask of `model`, still without a prompt. Errors: kInvalidArgument for a
/// bias that is not ID=VALUE, ID+VALUE or ID-VALUE.
Result<runtime::GenerateRequest> make_request(const GenerationFlags& flags,
                                              const runtime::Runtime& model);

/// One line that says how tokens are chosen: "sampling: temperature 0.7, top_p 0.9, seed 42".
std::string describe(const runtime::SamplingParams& sampling, std::uint64_t seed);

/// "42=5", "42+5", "42-100" or "42-inf". Errors: kInvalidArgument showing the forms.
Result<runtime::LogitBias> parse_bias(const std::string& text);

}  // namespace cairn::cli

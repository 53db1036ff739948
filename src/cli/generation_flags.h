// The flags that run and chat share: which model, on what, and how tokens are chosen.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "cli/settings.h"
#include "cli/terminal.h"
#include "runtime/runtime.h"

namespace cairn::cli {

/// What one run or talk is asked for, beside the settings.
struct GenerationFlags {
  std::string model;
  SettingFlags settings;
  std::optional<std::uint64_t> tokens_max;
  std::vector<std::string> bias;
  std::vector<std::string> stop;
  std::vector<std::string> banned;
  std::vector<TokenId> allowed_ids;
  std::vector<std::string> dry_breakers;
  bool ignore_end = false;
  bool memory_report = false;
};

/// Declares every flag on `app`.
void declare(CLI::App& app, GenerationFlags& flags);

/// Reads the settings and opens the model with a progress bar, which Ctrl-C stops; prints warnings
/// and the defaults that were chosen on standard error. Errors: as runtime::Runtime::open, and the
/// store's for a name.
Result<std::unique_ptr<runtime::Runtime>> open_model(GenerationFlags& flags,
                                                     const Interrupt& interrupt);

/// What `settings` say of opening a model, over `options`, which hold what no setting stands for.
/// The path is the caller's to set.
runtime::OpenOptions open_options(const Settings& settings, runtime::OpenOptions options);

/// Opens the model that is called `name` as `settings` say, with a progress bar, and prints as
/// above. `options` are those that no setting stands for. Errors: as above; kCancelled when
/// `cancelled` says so while it loads.
Result<std::unique_ptr<runtime::Runtime>> open_model(const std::string& name,
                                                     const Settings& settings,
                                                     runtime::OpenOptions options,
                                                     const std::function<bool()>& cancelled);

/// The request that `flags` ask of `model`, still without a prompt. Errors: kInvalidArgument for a
/// bias that is not ID=VALUE, ID+VALUE or ID-VALUE.
Result<runtime::GenerateRequest> make_request(const GenerationFlags& flags,
                                              const runtime::Runtime& model);

/// One line that says how tokens are chosen: "sampling: temperature 0.7, top-p 0.9, seed 42"; what
/// has no effect is left out.
std::string describe(const runtime::SamplingParams& sampling, std::uint64_t seed);

/// The same with where the defaults come from, and one line per flag or variable that was given and
/// has no effect.
std::string sampling_lines(const GenerationFlags& flags, const runtime::Runtime& model,
                           const runtime::GenerateRequest& request, std::uint64_t seed);

/// Finishes the self-checks where nobody serves, and says on standard error what they found;
/// nothing where none was asked for.
void note_self_check(runtime::Runtime& model);

/// "42=5", "42+5", "42-100" or "42-inf". Errors: kInvalidArgument showing the forms.
Result<runtime::LogitBias> parse_bias(const std::string& text);

}  // namespace cairn::cli

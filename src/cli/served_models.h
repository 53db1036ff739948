// The models that `cairn serve` is told of, and how each is opened.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/status.h"
#include "cli/settings.h"
#include "server/models/models.h"

namespace cairn::cli {

/// What stands on the command line.
struct ServedModels {
  std::string model;               // loaded at once; empty: none
  std::string name;                // what clients call it; empty: as its file
  std::vector<std::string> named;  // NAME=PATH or PATH
  std::string folder;              // of model files; empty: none
  std::uint64_t idle_s = 0;
};

/// Declares the flags on `app`.
void declare(CLI::App& app, ServedModels& models);

/// All of them, the one that is loaded at once in front. Errors: kInvalidArgument when there is
/// none, and for a flag without a name or a path; kNotFound for a folder without models; kIo.
Result<std::vector<server::ModelSource>> sources_of(const ServedModels& models);

/// Opens one with a progress bar. `promised_bytes`: as server::Models::Open. Errors: as
/// runtime::Runtime::open and the store's; kCancelled when `cancelled` says so.
Result<server::LoadedModel> open_served(const server::ModelSource& source, const Settings& settings,
                                        std::uint64_t promised_bytes, std::function<void()> on_news,
                                        const std::function<bool()>& cancelled);

}  // namespace cairn::cli

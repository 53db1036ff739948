// From what a user types to a model file.
#pragma once

#include <string>

#include "base/status.h"
#include "runtime/store/store.h"

namespace cairn::cli {

/// The store in the home folder, with what the environment says of the hub: HF_ENDPOINT, HF_TOKEN,
/// HF_HUB_OFFLINE, HF_HUB_CACHE, HF_HOME, and the usual proxy variables.
Result<runtime::Store> open_store();

/// The file that MODEL means: a path, a name in the store, or a hub name that was pulled.
/// Errors: kNotFound saying where was looked and what to do.
Result<std::string> model_path(const std::string& model);

/// The folder for packed weights, beside the store's models in the home folder.
std::string packed_folder();

}  // namespace cairn::cli

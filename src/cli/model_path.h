// From what a user types to a model file.
#pragma once

#include <string>

#include "base/status.h"

namespace cairn::cli {

/// The file that MODEL means: a path, a name in the store, or a hub name that was pulled.
/// Errors: kNotFound saying where was looked and what to do.
Result<std::string> model_path(const std::string& model);

}  // namespace cairn::cli

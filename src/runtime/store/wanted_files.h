// Which files of a repository a pull is about.
#pragma once

#include <vector>

#include "base/status.h"
#include "runtime/store/hub.h"
#include "runtime/store/model_name.h"

namespace cairn::runtime {

/// Those of `files` that `name` means: the parts of one GGUF model or, in a repository without GGUF
/// files, all that loading its tensors can need. Errors: kNotFound; kInvalidArgument with the
/// candidates when several fit; kInvalidFile when the repository lacks a part.
Result<std::vector<HubFile>> wanted_files(const std::vector<HubFile>& files, const ModelName& name);

}  // namespace cairn::runtime

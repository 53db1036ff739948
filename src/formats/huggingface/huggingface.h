// Hugging Face folders: config.json, safetensors and a tokenizer become one ModelFile.
//
// Purpose     what `transformers` saves opens like a GGUF file: the same keys and tensor names that
//             llama.cpp's converter would write, so that families know one form only.
// Invariants  a key of config.json is translated, known to be harmless, or refused by name; so is a
//             tensor. Nothing of a folder is run, and pickled weights are never opened.
// Threads     opening is one thread's; the result is a ModelFile.
// Adding      a family: a row in families.cpp, with its names or keys where they are its own.
// Source      the config classes of transformers 5.24 and llama.cpp's conversion/*.py.
#pragma once

#include <string>

#include "base/status.h"
#include "formats/model_file.h"

namespace cairn::formats {

/// Whether `folder` says of itself that it is a model: it has a config.json.
bool is_huggingface_folder(const std::string& folder);

/// Opens such a folder. Errors: as open_safetensors_folder; kUnsupported naming an architecture, a
/// key of config.json, a tokenizer or a part of one that is not understood; kInvalidFile naming the
/// file and the key that is missing, of another kind or contradicts the tensors.
Result<ModelFile> open_huggingface(const std::string& folder);

}  // namespace cairn::formats

// Writes a model's weights in another type, as one GGUF file.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/status.h"
#include "formats/model_file.h"

namespace cairn::runtime {

struct QuantizeOptions {
  std::string path = {};  // a model file or a Hugging Face folder, in floats
  std::string out = {};   // the GGUF file
  std::string type = {};  // of the matrices: "Q8_0"
  /// Bytes written and in all; false cancels.
  std::function<bool(std::uint64_t done, std::uint64_t total)> progress = {};
};

struct QuantizeReport {
  std::uint64_t bytes_before = 0;  // of all tensors
  std::uint64_t bytes_after = 0;
  std::uint64_t tensors = 0;
  std::vector<std::string> notes = {};
};

/// Errors: those of opening; kInvalidArgument for a type or an output that is none; kUnsupported
/// for a model that is in blocks already; kIo; kCancelled. Nothing is written where it fails.
Result<QuantizeReport> quantize_model(const QuantizeOptions& options);

/// The model at `path` as opening takes it: its matrices in `type`, where that is not "none".
/// `warnings` gets what is odd. Errors: those of opening and of formats::quantized.
Result<formats::ModelFile> open_in_type(const std::string& path, const std::string& type,
                                        std::vector<std::string>& warnings);

/// The type names that --type takes, with commas between them.
std::string quantize_type_names();

}  // namespace cairn::runtime

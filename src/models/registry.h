// The table of families.
#pragma once

#include <span>
#include <string_view>

#include "base/status.h"
#include "models/decoder_spec.h"

namespace cairn::models {

class Config;

/// A family: an architecture's name in a file and the function that reads its configuration.
struct Family {
  std::string_view gguf;  // general.architecture
  Result<DecoderSpec> (*build)(Config& config) = nullptr;
};

/// All families.
std::span<const Family> families();

/// Errors: kUnsupported naming `architecture` and those that are known.
Result<const Family*> find_family(std::string_view architecture);

}  // namespace cairn::models

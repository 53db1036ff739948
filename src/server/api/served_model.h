// A model as the server offers it.
#pragma once

#include <cstdint>
#include <string>

#include "runtime/runtime.h"

namespace cairn::server {

struct ServedModel {
  std::string name = {};                // what clients call it
  std::string system_fingerprint = {};  // names build, tier and numeric class
  std::int64_t created_s = 0;           // Unix time of opening
  std::uint64_t sequences = 1;          // answers generated at once
  runtime::Runtime* runtime = nullptr;  // outlives the server
};

}  // namespace cairn::server

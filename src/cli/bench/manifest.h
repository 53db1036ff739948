// What a person states of an arm that is not ours: no server and no command tells it all.
#pragma once

#include <string>

#include "base/status.h"
#include "evidence/bench/bench_record.h"

namespace cairn::cli {

/// A JSON file with every key of the record's manifest (native-performance.md 18.6). Errors: kIo,
/// kInvalidFile naming the key.
Result<evidence::Manifest> read_manifest(const std::string& path);

}  // namespace cairn::cli

// Checks a receipt with the files that it names (native-performance.md 5.9 and P-26).
#pragma once

#include <string_view>

#include "evidence/profile/profile.h"
#include "evidence/receipt/receipt.h"

namespace cairn::evidence {

/// One file of profiler_artifacts as it was found.
struct ArtifactFile {
  std::size_t index = 0;  // in profiler_artifacts
  std::string_view bytes;
};

/// P-26: the file's hash is the recorded one, and a profile bundle is of the receipt's envelope and
/// execution, and valid. What is no profile bundle is only hashed.
Findings check_artifact(const Graph& graph, const Receipt& receipt, const ArtifactFile& file,
                        Rules rules = {});

}  // namespace cairn::evidence

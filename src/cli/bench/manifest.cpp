#include "cli/bench/manifest.h"

#include "base/file.h"

namespace cairn::cli {

Result<evidence::Manifest> read_manifest(const std::string& path) {
  constexpr std::uint64_t kManifestBytesMax = 1U << 20U;
  CAIRN_ASSIGN(const std::string text, read_file(path, kManifestBytesMax));
  const evidence::Decoded<evidence::Manifest> read = evidence::decode<evidence::Manifest>(text);
  CAIRN_TRY(evidence::to_status(read.findings, path));
  return read.value;
}

}  // namespace cairn::cli

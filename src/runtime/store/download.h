// One file from a hub to a blob, resumed where it broke off and checked before it gets its name.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/status.h"
#include "runtime/store/content_hash.h"
#include "runtime/store/http.h"

namespace cairn::runtime {

struct DownloadJob {
  std::string name = {};  // for messages
  std::string url = {};
  std::string path = {};  // where the whole file goes; until then PATH.part
  std::uint64_t bytes = 0;
  StatedHash hash = {};
};

/// How much of the file is here.
using DownloadProgress = std::function<void(std::uint64_t bytes)>;

/// Fetches what PATH.part lacks; then its size and hash are right, it is on the disk and is renamed
/// to PATH. Gives the bytes that came over the network. Errors: as Store::pull; PATH.part stays
/// unless its bytes are wrong.
Result<std::uint64_t> download(HttpClient& client, const DownloadJob& job,
                               const DownloadProgress& progress);

}  // namespace cairn::runtime

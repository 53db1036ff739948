// What a hub says about a repository.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "runtime/store/content_hash.h"
#include "runtime/store/http.h"

namespace cairn::runtime {

struct HubFile {
  std::string path = {};  // inside the repository, checked
  std::uint64_t bytes = 0;
  StatedHash hash = {};
};

struct HubListing {
  std::string commit = {};
  std::vector<HubFile> files = {};
};

/// The commit that `revision` stands for and its files. Source: the hub's API,
/// /api/models/ID/revision/REVISION and /api/models/ID/tree/COMMIT?recursive=true, whose pages are
/// joined by Link headers. Errors: those of HttpClient; kInvalidFile when the answer is no such
/// listing or names a file that would leave its folder.
Result<HubListing> list_repository(HttpClient& client, const std::string& endpoint,
                                   const std::string& id, std::string_view revision);

/// Where a file's bytes are.
std::string file_url(const std::string& endpoint, const std::string& id, std::string_view commit,
                     std::string_view path);

}  // namespace cairn::runtime

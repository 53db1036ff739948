// Folders of models on this disk: plain files, and repositories as a hub cache keeps them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "runtime/store/gguf_group.h"
#include "runtime/store/model_name.h"

namespace cairn::runtime {

/// One commit of a repository, with the files of it that are here and whole.
struct Snapshot {
  std::string repository = {};  // org/repo
  std::string commit = {};
  std::string revision = {};  // a ref that stands for it, "main" before others; empty: none
  std::string folder = {};
  std::vector<NamedFile> files = {};  // by path
};

/// The files below `folder` that are whole, by path; links to files are followed. A folder that is
/// not there has none. Errors: kIo.
Result<std::vector<NamedFile>> files_below(const std::string& folder, int depth_max);

/// The repositories of `root`. Errors: kIo.
Result<std::vector<ModelName>> repositories_in(const std::string& root);

/// Every commit of a repository that is in `root`. Errors: kIo.
Result<std::vector<Snapshot>> snapshots_in(const std::string& root, const ModelName& name);

/// The one that `revision` (a ref, a commit or the beginning of one) stands for; an empty revision
/// means main, else the only one. Nothing when it is not here. Errors: kIo; kInvalidArgument when
/// several fit.
Result<std::optional<Snapshot>> find_snapshot(const std::string& root, const ModelName& name,
                                              std::string_view revision);

/// What to open of a snapshot: the first part of the GGUF model that `tag` means, or the folder of
/// one without GGUF files. Errors: as select_group; kInvalidFile when a part is missing.
Result<std::string> model_in(const Snapshot& snapshot, std::string_view tag);

/// Whether a name ends as those of files that are not whole do: ".part", ".incomplete".
bool is_unfinished(std::string_view path);

}  // namespace cairn::runtime

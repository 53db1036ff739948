#include "runtime/store/layout.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>

#include "base/file.h"

namespace cairn::runtime {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kStoredFilesMax = 100000;
constexpr std::uint64_t kRefBytesMax = 4096;

Status folder_error(const std::string& folder, const std::error_code& error) {
  return io_error(folder + ": cannot list the folder: " + error.message());
}

/// Whether anything is at `path`. Errors: kIo when that cannot be told: links in a circle, a folder
/// that may not be entered.
Result<bool> is_there(const std::string& path) {
  std::error_code error;
  const bool there = fs::exists(path, error);
  if (!there && error) return io_error(path + ": cannot look at: " + error.message());
  return there;
}

/// What the ref at `path` says; nothing when there is none.
Result<std::string> read_ref(const std::string& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return std::string();  // reading a pipe would wait
  return read_file(path, kRefBytesMax);
}

/// The names of the folders directly in `folder`, sorted; none when it is not there.
Result<std::vector<std::string>> folders_in(const std::string& folder) {
  std::vector<std::string> names;
  CAIRN_ASSIGN(const bool there, is_there(folder));
  if (!there) return names;
  std::error_code error;
  fs::directory_iterator at(folder, error);
  for (; !error && at != fs::directory_iterator(); at.increment(error)) {
    std::error_code unreadable;
    if (at->is_directory(unreadable)) names.push_back(at->path().filename().string());
  }
  if (error) return folder_error(folder, error);
  std::sort(names.begin(), names.end());
  return names;
}

/// Commit to ref, with "main" before others.
Result<std::map<std::string, std::string>> refs_of(const std::string& repository) {
  std::map<std::string, std::string> names;
  CAIRN_ASSIGN(const auto files, files_below(repository + "/refs", kRepositoryDepthMax));
  for (const NamedFile& file : files) {
    CAIRN_ASSIGN(std::string commit, read_ref(repository + "/refs/" + file.path));
    commit.erase(commit.find_last_not_of(" \r\n") + 1);
    const auto [at, is_new] = names.emplace(commit, file.path);
    if (!is_new && file.path == "main") at->second = file.path;
  }
  return names;
}

Result<ModelName> name_of_folder(std::string_view folder) {
  constexpr std::string_view kFolderPrefix = "models--";
  if (!folder.starts_with(kFolderPrefix)) return not_found("no repository");
  std::string id(folder.substr(kFolderPrefix.size()));
  const std::size_t separator = id.find("--");
  if (separator == std::string::npos) return not_found("no repository");
  id.replace(separator, 2, "/");
  return parse_model_name(id);
}

std::string candidates(const std::vector<Snapshot>& snapshots) {
  std::string text;
  for (const Snapshot& snapshot : snapshots) {
    text += "\n  @" + snapshot.commit.substr(0, 12);
    if (!snapshot.revision.empty()) text += "  " + snapshot.revision;
  }
  return text;
}

}  // namespace

bool is_unfinished(std::string_view path) {
  return path.ends_with(".part") || path.ends_with(".incomplete");
}

Result<std::vector<NamedFile>> files_below(const std::string& folder, int depth_max) {
  std::vector<NamedFile> files;
  CAIRN_ASSIGN(const bool there, is_there(folder));
  if (!there) return files;
  std::error_code error;
  fs::recursive_directory_iterator at(folder, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (at.depth() + 1 >= depth_max) at.disable_recursion_pending();
    std::error_code gone;  // a link to nothing, or a file that has just been removed
    const std::string path = fs::path(at->path()).lexically_relative(folder).generic_string();
    if (!at->is_regular_file(gone) || is_unfinished(path)) continue;
    const std::uint64_t bytes = at->file_size(gone);
    if (gone) continue;
    if (files.size() == kStoredFilesMax) {
      return too_large(fmt::format("{}: more than {} files", folder, kStoredFilesMax));
    }
    files.push_back({.path = path, .bytes = bytes});
  }
  if (error) return folder_error(folder, error);
  std::sort(files.begin(), files.end(),
            [](const NamedFile& a, const NamedFile& b) { return a.path < b.path; });
  return files;
}

Result<std::vector<ModelName>> repositories_in(const std::string& root) {
  std::vector<ModelName> names;
  CAIRN_ASSIGN(const auto folders, folders_in(root));
  for (const std::string& folder : folders) {
    auto name = name_of_folder(folder);
    if (name.ok()) names.push_back(std::move(name).value());
  }
  return names;
}

Result<std::vector<Snapshot>> snapshots_in(const std::string& root, const ModelName& name) {
  const std::string repository = root + "/" + name.folder();
  std::vector<Snapshot> snapshots;
  CAIRN_ASSIGN(const auto refs, refs_of(repository));
  const std::string folder = repository + "/snapshots";
  CAIRN_ASSIGN(const auto commits, folders_in(folder));
  for (const std::string& commit : commits) {
    Snapshot snapshot = {
        .repository = name.id(), .commit = commit, .folder = fmt::format("{}/{}", folder, commit)};
    const auto ref = refs.find(commit);
    if (ref != refs.end()) snapshot.revision = ref->second;
    CAIRN_ASSIGN(snapshot.files, files_below(snapshot.folder, kRepositoryDepthMax));
    if (!snapshot.files.empty()) snapshots.push_back(std::move(snapshot));
  }
  return snapshots;
}

Result<std::optional<Snapshot>> find_snapshot(const std::string& root, const ModelName& name,
                                              std::string_view revision) {
  CAIRN_ASSIGN(std::vector<Snapshot> all, snapshots_in(root, name));
  std::string commit(revision);
  const std::string ref =
      fmt::format("{}/{}/refs/{}", root, name.folder(), revision.empty() ? "main" : revision);
  CAIRN_ASSIGN(const std::string text, read_ref(ref));
  if (!text.empty()) commit = text.substr(0, 40);
  std::vector<Snapshot> fitting;
  for (Snapshot& snapshot : all) {
    const bool fits = commit.empty() || snapshot.commit == commit ||
                      (commit.size() >= 7 && snapshot.commit.starts_with(commit));
    if (fits) fitting.push_back(std::move(snapshot));
  }
  if (fitting.empty()) return std::optional<Snapshot>();
  if (fitting.size() == 1) return std::optional<Snapshot>(std::move(fitting[0]));
  return invalid_argument(fmt::format("{}: found {} commits, expected @ and one of:{}", name.id(),
                                      fitting.size(), candidates(fitting)));
}

Result<std::string> model_in(const Snapshot& snapshot, std::string_view tag) {
  const std::vector<GgufGroup> groups = group_gguf_files(snapshot.files);
  if (groups.empty()) {
    if (tag.empty()) return snapshot.folder;
    return not_found(
        fmt::format("{}: no GGUF file is here that \"{}\" could mean", snapshot.repository, tag));
  }
  CAIRN_ASSIGN(const std::size_t at, select_group(groups, tag, snapshot.repository));
  const GgufGroup& group = groups[at];
  const auto missing = group.missing();
  if (!missing.empty()) {
    return invalid_file(fmt::format("{}: part {} of {} of {} is missing; `cairn pull` fetches it",
                                    snapshot.repository, missing[0], group.parts, group.stem));
  }
  return snapshot.folder + "/" + group.files[0].path;
}

}  // namespace cairn::runtime

#include "runtime/store/store.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "base/nearest.h"
#include "base/utf8.h"
#include "runtime/store/gguf_group.h"
#include "runtime/store/layout.h"
#include "runtime/store/model_name.h"
#include "runtime/store/url.h"

namespace cairn::runtime {
namespace {

namespace fs = std::filesystem;

constexpr int kPlainDepthMax = 3;

/// The plain models of a folder: GGUF files that are not in a repository's folder.
Result<std::vector<GgufGroup>> plain_models(const std::string& folder) {
  CAIRN_ASSIGN(std::vector<NamedFile> files, files_below(folder, kPlainDepthMax));
  std::erase_if(files, [](const NamedFile& file) {
    return file.path.starts_with("models--") || file.path.starts_with(".");
  });
  return group_gguf_files(files);
}

Status incomplete(const std::string& folder, const GgufGroup& group) {
  return invalid_file(fmt::format("{}/{}: part {} of {} is missing", folder, group.stem,
                                  group.missing()[0], group.parts));
}

/// A plain model by name, or nothing.
Result<std::optional<std::string>> find_plain(const std::string& folder, std::string_view name) {
  CAIRN_ASSIGN(const auto groups, plain_models(folder));
  for (const GgufGroup& group : groups) {
    if (group.stem != name) continue;
    if (!group.missing().empty()) return incomplete(folder, group);
    return std::optional<std::string>(folder + "/" + group.files[0].path);
  }
  return std::optional<std::string>();
}

bool looks_like_path(std::string_view model) {
  return model.starts_with("/") || model.starts_with("./") || model.starts_with("../") ||
         model.starts_with("~") || !parse_gguf_name(model).stem.empty();
}

/// What a path would be called in the store: its file's name without ".gguf" and part numbers.
std::string name_in(std::string_view model) {
  const std::string_view file = model.substr(model.rfind('/') + 1);
  const std::string stem(parse_gguf_name(file).stem);
  return stem.empty() ? std::string(model) : stem;
}

Status add_snapshot(const Snapshot& snapshot, bool only, std::vector<StoreEntry>& entries) {
  const auto groups = group_gguf_files(snapshot.files);
  const std::string at = only ? std::string() : "@" + snapshot.commit.substr(0, 12);
  StoreEntry entry = {.name = snapshot.repository + at,
                      .path = snapshot.folder,
                      .repository = snapshot.repository,
                      .commit = snapshot.commit,
                      .revision = snapshot.revision};
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (groups.size() > 1) entry.name = snapshot.repository + ":" + tag_of(groups, i) + at;
    entry.path = snapshot.folder + "/" + groups[i].files[0].path;
    entry.bytes = groups[i].bytes();
    entry.parts = groups[i].parts;
    entry.parts_missing = groups[i].missing().size();
    entries.push_back(entry);
  }
  const bool tensors =
      std::any_of(snapshot.files.begin(), snapshot.files.end(),
                  [](const NamedFile& file) { return file.path.ends_with(".safetensors"); });
  if (groups.empty() && tensors) {
    for (const NamedFile& file : snapshot.files) entry.bytes += file.bytes;
    entries.push_back(entry);
  }
  return {};
}

Status add_snapshots(const std::string& root, const ModelName& name,
                     std::vector<StoreEntry>& entries) {
  CAIRN_ASSIGN(const auto snapshots, snapshots_in(root, name));
  for (const Snapshot& snapshot : snapshots) {
    const bool only = snapshots.size() == 1 || snapshot.revision == "main";
    CAIRN_TRY(add_snapshot(snapshot, only, entries));
  }
  return {};
}

Status add_repositories(const std::string& root, std::vector<StoreEntry>& entries) {
  CAIRN_ASSIGN(const auto names, repositories_in(root));
  for (const ModelName& name : names) CAIRN_TRY(add_snapshots(root, name, entries));
  return {};
}

}  // namespace

Store::Store(StoreOptions options) : options_(std::move(options)) {}

Result<Store> Store::open(StoreOptions options) {
  while (options.endpoint.ends_with('/')) options.endpoint.pop_back();
  CAIRN_TRY(check_endpoint(options.endpoint));
  if (options.folder.empty()) return invalid_argument("the store's folder: found no name");
  // A header with a line break in it would be two.
  if (options.token.find_first_of("\r\n") != std::string::npos) {
    return invalid_argument("the hub token: found a line break in it, expected one word");
  }
  options.downloads_max = std::max<std::size_t>(1, options.downloads_max);
  return Store(std::move(options));
}

Result<std::string> Store::resolve(std::string_view model) const {
  std::error_code error;
  // Of a link to nothing or in a circle, opening it says more than "no such file".
  if (!model.empty() && fs::exists(fs::symlink_status(fs::path(model), error))) {
    return std::string(model);
  }
  if (model.empty() || looks_like_path(model)) return not_here(model);
  CAIRN_ASSIGN(auto plain, find_plain(options_.folder, model));
  if (plain.has_value()) return *std::move(plain);
  if (model.find('/') == std::string_view::npos) return not_here(model);
  CAIRN_ASSIGN(const ModelName name, parse_model_name(model));
  std::optional<Status> lacking;  // why a repository that is here does not do
  for (const std::string& root : {options_.folder, options_.hub_cache}) {
    if (root.empty()) continue;
    CAIRN_ASSIGN(const auto snapshot, find_snapshot(root, name, name.revision));
    if (!snapshot.has_value()) continue;
    auto path = model_in(*snapshot, name.tag);
    if (path.ok() || path.status().code() != StatusCode::kNotFound) return path;
    lacking = path.status();
  }
  return lacking ? *lacking : not_here(model);
}

/// The error for what is neither a file nor a model of the store.
Status Store::not_here(std::string_view model) const {
  const std::string shown = replace_invalid_utf8(model);
  std::vector<std::string> names;
  // A store that cannot be listed only takes the hint away.
  if (auto entries = list(); entries.ok()) {
    for (StoreEntry& entry : *entries) names.push_back(std::move(entry.name));
  }
  std::string advice = did_you_mean(name_in(model), names);
  if (advice.empty() && !looks_like_path(model) && parse_model_name(model).ok()) {
    advice = fmt::format("; `cairn pull {}` fetches it", shown);
  }
  if (advice.empty()) advice = "; `cairn list` shows what is there";
  return not_found(fmt::format("\"{}\": no such file, and no model of this name is in {}{}", shown,
                               options_.folder, advice));
}

Result<std::vector<StoreEntry>> Store::list() const {
  std::vector<StoreEntry> entries;
  CAIRN_ASSIGN(const auto plain, plain_models(options_.folder));
  for (const GgufGroup& group : plain) {
    entries.push_back({.name = group.stem,
                       .path = options_.folder + "/" + group.files[0].path,
                       .bytes = group.bytes(),
                       .parts = group.parts,
                       .parts_missing = group.missing().size()});
  }
  CAIRN_TRY(add_repositories(options_.folder, entries));
  if (!options_.hub_cache.empty()) CAIRN_TRY(add_repositories(options_.hub_cache, entries));
  std::stable_sort(entries.begin(), entries.end(),
                   [](const StoreEntry& a, const StoreEntry& b) { return a.name < b.name; });
  return entries;
}

}  // namespace cairn::runtime

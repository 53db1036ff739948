#include "runtime/store/wanted_files.h"

#include <fmt/core.h>

#include <algorithm>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>

#include "runtime/store/gguf_group.h"

namespace cairn::runtime {
namespace {

bool has_ending(std::string_view path, std::initializer_list<std::string_view> endings) {
  return std::any_of(endings.begin(), endings.end(),
                     [&](std::string_view ending) { return path.ends_with(ending); });
}

/// The files of a repository without GGUF files that loading it can need.
std::vector<HubFile> tensor_files(const std::vector<HubFile>& files) {
  std::vector<HubFile> wanted;
  bool tensors = false;
  for (const HubFile& file : files) {
    tensors = tensors || file.path.ends_with(".safetensors");
    if (has_ending(file.path, {".safetensors", ".json", ".model", ".jinja", "merges.txt"})) {
      wanted.push_back(file);
    }
  }
  return tensors ? wanted : std::vector<HubFile>();
}

/// All that loading a repository without GGUF files needs.
Result<std::vector<HubFile>> wanted_tensors(const std::vector<HubFile>& files,
                                            const ModelName& name) {
  std::vector<HubFile> wanted = tensor_files(files);
  if (wanted.empty()) {
    return not_found(fmt::format("{}: found {} files, none of them .gguf or .safetensors",
                                 name.id(), files.size()));
  }
  if (name.tag.empty()) return wanted;
  return not_found(
      fmt::format("{}: has no GGUF files that \"{}\" could mean", name.id(), name.tag));
}

}  // namespace

Result<std::vector<HubFile>> wanted_files(const std::vector<HubFile>& files,
                                          const ModelName& name) {
  std::vector<NamedFile> named;
  std::map<std::string, const HubFile*> by_path;
  for (const HubFile& file : files) {
    named.push_back({.path = file.path, .bytes = file.bytes});
    by_path[file.path] = &file;
  }
  const std::vector<GgufGroup> groups = group_gguf_files(named);
  if (groups.empty()) return wanted_tensors(files, name);
  CAIRN_ASSIGN(const std::size_t at, select_group(groups, name.tag, name.id()));
  if (const auto missing = groups[at].missing(); !missing.empty()) {
    return invalid_file(fmt::format("{}: the repository lacks part {} of {} of {}", name.id(),
                                    missing[0], groups[at].parts, groups[at].stem));
  }
  std::vector<HubFile> wanted;
  for (const NamedFile& file : groups[at].files) wanted.push_back(*by_path[file.path]);
  return wanted;
}

}  // namespace cairn::runtime

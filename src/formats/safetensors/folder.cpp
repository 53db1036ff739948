#include <fmt/core.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <set>
#include <utility>

#include "formats/quote.h"
#include "formats/safetensors/file.h"
#include "formats/safetensors/index.h"
#include "formats/safetensors/safetensors.h"

namespace cairn::formats {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kIndexBytesMax = std::uint64_t{256} << 20;
constexpr std::size_t kNamesShown = 8;
/// In the order in which they are looked for.
constexpr std::array<std::string_view, 2> kStems = {"model", "consolidated"};

bool is_there(const std::string& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

std::string path_in(const std::string& folder, std::string_view name) {
  return fmt::format("{}/{}", folder, name);
}

/// The first names, and how many more there are.
std::string listed(const std::vector<std::string>& names) {
  const std::size_t shown = std::min(names.size(), kNamesShown);
  const std::string more =
      names.size() > shown ? fmt::format(" and {} more", names.size() - shown) : "";
  return fmt::format("{}{}", fmt::join(names.begin(), names.begin() + shown, ", "), more);
}

/// Parts of the index that are not in the folder.
Status check_parts(const std::string& folder, const std::set<std::string>& parts) {
  std::vector<std::string> missing;
  for (const std::string& part : parts) {
    if (!is_there(path_in(folder, part))) missing.push_back(printable(part));
  }
  if (missing.empty()) return {};
  return not_found(fmt::format("{}: {} of the {} parts that its index names {} missing: {}", folder,
                               missing.size(), parts.size(), missing.size() == 1 ? "is" : "are",
                               listed(missing)));
}

/// The tensors of `part` are those that the index puts there; what was found leaves `left`.
Status check_tensors(const SafetensorsFile& file, const std::string& part, const WeightMap& map,
                     std::set<std::string_view>& left) {
  for (const TensorInfo& tensor : file.tensors) {
    const auto entry = map.find(tensor.name);
    if (entry == map.end()) {
      return invalid_file(
          fmt::format("tensor {}: the index does not name it", printable(tensor.name)));
    }
    if (entry->second != part) {
      return invalid_file(fmt::format("tensor {}: the index says that it is in {}",
                                      printable(tensor.name), printable(entry->second)));
    }
    left.erase(entry->first);
  }
  return {};
}

Result<ModelFile> open_parts(const std::string& folder, const WeightMap& map) {
  std::set<std::string> parts;
  std::set<std::string_view> left;
  for (const auto& [tensor, part] : map) {
    parts.insert(part);
    left.insert(tensor);
  }
  CAIRN_TRY(check_parts(folder, parts));
  Metadata metadata;
  std::vector<TensorInfo> tensors;
  std::vector<MappedFile> files;
  for (const std::string& part : parts) {
    const std::string path = path_in(folder, part);
    CAIRN_ASSIGN(OpenSafetensors open, map_safetensors(path));
    CAIRN_TRY(check_tensors(open.content, part, map, left).in(path));
    if (files.empty()) metadata = std::move(open.content.metadata);
    std::ranges::move(open.content.tensors, std::back_inserter(tensors));
    files.push_back(std::move(open.file));
  }
  if (!left.empty()) {
    return invalid_file(fmt::format("{}: tensor {}: the index puts it into {}, which lacks it",
                                    folder, printable(*left.begin()),
                                    printable(map.find(*left.begin())->second)));
  }
  return ModelFile::create(std::move(metadata), std::move(tensors), std::move(files));
}

Result<ModelFile> open_indexed(const std::string& folder, const std::string& index) {
  CAIRN_ASSIGN(const std::string text, read_file(index, kIndexBytesMax));
  const Result<WeightMap> map = parse_safetensors_index(text);
  if (!map.ok()) return map.status().in(index);
  return open_parts(folder, *map);
}

/// Why there is nothing to open.
Status no_weights(const std::string& folder) {
  std::error_code error;
  std::vector<std::string> pickled;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string extension = entry.path().extension();
    if (extension == ".bin" || extension == ".pt" || extension == ".pth" || extension == ".ckpt") {
      pickled.push_back(printable(entry.path().filename().string()));
    }
  }
  if (error) return not_found(fmt::format("{}: {}", folder, error.message()));
  if (pickled.empty()) {
    return not_found(fmt::format(
        "{}: found no weights; model.safetensors or model.safetensors.index.json is expected",
        folder));
  }
  std::ranges::sort(pickled);
  return unsupported(fmt::format(
      "{}: found pickled weights only ({}), which can run programs and are never opened; load the "
      "folder with transformers and call save_pretrained(FOLDER, safe_serialization=True)",
      folder, listed(pickled)));
}

}  // namespace

Result<ModelFile> open_safetensors_folder(const std::string& folder) {
  for (const std::string_view stem : kStems) {
    const std::string file = path_in(folder, stem) + ".safetensors";
    if (is_there(file + ".index.json")) return open_indexed(folder, file + ".index.json");
    if (is_there(file)) return open_safetensors(file);
  }
  return no_weights(folder);
}

}  // namespace cairn::formats

#include "formats/gguf/gguf.h"

#include <fmt/core.h>

#include <iterator>
#include <utility>

#include "formats/gguf/part.h"
#include "formats/gguf/split.h"
#include "formats/quote.h"

namespace cairn::formats {
namespace {

/// A mapped file and what it says.
struct OpenPart {
  MappedFile file;
  GgufPart part;
};

/// What the split.* keys of a part say; a file without them is part 1 of 1.
struct SplitKeys {
  std::uint64_t part = 1;
  std::uint64_t count = 1;
};

Result<SplitKeys> split_keys(const Metadata& metadata) {
  SplitKeys keys;
  CAIRN_ASSIGN(keys.count, metadata.u64_or("split.count", 1));
  if (keys.count <= 1) return SplitKeys{};
  CAIRN_ASSIGN(const std::uint64_t number, metadata.u64("split.no"));
  if (number >= keys.count) {
    return invalid_file(fmt::format("key split.no holds {}; less than split.count, {}, is accepted",
                                    number, keys.count));
  }
  keys.part = number + 1;
  return keys;
}

Result<OpenPart> open_part(const std::string& path) {
  OpenPart open;
  CAIRN_ASSIGN(open.file, MappedFile::open(path));
  Result<GgufPart> part = read_part(open.file.bytes());
  if (!part.ok()) return part.status().in(path);
  open.part = std::move(part).value();
  return open;
}

/// The name of a part, checked against what its keys say.
Result<SplitName> checked_name(const std::string& path, const SplitKeys& keys) {
  const std::optional<SplitName> name = parse_split_name(path);
  if (name && name->part == keys.part && name->count == keys.count) return *name;
  return invalid_file(
      fmt::format("{}: its keys say part {} of {} of a split model; a name that ends with "
                  "-{:05}-of-{:05}.gguf is expected, beside the other parts",
                  path, keys.part, keys.count, keys.part, keys.count));
}

/// Later parts repeat at most what the first says.
Status check_same_metadata(const Metadata& first, const Metadata& later) {
  for (const std::string_view key : later.keys()) {
    if (key.starts_with("split.")) continue;
    const MetadataValue* value = first.find(key);
    if (value != nullptr && *value == *later.find(key)) continue;
    return invalid_file(
        fmt::format("key {} differs from the first part's or is missing there", printable(key)));
  }
  return {};
}

Result<OpenPart> open_numbered_part(const SplitName& name, std::uint32_t number) {
  const std::string path = split_path(name, number);
  Result<OpenPart> open = open_part(path);
  if (open.status().code() == StatusCode::kNotFound) {
    return not_found(
        fmt::format("{}: part {} of {} of the split model is missing", path, number, name.count));
  }
  if (!open.ok()) return open;
  const Result<SplitKeys> keys = split_keys(open->part.metadata);
  if (!keys.ok()) return keys.status().in(path);
  CAIRN_TRY(checked_name(path, *keys).status());
  return open;
}

Status check_tensor_count(const Metadata& metadata, std::size_t found) {
  CAIRN_ASSIGN(const std::uint64_t claimed, metadata.u64_or("split.tensors.count", found));
  if (claimed == found) return {};
  return invalid_file(
      fmt::format("key split.tensors.count holds {}; the parts hold {} tensors", claimed, found));
}

/// The model of a part or of all parts together; `path` is what its errors name.
Result<ModelFile> whole_model(GgufPart whole, std::vector<MappedFile> files,
                              const std::string& path) {
  Status status = check_tensor_count(whole.metadata, whole.tensors.size());
  if (!status.ok()) return status.in(path);
  Result<ModelFile> file =
      ModelFile::create(std::move(whole.metadata), std::move(whole.tensors), std::move(files));
  if (!file.ok()) return file.status().in(path);
  return file;
}

Result<ModelFile> open_split(const SplitName& name) {
  GgufPart whole;
  std::vector<MappedFile> files;
  for (std::uint32_t number = 1; number <= name.count; ++number) {
    CAIRN_ASSIGN(OpenPart open, open_numbered_part(name, number));
    if (number == 1) {
      whole.metadata = std::move(open.part.metadata);
    } else if (Status status = check_same_metadata(whole.metadata, open.part.metadata);
               !status.ok()) {
      return status.in(split_path(name, number));
    }
    std::move(open.part.tensors.begin(), open.part.tensors.end(),
              std::back_inserter(whole.tensors));
    files.push_back(std::move(open.file));
  }
  return whole_model(std::move(whole), std::move(files), split_path(name, 1));
}

}  // namespace

Result<ModelFile> open_gguf(const std::string& path) {
  CAIRN_ASSIGN(OpenPart open, open_part(path));
  const Result<SplitKeys> keys = split_keys(open.part.metadata);
  if (!keys.ok()) return keys.status().in(path);
  if (keys->count > 1) {
    CAIRN_ASSIGN(const SplitName name, checked_name(path, *keys));
    return open_split(name);
  }
  std::vector<MappedFile> files;
  files.push_back(std::move(open.file));
  return whole_model(std::move(open.part), std::move(files), path);
}

Result<ModelFile> parse_gguf(std::span<const std::byte> bytes) {
  CAIRN_ASSIGN(GgufPart part, read_part(bytes));
  CAIRN_TRY(split_keys(part.metadata).status());
  return ModelFile::create(std::move(part.metadata), std::move(part.tensors), {});
}

}  // namespace cairn::formats

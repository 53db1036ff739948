#include "formats/model_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <utility>

#include "formats/gguf/gguf.h"
#include "formats/huggingface/huggingface.h"
#include "formats/quote.h"
#include "formats/safetensors/safetensors.h"

namespace cairn::formats {
namespace {

struct Format {
  std::string_view magic;  // bytes of the file
  std::size_t offset = 0;  // where they stand
  Result<ModelFile> (*open)(const std::string& path) = nullptr;
  std::string_view why_not = {};  // why it is only listed; empty: it is a model
};

constexpr std::string_view kNotRun =
    "without a config.json beside it, which can be listed and not run; the folder that it comes "
    "from, or a GGUF file, is expected";
constexpr Format kFormats[] = {
    {.magic = "GGUF", .open = &open_gguf},
    {.magic = "{\"", .offset = 8, .open = &open_safetensors, .why_not = "a safetensors file"},
};
constexpr Format kFolder = {.magic = {}, .open = &open_safetensors_folder, .why_not = "a folder"};

/// What people open by mistake, so that the message says what it is.
struct Mistake {
  std::string_view magic;
  std::size_t offset = 0;
  std::string_view what;
};

constexpr Mistake kMistakes[] = {
    {"version https://git-lfs", 0, "a Git LFS pointer: the model itself was not downloaded"},
    {"<!DOCTYPE", 0, "a web page: the download did not return the model"},
    {"<html", 0, "a web page: the download did not return the model"},
    {"PK\x03\x04", 0, "a PyTorch checkpoint, which is not read; convert it to GGUF"},
    {"lmgg", 0, "in a format older than GGUF; convert it again"},
    {"tjgg", 0, "in a format older than GGUF; convert it again"},
    {"fmgg", 0, "in a format older than GGUF; convert it again"},
};

Status not_a_model(const std::string& path, std::string_view head) {
  if (head.empty()) {
    return invalid_file(fmt::format("{}: the file is empty; a GGUF file is expected", path));
  }
  for (const Mistake& mistake : kMistakes) {
    if (head.size() > mistake.offset && head.substr(mistake.offset).starts_with(mistake.magic)) {
      return invalid_file(fmt::format("{}: the file is {}", path, mistake.what));
    }
  }
  return invalid_file(
      fmt::format("{}: the file begins with \"{}\"; a GGUF file begins with \"GGUF\"", path,
                  printable(head.substr(0, 4))));
}

/// The first bytes of the file at `path`.
Result<std::string> head_of(const std::string& path) {
  constexpr std::size_t kHeadBytes = 64;
  CAIRN_ASSIGN(const MappedFile file, MappedFile::open(path));
  const auto bytes = file.bytes().first(std::min(kHeadBytes, file.bytes().size()));
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

/// Errors: as opening; kInvalidFile for a file of no format.
Result<Format> format_of(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return kFolder;
  CAIRN_ASSIGN(const std::string head, head_of(path));
  for (const Format& format : kFormats) {
    const std::string_view bytes = head;
    if (bytes.size() > format.offset && bytes.substr(format.offset).starts_with(format.magic)) {
      return format;
    }
  }
  return not_a_model(path, head);
}

Status check_is_model(const ModelFile& file, const std::string& path) {
  const Result<std::string_view> type = file.metadata().string_or("general.type", "model");
  if (!type.ok()) return type.status().in(path);
  if (*type == "model") return {};
  std::string_view words = "a file of a kind that this version does not know";
  if (*type == "adapter") words = "an adapter, which changes a model and is not one itself";
  if (*type == "mmproj") words = "the image or audio part of a model and not a model itself";
  if (*type == "imatrix") words = "statistics for quantising and not a model";
  return invalid_file(fmt::format("{}: general.type is \"{}\": {}; \"model\" is expected", path,
                                  printable(*type), words));
}

}  // namespace

std::uint64_t TensorInfo::rows() const {
  std::uint64_t rows = 1;
  for (std::size_t i = 1; i < shape.size(); ++i) rows *= shape[i];
  return rows;
}

std::uint64_t TensorInfo::byte_size() const {
  return maker == nullptr ? bytes.size()
                          : bytes_of(type, static_cast<std::size_t>(rows() * cols()));
}

TensorBytes::TensorBytes(const TensorInfo& tensor) : lent_(tensor.bytes) {
  if (tensor.maker == nullptr) return;
  made_.resize(static_cast<std::size_t>(tensor.byte_size()));
  tensor.maker->make(made_);
}

Result<ModelFile> ModelFile::create(Metadata metadata, std::vector<TensorInfo> tensors,
                                    std::vector<MappedFile> files) {
  ModelFile none;
  none.files_ = std::make_shared<const std::vector<MappedFile>>(std::move(files));
  return none.remade(std::move(metadata), std::move(tensors), {});
}

Result<ModelFile> ModelFile::remade(Metadata metadata, std::vector<TensorInfo> tensors,
                                    std::string_view made_as) const {
  ModelFile file;
  file.metadata_ = std::move(metadata);
  file.tensors_ = std::move(tensors);
  file.files_ = files_;
  file.made_as_ = made_as_ + std::string(made_as);
  file.index_.reserve(file.tensors_.size());
  for (std::size_t i = 0; i < file.tensors_.size(); ++i) {
    const std::string& name = file.tensors_[i].name;
    if (!file.index_.emplace(name, i).second) {
      return invalid_file(
          fmt::format("tensor {}: the file holds this name twice", printable(name)));
    }
  }
  return file;
}

const TensorInfo* ModelFile::find(std::string_view name) const {
  const auto found = index_.find(name);
  return found == index_.end() ? nullptr : &tensors_[found->second];
}

std::size_t ModelFile::release(const TensorInfo& tensor) const {
  const std::byte* begin = tensor.source().data();
  for (const MappedFile& file : *files_) {
    const std::span<const std::byte> bytes = file.bytes();
    if (std::less<>()(begin, bytes.data()) || !std::less<>()(begin, bytes.data() + bytes.size())) {
      continue;
    }
    return file.release(static_cast<std::size_t>(begin - bytes.data()), tensor.source().size());
  }
  return 0;
}

std::uint64_t ModelFile::file_bytes() const {
  std::uint64_t total = 0;
  if (files_->empty()) {
    for (const TensorInfo& tensor : tensors_) total += tensor.source().size();
  }
  for (const MappedFile& file : *files_) total += file.bytes().size();
  return total;
}

std::int64_t ModelFile::modified_ns() const {
  std::int64_t newest = 0;
  for (const MappedFile& file : *files_) newest = std::max(newest, file.modified_ns());
  return newest;
}

Sha256Digest ModelFile::header_hash() const {
  Sha256 hash;
  for (const MappedFile& file : *files_) {
    std::span<const std::byte> header = file.bytes();
    for (const TensorInfo& tensor : tensors_) {
      const std::byte* const at = tensor.source().data();
      const bool inside =
          !std::less<>()(at, header.data()) && std::less<>()(at, header.data() + header.size());
      if (inside) header = header.first(static_cast<std::size_t>(at - header.data()));
    }
    hash.update(header);
  }
  hash.update(std::as_bytes(std::span(made_as_)));
  return hash.digest();
}

Result<ModelFile> open_any(const std::string& path) {
  CAIRN_ASSIGN(const Format format, format_of(path));
  return format.open(path);
}

Result<ModelFile> open_model(const std::string& path) {
  CAIRN_ASSIGN(const Format format, format_of(path));
  if (!format.why_not.empty()) {
    if (is_huggingface_folder(path)) return open_huggingface(path);
    return unsupported(fmt::format("{}: found {} {}", path, format.why_not, kNotRun));
  }
  CAIRN_ASSIGN(ModelFile file, format.open(path));
  CAIRN_TRY(check_is_model(file, path));
  return file;
}

}  // namespace cairn::formats

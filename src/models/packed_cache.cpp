#include "models/packed_cache.h"

#include <fmt/core.h>

#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/staged_file.h"

namespace cairn::models {
namespace {

PackedKey key_of(const formats::ModelFile& file, std::uint32_t layout) {
  return {.file_bytes = file.file_bytes(),
          .modified_ns = file.modified_ns(),
          .header_hash = file.header_hash(),
          .layout = layout};
}

/// Errors: kInvalidFile saying what of the key is another.
Status check_key(const PackedKey& found, const PackedKey& expected) {
  if (found.layout != expected.layout) {
    return invalid_file(fmt::format("its weights are packed in layout {}, this program uses {}",
                                    found.layout, expected.layout));
  }
  if (found.header_hash != expected.header_hash) {
    return invalid_file("it was packed from a model with another header");
  }
  if (found.file_bytes != expected.file_bytes) {
    return invalid_file(fmt::format("it was packed from a model file of {} bytes, this one has {}",
                                    found.file_bytes, expected.file_bytes));
  }
  if (found.modified_ns != expected.modified_ns) {
    return invalid_file("the model file was written again since it was packed");
  }
  return {};
}

std::string digits(const Sha256Digest& hash) {
  std::string text;
  for (const std::byte byte : hash) text += fmt::format("{:02x}", static_cast<unsigned>(byte));
  return text;
}

std::string path_of(const std::string& folder, const Sha256Digest& header_hash) {
  return fmt::format("{}/{}.packed", folder, digits(header_hash).substr(0, 32));
}

/// Zeros up to the next matrix.
std::span<const std::byte> padding_after(const PackedIndex& index, std::size_t matrix) {
  static constexpr std::byte kZeros[2 * kPackedAlignment] = {};
  const PackedPlace& place = index.matrices[matrix];
  const std::uint64_t next =
      matrix + 1 < index.matrices.size() ? index.matrices[matrix + 1].offset : index.file_bytes();
  return std::span(kZeros).first(next - place.offset - place.bytes);
}

using Matrices = std::span<const std::unique_ptr<kernels::PackedMatrix>>;

Result<PackedIndex> index_of(const PackedKey& key, Matrices matrices) {
  std::vector<std::uint64_t> sizes;
  for (const auto& matrix : matrices) {
    if (matrix->contents().size() != matrix->packed_bytes()) {
      return unsupported("the device cannot give its packed weights back");
    }
    sizes.push_back(matrix->packed_bytes());
  }
  PackedIndex index = lay_out_packed(key, sizes);
  Sha256 hash;
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    hash.update(matrices[i]->contents());
    hash.update(padding_after(index, i));
  }
  index.content_hash = hash.digest();
  return index;
}

Status write(const std::string& path, const PackedKey& key, Matrices matrices) {
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
  CAIRN_ASSIGN(const PackedIndex index, index_of(key, matrices));
  CAIRN_ASSIGN(StagedFile file, StagedFile::open(path));  // tells what the folder's error was
  CAIRN_TRY(file.append(print_packed_index(index)));
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    CAIRN_TRY(file.append(matrices[i]->contents()));
    CAIRN_TRY(file.append(padding_after(index, i)));
  }
  return file.commit({});
}

}  // namespace

std::string packed_path(const std::string& folder, const formats::ModelFile& file) {
  return path_of(folder, file.header_hash());
}

PackedCache::PackedCache(const std::string& folder, const formats::ModelFile& file,
                         const kernels::Device& device) {
  if (folder.empty()) return;
  if (device.packed_layout() == 0 || file.file_count() == 0) {
    warnings_.emplace_back("packed weights are not kept: this device or file has none to keep");
    return;
  }
  key_ = key_of(file, device.packed_layout());
  path_ = path_of(folder, key_.header_hash);
  const Status status = find();
  if (status.ok() || status.code() == StatusCode::kNotFound) return;
  give_up(status);
}

Status PackedCache::find() {
  CAIRN_ASSIGN(MappedFile file, MappedFile::open(path_));
  Result<PackedIndex> index = parse_packed_index(file.bytes());
  if (!index.ok()) return index.status().in(path_);
  CAIRN_TRY(check_key(index->key, key_).in(path_));
  index_ = std::move(index).value();
  file_ = std::make_shared<const MappedFile>(std::move(file));
  return {};
}

std::optional<kernels::PackedContents> PackedCache::next() {
  if (file_ == nullptr) return std::nullopt;
  if (next_ >= index_.matrices.size()) {
    give_up(invalid_file(fmt::format("{}: it has {} matrices, the model more", path_, next_)));
    return std::nullopt;
  }
  const PackedPlace& place = index_.matrices[next_++];
  return kernels::PackedContents{.bytes = file_->bytes().subspan(place.offset, place.bytes),
                                 .owner = file_};
}

void PackedCache::give_up(const Status& reason) {
  warnings_.push_back(fmt::format("packed weights are not used: {}", reason.message()));
  file_.reset();
}

void PackedCache::save(Matrices matrices) {
  if (path_.empty() || file_ != nullptr) return;
  const Status status = write(path_, key_, matrices);
  if (status.ok()) return;
  warnings_.push_back(fmt::format("packed weights are not kept: {}", status.message()));
}

Result<VerifiedPacked> verify_packed(const std::string& folder, const formats::ModelFile& file) {
  const std::string path = packed_path(folder, file);
  CAIRN_ASSIGN(const MappedFile packed, MappedFile::open(path));
  const Result<PackedIndex> index = parse_packed_index(packed.bytes());
  if (!index.ok()) return index.status().in(path);
  CAIRN_TRY(check_key(index->key, key_of(file, index->key.layout)).in(path));
  if (sha256(packed.bytes().subspan(index->contents_begin())) != index->content_hash) {
    return invalid_file(path + ": its contents are not what was written");
  }
  return VerifiedPacked{
      .path = path, .matrices = index->matrices.size(), .bytes = packed.bytes().size()};
}

}  // namespace cairn::models

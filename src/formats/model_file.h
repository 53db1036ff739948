// ModelFile: a model on disk as named tensors and metadata, whatever its format.
//
// Purpose     what the rest of cairn knows of model files.
// Invariants  every tensor's bytes lie inside a mapped file and are exactly what its shape and type
//             need; names are unique; rows are whole blocks. All of it is checked when opening.
// Threads     reading from many threads is fine.
// Adding      a format: its folder, and its row in the table of model_file.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/file.h"
#include "base/sha256.h"
#include "base/status.h"
#include "formats/metadata.h"
#include "tensor/element_type.h"

namespace cairn::formats {

/// Makes a tensor's bytes when they are asked for: rows in another order, values of another type.
/// Immutable; many threads may call it.
class TensorMaker {
 public:
  virtual ~TensorMaker() = default;
  /// Writes the tensor's bytes, all of them: `out` has TensorInfo::byte_size().
  virtual void make(std::span<std::byte> out) const = 0;
  /// What make() reads of the model's files, valid as long as the ModelFile; empty where it reads
  /// none.
  virtual std::span<const std::byte> source() const = 0;
};

/// A tensor as stored, or as it is made from what is stored.
struct TensorInfo {
  std::string name = {};
  ElementType type = ElementType::kF32;
  std::vector<std::uint64_t> shape = {};  // ggml order: shape[0] is the row length
  std::span<const std::byte> bytes = {};  // valid as long as the ModelFile; empty where it is made
  std::shared_ptr<const TensorMaker> maker = {};  // nullptr: the bytes are in the file

  std::uint64_t cols() const { return shape.empty() ? 1 : shape[0]; }
  /// Product of all dimensions but the first.
  std::uint64_t rows() const;
  /// Bytes of the whole tensor, stored or made.
  std::uint64_t byte_size() const;
  /// Most bytes in memory while it is read: what is stored, once more in another order, and made.
  std::uint64_t reading_bytes() const {
    return maker == nullptr ? bytes.size() : byte_size() + 2 * maker->source().size();
  }
  /// The bytes of the model's files that it comes from.
  std::span<const std::byte> source() const { return maker ? maker->source() : bytes; }
};

/// A tensor's bytes: lent by the file, or made and kept here. Valid as long as both.
class TensorBytes {
 public:
  explicit TensorBytes(const TensorInfo& tensor);
  std::span<const std::byte> view() const { return lent_.empty() ? made_ : lent_; }

 private:
  std::vector<std::byte> made_;
  std::span<const std::byte> lent_;
};

/// An open model. Movable; spans into it stay valid when it moves.
class ModelFile {
 public:
  /// Errors: kInvalidFile naming a tensor whose name another one has. `files` keep the bytes of
  /// `tensors` alive and may be empty when the caller does.
  static Result<ModelFile> create(Metadata metadata, std::vector<TensorInfo> tensors,
                                  std::vector<MappedFile> files);

  /// The same files with other metadata and tensors, which come from this file's: `made_as` says
  /// in words how, and goes into header_hash(). Errors: as create.
  Result<ModelFile> remade(Metadata metadata, std::vector<TensorInfo> tensors,
                           std::string_view made_as) const;

  const Metadata& metadata() const { return metadata_; }
  /// In the order of the file or files.
  std::span<const TensorInfo> tensors() const { return tensors_; }
  /// nullptr when there is none of that name.
  const TensorInfo* find(std::string_view name) const;
  /// Tells the system that the bytes of `tensor` are not needed soon; they stay readable. Returns
  /// how many of them it gave back, which is 0 where the file was parsed from memory.
  std::size_t release(const TensorInfo& tensor) const;
  /// Number of files the model lies in (0 when it was parsed from memory).
  std::size_t file_count() const { return files_->size(); }
  /// Bytes of all its files or, from memory, of its tensors.
  std::uint64_t file_bytes() const;
  /// When the newest of its files was last written: nanoseconds since 1970, 0 from memory.
  std::int64_t modified_ns() const;
  /// SHA-256 over what stands in front of the first tensor in each of its files (names, shapes,
  /// places and metadata, but not the tensors' own bytes) and over how its tensors are made.
  Sha256Digest header_hash() const;

 private:
  ModelFile() = default;

  Metadata metadata_;
  std::vector<TensorInfo> tensors_;
  std::unordered_map<std::string_view, std::size_t> index_;  // views of the names in tensors_
  std::shared_ptr<const std::vector<MappedFile>> files_;
  std::string made_as_;
};

/// Opens a model of any supported format; any part of a split model opens all of it.
/// Errors: as the format's reader, each with the path in front; kInvalidFile for files that are no
/// model on their own (an adapter, a vision projector), naming what they are.
Result<ModelFile> open_model(const std::string& path);

/// The same without the question what the file is for: adapters and projectors open too, and
/// safetensors files and folders of them. For listings.
Result<ModelFile> open_any(const std::string& path);

}  // namespace cairn::formats

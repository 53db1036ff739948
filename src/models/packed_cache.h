// PackedCache: weights as the device packed them, kept in a file and mapped at the next start.
//
// Purpose     starting without packing. One file per model file, named after the model's header.
// Invariants  a file is used only if its index names this model file (bytes, time, header) and this
//             layout; anything else is a warning and the weights are packed as without it. A file
//             appears whole or not at all. Its contents are not read while loading: verify() does.
// Threads     the loading thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/status.h"
#include "formats/model_file.h"
#include "kernels/device.h"
#include "models/packed_index.h"

namespace cairn::models {

/// The file in `folder` for packed weights of `file`.
std::string packed_path(const std::string& folder, const formats::ModelFile& file);

class PackedCache {
 public:
  /// Looks for packed weights of `file`; an empty folder is one that keeps nothing.
  PackedCache(const std::string& folder, const formats::ModelFile& file,
              const kernels::Device& device);

  /// The next matrix in the order of packing, or nothing when it has to be packed.
  std::optional<kernels::PackedContents> next();
  /// What next() gave was of no use, for this reason: the rest is packed.
  void give_up(const Status& reason);

  /// Bytes that are mapped; 0 when nothing is.
  std::uint64_t mapped_bytes() const { return file_ != nullptr ? file_->bytes().size() : 0; }

  /// Keeps the matrices where none were found. A failure is a warning: the model works without.
  void save(std::span<const std::unique_ptr<kernels::PackedMatrix>> matrices);

  /// Why a file was not used or not written; one line each.
  std::vector<std::string> take_warnings() { return std::move(warnings_); }

 private:
  Status find();

  std::string path_;  // empty: nothing is kept
  PackedKey key_;
  PackedIndex index_;
  std::shared_ptr<const MappedFile> file_;
  std::size_t next_ = 0;
  std::vector<std::string> warnings_;
};

/// A file of packed weights whose contents were read and are as they were written.
struct VerifiedPacked {
  std::string path = {};
  std::size_t matrices = 0;
  std::uint64_t bytes = 0;
};

/// Reads all of what `folder` keeps for `file`. Errors: kNotFound when it keeps nothing;
/// kInvalidFile with the path and what is wrong: another model file, damaged, cut short.
Result<VerifiedPacked> verify_packed(const std::string& folder, const formats::ModelFile& file);

}  // namespace cairn::models

// Makes GGUF bytes: for `cairn quantize` and for tests of every room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "formats/metadata.h"
#include "formats/model_file.h"
#include "tensor/element_type.h"

namespace cairn::formats {

/// Collects keys and tensors, then lays them out as GGUF version 3.
class GgufWriter {
 public:
  /// Adds or replaces a key.
  GgufWriter& set(std::string_view key, MetadataValue value);

  /// Adds a tensor; `shape` in ggml order (row length first). The bytes are copied and not checked
  /// against the shape, so that tests can write wrong files.
  GgufWriter& add_tensor(std::string_view name, ElementType type, std::vector<std::uint64_t> shape,
                         std::span<const std::byte> bytes);

  /// Adds an F32 tensor with these values.
  GgufWriter& add_f32(std::string_view name, std::vector<std::uint64_t> shape,
                      std::span<const float> values);

  /// The file. general.alignment, where it was set to a power of two, is kept; 32 otherwise.
  std::vector<std::byte> bytes() const;

  /// Writes bytes() to `path`. Errors: kIo.
  Status write(const std::string& path) const;

 private:
  struct Tensor {
    std::string name;
    ElementType type = ElementType::kF32;
    std::vector<std::uint64_t> shape;
    std::vector<std::byte> bytes;
  };

  Metadata metadata_;
  std::vector<Tensor> tensors_;
};

/// Writes `file` as GGUF version 3 to `path`, tensor by tensor; what is there is replaced when all
/// is written. `progress` gets bytes done and in all, and false from it cancels.
/// Errors: kIo; kCancelled; kInvalidArgument for a path that is no regular file.
Status write_gguf(const std::string& path, const ModelFile& file,
                  const std::function<bool(std::uint64_t, std::uint64_t)>& progress);

}  // namespace cairn::formats

// Weights: a file's tensors, checked by name and shape, onto a device.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "formats/model_file.h"
#include "kernels/device.h"
#include "models/decoder.h"
#include "models/decoder_spec.h"
#include "models/packed_cache.h"

namespace cairn::models {

/// Errors: kInvalidFile naming the tensor that is missing or of another shape, with both shapes, or
/// the first tensors that `uses` does not name.
Status check_tensors(const formats::ModelFile& file, std::span<const TensorUse> uses);

/// Puts tensors that check_tensors accepted onto a device and keeps them.
class WeightLoader {
 public:
  using Progress = std::function<bool(std::uint64_t done, std::uint64_t total)>;

  /// `progress` may be empty. All outlive the loader.
  WeightLoader(const formats::ModelFile& file, kernels::Device& device, PackedCache& kept,
               const Progress& progress);

  /// Packs the segments as one matrix. Errors: kCancelled; the device's, naming the tensor.
  Result<const kernels::PackedMatrix*> matrix(const MatrixSpec& spec);
  /// Packs the first `rows` rows of a tensor: ids past the vocabulary cannot be read or written.
  Result<const kernels::PackedMatrix*> table(const std::string& tensor, std::size_t rows);
  /// The tensor as floats, or nullptr for an empty name.
  Result<const float*> vector(const std::string& tensor);
  /// Biases of the segments, zero where one has none; nullptr when none has.
  Result<const float*> bias(const MatrixSpec& spec);
  /// Copies host values to the device.
  Result<const float*> upload(std::span<const float> values);
  /// The tensor as floats on the host. Errors: kCancelled.
  Result<std::vector<float>> values(const std::string& tensor);

  /// What was done so far.
  const LoadFigures& figures() const { return figures_; }

  std::vector<std::unique_ptr<kernels::PackedMatrix>> take_matrices() {
    return std::move(matrices_);
  }
  std::vector<std::unique_ptr<kernels::Buffer>> take_vectors() { return std::move(vectors_); }

 private:
  /// Where a weight came from: bytes of the model file are read and given back.
  enum class Source : std::uint8_t { kFile, kKept };
  struct Loaded {
    const kernels::PackedMatrix* matrix = nullptr;
    Source source = Source::kFile;
  };

  /// Packs segments without bytes, which are the first rows of the tensors `from`.
  Result<Loaded> pack(std::span<kernels::WeightSegment> segments,
                      std::span<const formats::TensorInfo* const> from);
  std::unique_ptr<kernels::PackedMatrix> adopt(std::span<const kernels::WeightSegment> segments);
  Loaded keep(std::unique_ptr<kernels::PackedMatrix> matrix, Source source);
  Status report(const formats::TensorInfo& tensor, Source source);

  const formats::ModelFile& file_;
  kernels::Device& device_;
  PackedCache& kept_;
  const Progress& progress_;
  std::uint64_t done_ = 0;
  std::uint64_t total_ = 0;
  LoadFigures figures_;
  std::vector<std::unique_ptr<kernels::PackedMatrix>> matrices_;
  std::vector<std::unique_ptr<kernels::Buffer>> vectors_;
};

}  // namespace cairn::models

// Runs a model on one sequence, without an engine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "base/token.h"
#include "formats/model_file.h"
#include "kernels/device.h"
#include "models/decoder.h"
#include "models/decoder_spec.h"

namespace cairn::tests {

struct RunnerOptions {
  kernels::Numerics numerics = kernels::Numerics::kExact;
  std::optional<kernels::CacheType> cache = {};  // nothing: what the class keeps by itself
  std::size_t threads = 2;
  std::size_t positions = 1024;                          // of the one sequence
  std::function<void(models::DecoderSpec&)> alter = {};  // what the file says, before loading
};

/// What stands behind the last norm.
struct Normed {
  std::vector<float> states = {};            // [ids, width]
  std::vector<float> logits = {};            // of the last 64 ids, as the forward gives them
  std::vector<float> logits_of_states = {};  // the same from the states, by the head alone
};

/// A model on the CPU with a cache for one sequence. The cache lies in pages out of order, so that
/// a block table that is not followed shows.
class ModelRunner {
 public:
  /// Errors: those of opening, of the device and of loading.
  static Result<std::unique_ptr<ModelRunner>> create(const std::string& path,
                                                     const RunnerOptions& options);
  /// The same on a device and a file that the caller keeps.
  static Result<std::unique_ptr<ModelRunner>> create(const formats::ModelFile& file,
                                                     kernels::Device& device, std::size_t positions,
                                                     const models::LoadOptions& load = {});

  const models::ModelInfo& info() const { return model_->info(); }
  const models::Model& model() const { return *model_; }
  const formats::ModelFile& file() const { return *file_; }

  /// Forgets the sequence.
  void reset() { position_ = 0; }

  /// Computes `ids` after what was fed before, in one step, and returns the logits of the last
  /// `logits_rows` of them, [logits_rows, vocabulary].
  std::vector<float> feed(std::span<const TokenId> ids, std::size_t logits_rows);

  /// Computes `ids` as feed does and returns the residual stream [ids, width] after the embedding
  /// and after every block.
  std::vector<std::vector<float>> feed_looking(std::span<const TokenId> ids);

  /// Computes `ids` as feed does. Errors: those of packing the head once more.
  Result<Normed> feed_normed(std::span<const TokenId> ids);

 private:
  ModelRunner() = default;
  Status load(const std::function<void(models::DecoderSpec&)>& alter,
              const models::LoadOptions& load);
  Status prepare(std::size_t positions);
  void lay_out(std::span<const TokenId> ids, std::size_t logits_rows);
  std::vector<float> download(Matrix matrix);
  Result<std::vector<float>> apply_head(std::size_t rows);

  std::unique_ptr<formats::ModelFile> own_file_;
  std::unique_ptr<kernels::Device> own_device_;
  const formats::ModelFile* file_ = nullptr;
  kernels::Device* device_ = nullptr;
  std::unique_ptr<models::Model> model_;
  std::unique_ptr<models::Scratch> scratch_;
  std::vector<std::unique_ptr<kernels::Buffer>> pools_;
  std::vector<std::uint32_t> block_table_;
  std::vector<std::span<const std::uint32_t>> block_tables_;
  std::vector<kernels::KvPages> caches_;
  std::vector<kernels::Row> rows_;
  models::Step step_;
  std::uint32_t position_ = 0;
};

/// Index of the largest value, ties to the lowest.
std::size_t argmax(std::span<const float> values);

}  // namespace cairn::tests

// ModelForwarder: runs steps of a models::Model on its device.
#pragma once

#include <memory>
#include <vector>

#include "engine/forwarder.h"
#include "kernels/device.h"
#include "models/decoder.h"
#include "models/step.h"

namespace cairn::engine {

struct ModelForwarderOptions {
  std::size_t pages = 0;
  std::size_t rows_max = 0;
  std::size_t logits_rows_max = 1;
};

class ModelForwarder final : public Forwarder {
 public:
  /// Allocates scratch, cache pages and logits. `model` and `device` outlive it.
  /// Errors: kTooLarge with the bytes asked for.
  static Result<std::unique_ptr<Forwarder>> create(const models::Model& model,
                                                   kernels::Device& device,
                                                   const ModelForwarderOptions& options);

  std::size_t vocabulary() const override { return vocabulary_; }
  std::size_t rows_max() const override { return options_.rows_max; }
  std::size_t pages() const override { return options_.pages; }
  Matrix forward(std::span<const kernels::Row> rows, BlockTables block_tables) override;

 private:
  ModelForwarder(const models::Model& model, kernels::Device& device, models::Scratch scratch,
                 const ModelForwarderOptions& options);
  Status allocate_pools();

  const models::Model& model_;
  kernels::Device& device_;
  models::Scratch scratch_;
  ModelForwarderOptions options_;
  std::size_t vocabulary_ = 0;
  std::vector<std::unique_ptr<kernels::Buffer>> pools_;
  std::vector<kernels::KvPages> caches_;  // one per cache slot of the model
  std::vector<float> logits_;             // host copy
  models::Step step_;                     // what the workers of the current run read
  std::function<void(kernels::Ops&)> run_;
};

}  // namespace cairn::engine

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
  std::size_t pages = 0;  // of each cache group
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
  std::size_t logits_rows_max() const override { return options_.logits_rows_max; }
  std::span<const CacheGroup> groups() const override { return groups_.groups; }
  std::string cache_identity() const override;
  Matrix forward(std::span<const kernels::Row> rows, GroupTables block_tables) override;
  std::span<const kernels::BestTwo> best() const override { return best_; }
  std::uint32_t page_layout() const override { return device_.page_layout(); }
  std::size_t page_bytes(std::size_t group) const override;
  std::span<const float> hidden(std::size_t row) override;
  void copy_page(std::size_t group, std::uint32_t from, std::uint32_t to) override;
  void read_page(std::size_t group, std::uint32_t page, std::span<std::byte> to) override;
  void fill_page(std::size_t group, std::uint32_t page, std::span<const std::byte> from) override;

 private:
  ModelForwarder(const models::Model& model, kernels::Device& device, models::Scratch scratch,
                 const ModelForwarderOptions& options);
  Status allocate_pools();
  /// Calls `visit` with the address and the bytes of a page in each slot of `group`.
  template <typename Visit>
  void visit_slots(std::size_t group, std::uint32_t page, Visit&& visit) const;
  void clear_normed(std::size_t rows);
  void download_logits(std::span<const kernels::Row> rows, std::size_t wanted);

  const models::Model& model_;
  kernels::Device& device_;
  models::Scratch scratch_;
  ModelForwarderOptions options_;
  std::size_t vocabulary_ = 0;
  std::vector<std::unique_ptr<kernels::Buffer>> pools_;
  CacheGroups groups_;
  std::vector<kernels::KvPages> caches_;  // one per cache slot of the model
  std::unique_ptr<float[]> logits_;       // host copy, touched as far as a step has rows for it
  std::vector<kernels::BestTwo> best_;    // host copy
  std::vector<float> zeros_;              // [width]
  std::vector<float> hidden_;             // [width], host copy of one row
  std::vector<std::byte> page_;           // one slot's page on its way from page to page
  models::Step step_;                     // what the workers of the current run read
  std::function<void(kernels::Ops&)> run_;
};

}  // namespace cairn::engine

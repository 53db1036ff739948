#include "engine/model_forwarder.h"

#include <fmt/core.h>

#include <functional>
#include <utility>

#include "base/checked.h"

namespace cairn::engine {

ModelForwarder::ModelForwarder(const models::Model& model, kernels::Device& device,
                               models::Scratch scratch, const ModelForwarderOptions& options)
    : model_(model),
      device_(device),
      scratch_(std::move(scratch)),
      options_(options),
      vocabulary_(model.scratch_shape().vocabulary),
      logits_(options.logits_rows_max * vocabulary_),
      run_([this](kernels::Ops& ops) { model_.forward(step_, ops); }) {}

Result<std::unique_ptr<Forwarder>> ModelForwarder::create(const models::Model& model,
                                                          kernels::Device& device,
                                                          const ModelForwarderOptions& options) {
  const models::StepLimits limits{.rows_max = options.rows_max,
                                  .logits_rows_max = options.logits_rows_max};
  CAIRN_ASSIGN(models::Scratch scratch,
               models::Scratch::create(device, model.scratch_shape(), limits));
  std::unique_ptr<ModelForwarder> forwarder(
      new ModelForwarder(model, device, std::move(scratch), options));
  CAIRN_TRY(forwarder->allocate_pools());
  return std::unique_ptr<Forwarder>(std::move(forwarder));
}

Status ModelForwarder::allocate_pools() {
  for (const models::CacheSpec& spec : model_.caches()) {
    const std::size_t page_bytes = device_.page_bytes(spec.layout);
    const auto bytes = checked_mul(options_.pages, page_bytes);
    if (!bytes) {
      return too_large(fmt::format("the cache: {} pages of {} bytes", options_.pages, page_bytes));
    }
    CAIRN_ASSIGN(std::unique_ptr<kernels::Buffer> pool, device_.allocate(*bytes));
    caches_.push_back({.layout = spec.layout, .pool = pool->address()});
    pools_.push_back(std::move(pool));
  }
  return {};
}

Matrix ModelForwarder::forward(std::span<const kernels::Row> rows, BlockTables block_tables) {
  for (kernels::KvPages& cache : caches_) cache.block_tables = block_tables;
  step_ = {.rows = rows, .caches = caches_, .scratch = &scratch_};
  device_.run(run_);
  device_.wait();

  const std::size_t wanted = models::logits_rows(rows);
  const std::span<float> logits(logits_.data(), wanted * vocabulary_);
  if (wanted > 0) {
    const Matrix computed = scratch_.logits(wanted);
    device_.download(std::as_writable_bytes(logits),
                     reinterpret_cast<const std::byte*>(computed.data));
  }
  return {.data = logits.data(), .rows = wanted, .cols = vocabulary_, .stride = vocabulary_};
}

}  // namespace cairn::engine

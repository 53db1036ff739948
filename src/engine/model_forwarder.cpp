#include "engine/model_forwarder.h"

#include <fmt/core.h>

#include <algorithm>
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
      groups_(groups_of(model.caches())),
      logits_(std::make_unique_for_overwrite<float[]>(options.logits_rows_max * vocabulary_)),
      zeros_(model.scratch_shape().width),
      hidden_(model.scratch_shape().width),
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
    page_.resize(std::max(page_.size(), page_bytes));
  }
  return {};
}

std::string ModelForwarder::cache_identity() const {
  std::string identity = fmt::format("class {}", static_cast<int>(device_.numerics()));
  for (const kernels::KvPages& cache : caches_) {
    identity += fmt::format(", {}", static_cast<int>(cache.layout.type));
  }
  return identity;
}

std::size_t ModelForwarder::page_bytes(std::size_t group) const {
  std::size_t all = 0;
  visit_slots(group, 0, [&](std::byte*, std::size_t bytes) { all += bytes; });
  return all;
}

template <typename Visit>
void ModelForwarder::visit_slots(std::size_t group, std::uint32_t page, Visit&& visit) const {
  for (std::size_t slot = 0; slot < caches_.size(); ++slot) {
    if (groups_.group_of_slot[slot] != group) continue;
    const std::size_t bytes = device_.page_bytes(caches_[slot].layout);
    visit(caches_[slot].pool + page * bytes, bytes);
  }
}

void ModelForwarder::read_page(std::size_t group, std::uint32_t page, std::span<std::byte> to) {
  visit_slots(group, page, [&](std::byte* from, std::size_t bytes) {
    device_.download(to.first(bytes), from);
    to = to.subspan(bytes);
  });
}

void ModelForwarder::fill_page(std::size_t group, std::uint32_t page,
                               std::span<const std::byte> from) {
  visit_slots(group, page, [&](std::byte* to, std::size_t bytes) {
    device_.upload(to, from.first(bytes));
    from = from.subspan(bytes);
  });
}

void ModelForwarder::copy_page(std::size_t group, std::uint32_t from, std::uint32_t to) {
  for (std::size_t slot = 0; slot < caches_.size(); ++slot) {
    if (groups_.group_of_slot[slot] != group) continue;
    const std::size_t bytes = device_.page_bytes(caches_[slot].layout);
    device_.download(std::span(page_).first(bytes), caches_[slot].pool + from * bytes);
    device_.upload(caches_[slot].pool + to * bytes, std::span(page_).first(bytes));
  }
}

Matrix ModelForwarder::forward(std::span<const kernels::Row> rows, GroupTables block_tables) {
  for (std::size_t slot = 0; slot < caches_.size(); ++slot) {
    caches_[slot].block_tables = block_tables[groups_.group_of_slot[slot]];
  }
  if (models::any_wants_hidden(rows)) clear_normed(rows.size());
  step_ = {.rows = rows, .caches = caches_, .scratch = &scratch_};
  device_.run(run_);
  device_.wait();

  const std::size_t wanted = models::logits_rows(rows);
  if (wanted > 0) download_logits(rows, wanted);
  return {.data = logits_.get(), .rows = wanted, .cols = vocabulary_, .stride = vocabulary_};
}

/// The model adds to it.
void ModelForwarder::clear_normed(std::size_t rows) {
  const Matrix normed = scratch_.normed(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    device_.upload(reinterpret_cast<std::byte*>(normed.row(row).data()),
                   std::as_bytes(std::span(zeros_)));
  }
}

std::span<const float> ModelForwarder::hidden(std::size_t row) {
  const Matrix normed = scratch_.normed(step_.rows.size());
  device_.download(std::as_writable_bytes(std::span(hidden_)),
                   reinterpret_cast<const std::byte*>(normed.row(row).data()));
  return hidden_;
}

/// Copies what the rows want: all of their logits, or the best of them.
void ModelForwarder::download_logits(std::span<const kernels::Row> rows, std::size_t wanted) {
  const Matrix computed = scratch_.logits(wanted);
  best_.resize(wanted);
  bool any_best = false;
  std::size_t w = 0;
  for (const kernels::Row& row : rows) {
    if (!row.wants_logits) continue;
    any_best = any_best || row.wants_best;
    if (!row.wants_best) {
      const std::span<float> to(logits_.get() + w * vocabulary_, vocabulary_);
      device_.download(std::as_writable_bytes(to),
                       reinterpret_cast<const std::byte*>(computed.row(w).data()));
    }
    ++w;
  }
  if (!any_best) return;
  device_.download(std::as_writable_bytes(std::span(best_)),
                   reinterpret_cast<const std::byte*>(scratch_.best(wanted)));
}

}  // namespace cairn::engine

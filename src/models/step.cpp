#include "models/step.h"

#include <algorithm>
#include <array>

namespace cairn::models {
namespace {

std::array<std::size_t, 8> floats_of(const ScratchShape& shape, const StepLimits& limits) {
  return {shape.width * limits.rows_max,
          shape.width * limits.rows_max,
          shape.qkv * limits.rows_max,
          shape.attended * limits.rows_max,
          shape.hidden * limits.rows_max,
          shape.vocabulary * limits.logits_rows_max,
          sizeof(kernels::BestTwo) / sizeof(float) * limits.logits_rows_max,
          shape.width * limits.rows_max};
}

std::size_t cols_max(const ScratchShape& shape) {
  return std::max({shape.width, shape.qkv, shape.attended, shape.hidden});
}

}  // namespace

std::size_t scratch_bytes(const kernels::Device& device, const ScratchShape& shape,
                          const StepLimits& limits) {
  std::size_t floats = 0;
  for (const std::size_t part : floats_of(shape, limits)) floats += part;
  return floats * sizeof(float) - logits_bytes(shape, limits) +
         device.scratch_bytes(limits.rows_max, cols_max(shape));
}

std::size_t logits_bytes(const ScratchShape& shape, const StepLimits& limits) {
  return shape.vocabulary * limits.logits_rows_max * sizeof(float);
}

Result<Scratch> Scratch::create(kernels::Device& device, const ScratchShape& shape,
                                const StepLimits& limits) {
  Scratch scratch;
  scratch.shape_ = shape;
  scratch.limits_ = limits;
  for (const std::size_t floats : floats_of(shape, limits)) {
    CAIRN_ASSIGN(std::unique_ptr<kernels::Buffer> buffer, device.allocate(floats * sizeof(float)));
    scratch.parts_.push_back(std::move(buffer));
  }
  CAIRN_TRY(device.reserve_scratch(limits.rows_max, cols_max(shape)));
  return scratch;
}

Matrix Scratch::view(Part part, std::size_t rows, std::size_t cols) const {
  CAIRN_CHECK(rows * cols * sizeof(float) <= parts_[part]->size());
  return {.data = reinterpret_cast<float*>(parts_[part]->address()),
          .rows = rows,
          .cols = cols,
          .stride = cols};
}

kernels::BestTwo* Scratch::best(std::size_t rows) const {
  CAIRN_CHECK(rows <= limits_.logits_rows_max);
  return reinterpret_cast<kernels::BestTwo*>(parts_[kBest]->address());
}

std::size_t logits_rows(std::span<const kernels::Row> rows) {
  const auto wanted = std::ranges::count_if(rows, &kernels::Row::wants_logits);
  return static_cast<std::size_t>(wanted);
}

bool any_wants_hidden(std::span<const kernels::Row> rows) {
  return std::ranges::any_of(rows, &kernels::Row::wants_hidden);
}

}  // namespace cairn::models

// Chooses how many positions a model gets, before anything is allocated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/status.h"
#include "formats/model_file.h"
#include "kernels/device.h"
#include "models/memory_plan.h"

namespace cairn::runtime {

struct ContextWish {
  std::size_t positions = 0;  // 0: the smaller of the model's length and what memory fits
  std::size_t step_rows = 0;
  std::size_t sequences = 1;  // that run at once
  std::size_t drafts = 0;     // guessed ids of a step
  std::uint64_t available_bytes = 0;
};

struct ContextChoice {
  std::size_t positions = 0;
  std::string reason = {};   // where the number comes from, in words
  std::string warning = {};  // empty: none
  models::MemoryPlan plan = {};
};

/// Errors: kTooLarge with the parts of the plan when it does not fit.
Result<ContextChoice> choose_context(const formats::ModelFile& file, const kernels::Device& device,
                                     const ContextWish& wish);

}  // namespace cairn::runtime

#include "runtime/context_choice.h"

#include <fmt/core.h>

#include <algorithm>

namespace cairn::runtime {
namespace {

Result<models::MemoryPlan> plan(const formats::ModelFile& file, const kernels::Device& device,
                                const ContextWish& wish, std::size_t positions) {
  const std::size_t rows = std::max(std::min(wish.step_rows, positions), wish.sequences);
  const models::StepLimits limits{.rows_max = rows,
                                  .logits_rows_max = wish.sequences + wish.drafts};
  return models::plan_memory(file, device, {.positions = positions, .limits = limits});
}

}  // namespace

Result<ContextChoice> choose_context(const formats::ModelFile& file, const kernels::Device& device,
                                     const ContextWish& wish) {
  ContextChoice choice;
  const std::size_t first = wish.positions > 0 ? wish.positions : wish.step_rows;
  CAIRN_ASSIGN(choice.plan, plan(file, device, wish, first));
  const std::size_t trained = choice.plan.context_length;
  if (wish.positions > 0) {
    choice.positions = wish.positions;
    choice.reason = "as asked for";
    if (wish.positions > trained) {
      choice.warning = fmt::format(
          "a context of {} positions is longer than the {} that the model was trained for",
          wish.positions, trained);
    }
  } else {
    // What is available changes while the model loads, so a share of it is left alone.
    const std::uint64_t spare = wish.available_bytes / 8;
    const std::size_t fit = models::positions_that_fit(choice.plan, wish.available_bytes - spare);
    choice.positions = std::min(trained, fit);
    choice.reason = fit < trained
                        ? fmt::format("what memory fits; the model's length is {}", trained)
                        : "the model's length";
    if (choice.positions == 0) {
      const Status status = check_fits(choice.plan, wish.available_bytes);
      return status.ok()
                 ? too_large(fmt::format("not one page of positions fits beside the weights "
                                         "into {} bytes of available memory",
                                         wish.available_bytes))
                 : status;
    }
    CAIRN_ASSIGN(choice.plan, plan(file, device, wish, choice.positions));
  }
  CAIRN_TRY(check_fits(choice.plan, wish.available_bytes));
  return choice;
}

}  // namespace cairn::runtime

// Measures many answers at once, for `cairn bench throughput`.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "base/status.h"
#include "runtime/runtime.h"

namespace cairn::cli {

/// What is measured.
struct ThroughputLoad {
  std::size_t sequences = 1;  // answers at once
  std::size_t prompt_tokens = 128;
  std::size_t generated_tokens = 128;  // of each answer
};

/// One round.
struct ThroughputSample {
  double total_s = 0;         // from the first request to the last token
  double first_tokens_s = 0;  // of them, until every answer had its first token
  std::size_t prompt_tokens = 0;
  std::size_t generated_tokens = 0;
  std::size_t later_tokens = 0;  // of those, generated after every answer had its first
  runtime::StepTimes steps = {};
  std::string outputs_sha256 = {};  // of all answers' ids, in their order

  double tokens_per_s() const;            // prompts and answers
  double generated_tokens_per_s() const;  // over the whole time
  double decode_tokens_per_s() const;     // of the later tokens over the rest of the time
  double scheduler_share() const;         // of the steps' time, 0 to 1
  double sampling_share() const;
};

/// Runs one round; `seed` makes its prompts. Errors: as Runtime::generate; kCancelled when
/// `cancelled` says so.
Result<ThroughputSample> measure_throughput(runtime::Runtime& model, const ThroughputLoad& load,
                                            std::uint64_t seed,
                                            const std::function<bool()>& cancelled);

/// The middle one of `values`, or the mean of the two in the middle; `values` is not empty.
double median_of(std::vector<double> values);

}  // namespace cairn::cli

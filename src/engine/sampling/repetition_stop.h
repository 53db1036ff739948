// RepetitionStop: notices that an answer's end is one pattern over and over.
// Source: vLLM, sampling parameters, repetition_detection (pattern sizes and count).
#pragma once

#include <cstddef>
#include <vector>

#include "base/token.h"
#include "engine/sampling/params.h"

namespace cairn::engine {

class RepetitionStop {
 public:
  explicit RepetitionStop(const SamplingParams& params);

  /// Takes the next token of the answer. Whether the answer now ends in repetition_count copies in
  /// a row of a pattern of repetition_pattern_min to repetition_pattern_max tokens. Cost: linear in
  /// repetition_pattern_max.
  bool accept(TokenId id);

 private:
  std::size_t shortest_ = 0;
  std::size_t copies_ = 0;
  std::vector<std::size_t> runs_;  // of each size: last tokens that equal the one that far before
  std::vector<TokenId> recent_;    // ring of the last tokens
  std::size_t taken_ = 0;
};

}  // namespace cairn::engine

// Frequencies of the rotary embedding, computed once at load.
#pragma once

#include <span>
#include <vector>

#include "models/decoder_spec.h"

namespace cairn::models {

/// [dims / 2] radians per position: base^(-2i / dims), scaled linearly, by bands or by YaRN, each
/// divided by its factor where `factors` is not empty. Accuracy  computed in f64 and rounded once.
/// Source    Su et al. 2021, arXiv 2104.09864, section 3.4.2; RopeBands, RopeYarn for theirs.
std::vector<float> inverse_frequencies(const RopeSpec& spec, std::span<const float> factors);

}  // namespace cairn::models

// A decoder's forward written apart from cairn's: plain loops in f64 over a tiny model's own
// values and keys, no cache, no blocks, no kernels.
#pragma once

#include <vector>

#include "base/token.h"
#include "tests/models/tiny_model.h"

namespace cairn::tests {

/// Logits [ids, tokens] of the families that tiny_model.h makes.
std::vector<double> naive_logits(const TinyModel& model, const std::vector<TokenId>& ids);

}  // namespace cairn::tests

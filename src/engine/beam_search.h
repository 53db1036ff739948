// Beam search: the likeliest answers as wholes, from many requests of one token each.
#pragma once

#include <cstddef>
#include <vector>

#include "base/status.h"
#include "engine/engine.h"

namespace cairn::engine {

/// Most beams of one search.
inline constexpr std::size_t kBeamsMax = 64;

struct BeamOptions {
  std::size_t width = 4;      // beams that go on, and answers in the end
  double length_penalty = 1;  // an answer's score is its log-probability over length^this
};

struct Beam {
  std::vector<TokenId> ids = {};
  double logprob = 0;  // the sum over its ids
  double score = 0;
  FinishReason reason = FinishReason::kLength;  // kStopId when it ends with a stop id
};

/// The best answers to `request` of at most tokens_max ids, which it needs, best score first; ties
/// go to the one that was found first. In every round each beam's likeliest 2 x width ids are
/// candidates, of which the likeliest `width` go on; those that end with a stop id are answers.
/// Bias, allowed ids and the order of stages work as in other requests; what depends on the answer
/// so far does not, and is refused.
/// Errors: kInvalidArgument naming the parameter; as Engine::submit and Stream::next.
/// Threads: waits, running steps where nobody else does.
/// Source: own; candidates and score as vLLM's beam search has them.
Result<std::vector<Beam>> beam_search(Engine& engine, const Request& request,
                                      const BeamOptions& options);

}  // namespace cairn::engine

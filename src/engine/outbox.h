// Outbox: what a stream sees of its request. Guarded by the engine's mutex.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "base/status.h"
#include "engine/request.h"

namespace cairn::engine {

/// Holds at most the tokens of one answer, so a consumer that never reads costs no more than that.
struct Outbox {
  std::deque<Token> tokens = {};                      // published and not yet read
  std::shared_ptr<const PromptLogprobs> prompt = {};  // once all of it is computed
  std::optional<FinishReason> finish = {};
  Status status = {};  // why, for kError
  RequestFigures figures = {};
  std::vector<float> pooled = {};  // with kPooled
  bool dropped = false;            // its stream wants no more
};

}  // namespace cairn::engine

// SelfCheck: recomputes a share of the answers alone and counts those that come out different.
//
// Purpose     shows on a running server what the tests show before: an answer does not depend on
//             the requests beside it, on cached pages, chunks or guesses.
// Invariants  a check runs in steps of its own, with private pages, from the prompt on; it takes
//             pages only while nobody else needs them and starts again when they are needed.
// Threads     begin() and settle() under the engine's mutex; compute() by the thread that runs
//             steps, between the two.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/forwarder.h"
#include "engine/generation.h"
#include "engine/self_check_figures.h"

namespace cairn::engine {

class SelfCheck {
 public:
  /// Of every answer with this probability, 0 to 1. The others outlive it.
  SelfCheck(double fraction, Forwarder& forwarder, KvCache& cache, const TokenBytes& token_bytes);

  /// Answers that wait to be checked, at most; each keeps its prompt.
  static constexpr std::size_t kWaitingMax = 64;

  /// An answer has ended by itself. Whether it is drawn depends on `number` alone.
  void ended(std::uint64_t number, const Generation& generation, const GenerationLimits& limits);

  /// Takes pages for the next step of a check; false when there is none or pages lack.
  bool begin();
  /// Runs that step.
  void compute();
  /// Notes what it computed, and the outcome where that decided it.
  void settle();
  /// Gives the pages of the check back, which starts again later; false when it has none.
  bool give_way();

  /// Whether an answer waits to be checked.
  bool waiting() const { return !waiting_.empty(); }
  SelfCheckFigures figures() const;

 private:
  struct Waiting {
    std::uint64_t number = 0;
    Request request = {};
    GenerationLimits limits = {};
    std::vector<TokenId> ids = {};  // prompt and answer
    std::vector<float> logprobs = {};
    std::shared_ptr<const PromptLogprobs> prompt = {};
    std::optional<FinishReason> reason = {};
  };
  std::string difference() const;
  std::string prompt_difference() const;

  double fraction_ = 0;
  Forwarder& forwarder_;
  KvCache& cache_;
  const TokenBytes& token_bytes_;
  std::deque<Waiting> waiting_;  // the first is the one that is computed
  std::unique_ptr<Generation> generation_;
  std::size_t rows_ = 0;  // of the step that begin() took pages for
  std::vector<kernels::Row> step_;
  SelfCheckFigures figures_;
};

}  // namespace cairn::engine

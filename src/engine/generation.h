// Generation: everything the engine keeps of one running request.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "engine/cache/sequence_pages.h"
#include "engine/request.h"
#include "engine/sampling/sampler.h"
#include "engine/stop_matcher.h"

namespace cairn::engine {

/// What bounds a generation besides its request.
struct GenerationLimits {
  std::size_t vocabulary = 0;
  std::size_t context = 0;
};

class Generation {
 public:
  /// `request` was checked. Begins with the pages of its prompt that `cache` has.
  Generation(Request request, KvCache& cache, const GenerationLimits& limits,
             const TokenBytes& token_bytes);

  /// Ids that the next step has to compute: the rest of the prompt, or the newest id.
  std::span<const TokenId> pending() const;
  SequencePages& pages() { return pages_; }
  const Request& request() const { return request_; }
  RequestFigures& figures() { return figures_; }
  const RequestFigures& figures() const { return figures_; }

  /// Chooses the next id from `logits` [vocabulary], which are overwritten, and holds it until no
  /// stop string can begin in it. Errors: as Sampler::choose.
  Status sample(std::span<float> logits);

  /// Whether take() has a token that may be published.
  bool ready() const;
  /// The oldest token held. Only when ready().
  Token take();

  /// Whether the request's owner wants no more of it.
  bool stop_asked() const { return request_.stop_asked && request_.stop_asked(); }

  std::optional<FinishReason> finish_reason() const { return finish_; }
  /// Ends the generation. Tokens held are dropped when it was cancelled or failed.
  void finish(FinishReason reason);

 private:
  struct Held {
    Token token;
    std::size_t begin = 0;  // where its bytes lie in all bytes of the answer
  };

  void hold(Token token);
  void cut(std::size_t offset);
  bool stops_at(TokenId id) const;

  Request request_;
  GenerationLimits limits_;
  const TokenBytes& token_bytes_;
  std::size_t generated_max_ = 0;
  SequencePages pages_;
  std::vector<TokenId> ids_;  // prompt and answer
  Sampler sampler_;
  Distribution distribution_;
  StopMatcher stops_;
  std::size_t bytes_ = 0;      // of the answer so far
  std::vector<Held> waiting_;  // from first_ on
  std::size_t first_ = 0;
  RequestFigures figures_;
  std::optional<FinishReason> finish_;
};

}  // namespace cairn::engine

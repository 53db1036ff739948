// Generation: everything the engine keeps of one request.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/cache/sequence_pages.h"
#include "engine/outbox.h"
#include "engine/pooler.h"
#include "engine/prompt_score.h"
#include "engine/request.h"
#include "engine/sampling/sampler.h"
#include "engine/speculation/lookup.h"
#include "engine/stop_matcher.h"

namespace cairn::engine {

/// What bounds a generation besides its request.
struct GenerationLimits {
  std::size_t vocabulary = 0;
  std::size_t context = 0;
  ContextFull on_full = ContextFull::kStop;
  std::size_t tokens_kept = 0;  // of the beginning, when a full context shifts
  LookupOptions lookup = {};
};

class Generation {
 public:
  /// `request` was checked. It has no pages yet.
  Generation(Request request, KvCache& cache, const GenerationLimits& limits,
             const TokenBytes& token_bytes);

  /// Prompt and answer so far, but for what a full context gave up.
  std::span<const TokenId> ids() const { return ids_; }
  /// Ids that are not computed: the rest of the prompt, or the newest id.
  std::span<const TokenId> pending() const { return ids().subspan(pages_.ids().size()); }
  SequencePages& pages() { return pages_; }
  const Request& request() const { return request_; }
  /// Of the answer's ids; empty where the request asks for none.
  std::span<const float> logprobs() const { return logprobs_; }
  /// Which logits of the prompt are still to be read.
  const PromptScore& prompt_score() const { return score_; }
  /// Ids of which the cache may be asked: behind those stand positions whose logits are wanted.
  std::span<const TokenId> reusable_ids() const;
  RequestFigures& figures() { return figures_; }
  const RequestFigures& figures() const { return figures_; }

  /// Guesses what follows the newest id of the answer, at most as much as may still be generated:
  /// how many ids.
  std::size_t draft(const DraftRoom& room, const RowCosts& costs);
  /// The guesses; valid until the next draft().
  std::span<const TokenId> drafted() const { return draft_; }
  /// Chooses the next ids from `logits` [1 + drafts, vocabulary], one row after the other as long
  /// as what is chosen is the guess whose row is next. Returns how many guesses were right.
  std::size_t verify(const Matrix& logits);

  /// Reads `logits` [positions, vocabulary] of the next positions of the prompt whose logits are
  /// wanted. An error, as of PromptScore::read, ends the generation with it.
  void read_prompt(const Matrix& logits);
  /// Has what `other`, an answer to the same prompt, read of it.
  void share_prompt_score(const Generation& other) { score_ = other.score_; }

  /// Whether its prompt becomes a vector instead of an answer.
  bool pools() const { return pooler_.has_value(); }
  /// Whether the hidden state at `position` of the prompt counts.
  bool wants_hidden(std::size_t position) const;
  /// Whether pages of earlier requests may be used: never where their hidden states count.
  bool may_reuse() const;
  /// Adds the hidden state at a position that counts. An error, for a state that is not finite,
  /// ends the generation with it.
  void pool(std::size_t position, std::span<const float> state);

  /// Chooses the next id from `logits` [vocabulary], which are overwritten; where none was asked
  /// for it ends the generation, and an error, as of Sampler::choose, ends it likewise.
  void sample(std::span<float> logits);

  /// Whether the two best logits are all that sample() needs, and the same from them.
  bool needs_best_only() const { return !request_.logprobs && sampler_.needs_best_only(); }
  void sample(const kernels::BestTwo& best);
  /// Whether the newest id has no place in the context and older ones are to make room for it.
  bool wants_room() const;
  /// Takes ids out behind the kept ones: half of the whole pages between them and the newest id, at
  /// least one. Every page is given back, as the rest is computed again at its new positions.
  void make_room();

  /// Moves what may be published, a token as soon as no stop string can begin in it, to the outbox.
  void publish();

  /// Whether the request's owner wants no more of it.
  bool stop_asked() const;

  std::optional<FinishReason> finish_reason() const { return finish_; }
  /// Ends the generation. Tokens held are dropped when it was cancelled; when it failed, those in
  /// which a stop string could still begin.
  void finish(FinishReason reason, Status status = {});

  /// Shared with the stream; all but the pointer is guarded by the engine's mutex.
  const std::shared_ptr<Outbox>& outbox() const { return outbox_; }

 private:
  struct Held {
    Token token;
    std::size_t begin = 0;  // where its bytes lie in all bytes of the answer
  };

  Status choose(std::span<float> logits);
  Status choose(const kernels::BestTwo& best);
  void take(Token token);
  void hold(Token token);
  bool settled(const Held& held) const;
  void cut(std::size_t offset);
  bool stops_at(TokenId id) const;

  Request request_;
  const TokenBytes& token_bytes_;
  GenerationLimits limits_;
  std::size_t generated_max_ = 0;
  SequencePages pages_;
  std::vector<TokenId> ids_;  // prompt and answer
  Sampler sampler_;
  Lookup lookup_;
  std::span<const TokenId> draft_;  // of lookup_
  Distribution distribution_;
  PromptScore score_;
  std::vector<float> logprobs_;
  std::optional<Pooler> pooler_;
  StopMatcher stops_;
  std::size_t bytes_ = 0;   // of the answer so far
  std::vector<Held> held_;  // not yet published
  RequestFigures figures_;
  std::optional<FinishReason> finish_;
  Status status_;
  std::shared_ptr<Outbox> outbox_ = std::make_shared<Outbox>();
};

}  // namespace cairn::engine

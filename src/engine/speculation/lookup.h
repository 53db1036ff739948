// Lookup: guesses how an answer goes on from where its last ids stood before.
//
// Purpose     drafts for speculation without a second model: whoever edits, quotes or sums up
//             repeats the prompt. Every guess is verified by the model, so it can only cost time.
// Invariants  guesses depend on costs and luck, the answer does not: the engine samples each
//             position from its own row and keeps guesses only as far as they are what it sampled.
// Threads     one at a time; each answer has its own.
// Source      Saxena 2023, prompt lookup decoding; choosing the length by what it brings: own.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/status.h"
#include "base/token.h"
#include "engine/speculation/row_costs.h"

namespace cairn::engine {

/// Most guessed ids of one answer in a step, and the longest run of ids that is looked up.
inline constexpr std::size_t kDraftTokensMax = 16;
inline constexpr std::size_t kLookupRunMax = 8;

struct LookupOptions {
  std::size_t tokens_max = 0;  // guessed in one step, of all answers together; 0: off
  std::size_t run_min = 2;     // last ids that must have stood before
  std::size_t run_max = 5;     // longer runs are not told apart
};

/// Errors: kInvalidArgument naming the option, its value and what is accepted.
Status check(const LookupOptions& options);

/// Counts of what was guessed.
struct DraftFigures {
  std::uint64_t drafts = 0;                                     // steps with guesses
  std::uint64_t drafted = 0;                                    // ids guessed
  std::uint64_t accepted = 0;                                   // of them, what the model said too
  std::array<std::uint64_t, kDraftTokensMax> accepted_at = {};  // by place in the draft

  /// One draft of `tokens` ids, of which the first `right` were accepted.
  void count(std::size_t tokens, std::size_t right);
  /// Those of another answer too.
  void add(const DraftFigures& other);
};

/// What a step has room for.
struct DraftRoom {
  std::size_t tokens = 0;     // guesses of this answer
  std::size_t rows = 1;       // of the step without them
  std::size_t sequences = 1;  // answers in the step
};

class Lookup {
 public:
  /// `options` passed check().
  explicit Lookup(const LookupOptions& options);

  /// Guesses for what follows `ids`: from behind the longest run of last ids that stood before,
  /// the newest of equally long ones, going round where it overlaps the end; as many as are worth
  /// their rows by `costs`. Valid until the next call. Cost: linear in `ids`.
  std::span<const TokenId> propose(std::span<const TokenId> ids, const DraftRoom& room,
                                   const RowCosts& costs);

  /// Of the newest guesses `tokens` were computed and the first `right` accepted.
  void verified(std::size_t tokens, std::size_t right);

 private:
  struct Match {
    std::size_t run = 0;  // ids; 0: none
    std::size_t at = 0;   // what followed begins here
  };
  Match find(std::span<const TokenId> ids) const;
  std::size_t worth(const DraftRoom& room, const RowCosts& costs);

  LookupOptions options_;
  std::array<double, kLookupRunMax + 1> rates_ = {};  // by run: how likely the next guess is right
  std::size_t run_ = 0;                               // of the newest guesses
  std::size_t skipped_ = 0;  // matches not worth a guess since the last one
  std::size_t pause_ = 0;    // so many are skipped before one is tried all the same
  bool trial_ = false;       // whether the newest guess is such a one
  std::vector<TokenId> draft_;
};

}  // namespace cairn::engine

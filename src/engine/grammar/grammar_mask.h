// GrammarMask: keeps an answer to a grammar.
//
// Purpose     the ids after which the answer can still become what the grammar allows.
// Invariants  the ids of a state are the union of those of its places, and those of a place are
//             remembered: inside a string, or a text up to a marker, they come from masks that the
//             whole process shares, and elsewhere few first bytes are allowed, so that only tokens
//             which begin with these are looked at.
// Threads     one; the masks it shares lock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "engine/grammar/state.h"
#include "engine/grammar/text_masks.h"
#include "engine/sampling/mask_source.h"
#include "engine/sampling/token_index.h"

namespace cairn::engine {

class GrammarMask final : public MaskSource {
 public:
  /// `index` outlives this.
  GrammarMask(const TokenIndex& index, std::shared_ptr<const Grammar> grammar);

  void allow(std::span<std::uint64_t> words) override;
  bool advance(TokenId id) override;
  void rollback(std::size_t count) override;
  bool may_end() const override { return grammar_may_end(*grammar_, now_); }
  bool must_end() const override;

 private:
  using Words = std::vector<std::uint64_t>;

  GrammarPlaces after(const GrammarPlaces& from, TokenId id);
  const Words& words_of(const GrammarPlace& place);
  Words find_words(const GrammarPlace& place);
  void add_string(const GrammarPlace& place, const StringMask& mask, Words& words);
  void add_by_first_byte(const GrammarPlace& place, Words& words);
  void add_all_but(const GrammarPlace& place, Words& words);
  void add_walked(const GrammarPlace& place, std::span<const TokenId> ids, Words& words);

  const TokenIndex& index_;
  std::shared_ptr<const Grammar> grammar_;
  GrammarStack stack_;
  GrammarPlaces now_;
  std::vector<GrammarPlaces> before_;  // each id that was taken
  std::map<GrammarPlace, Words> known_;
};

}  // namespace cairn::engine

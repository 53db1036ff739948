// TokenIndex: the vocabulary sorted by bytes, which is a trie laid out flat.
//
// Purpose     finds the ids that begin with given bytes, and lets an automaton walk all ids while
// it
//             reads each common beginning once.
// Invariants  ids without bytes (control tokens) are not in it.
// Threads     read-only but for its masks, which lock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/token.h"

namespace cairn::engine {

class JsonMasks;
class TextMasks;
class TokenBytes;

class TokenIndex {
 public:
  /// `bytes` outlives this.
  explicit TokenIndex(const TokenBytes& bytes);
  ~TokenIndex();
  TokenIndex(const TokenIndex&) = delete;
  TokenIndex& operator=(const TokenIndex&) = delete;

  /// Number of ids that `bytes` has, those without bytes counted.
  std::size_t vocabulary() const;
  std::string_view bytes(TokenId id) const;

  /// Ids in the order of their bytes, ties by id.
  std::span<const TokenId> sorted() const { return sorted_; }
  /// How many bytes at its beginning sorted()[i] has in common with sorted()[i - 1]; 0 for the
  /// first.
  std::span<const std::uint32_t> shared() const { return shared_; }

  /// The ids whose bytes begin with `prefix`.
  std::span<const TokenId> beginning_with(std::string_view prefix) const;

  /// Which ids may come next in a JSON text, remembered per state.
  JsonMasks& json_masks() const { return *json_masks_; }
  /// Which ids stay inside a text, remembered likewise.
  TextMasks& text_masks() const { return *text_masks_; }

 private:
  const TokenBytes& bytes_;
  std::vector<TokenId> sorted_;
  std::vector<std::uint32_t> shared_;
  std::unique_ptr<JsonMasks> json_masks_;
  std::unique_ptr<TextMasks> text_masks_;
};

}  // namespace cairn::engine

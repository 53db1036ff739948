// GrammarState: where in a grammar an answer can be, after some bytes.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/token.h"
#include "engine/grammar/grammar.h"
#include "engine/grammar/stack.h"
#include "engine/sampling/json_state.h"

namespace cairn::engine {

/// White space outside of strings, and digits of a number, of which no more may come: models would
/// go on for ever.
inline constexpr std::uint32_t kBlanksMax = 64;
inline constexpr std::uint32_t kDigitsMax = 20;

/// One way to read the bytes so far.
struct GrammarPlace {
  GrammarCell at = {};
  std::uint32_t run = 0;  // of white space or digits, up to here

  auto operator<=>(const GrammarPlace&) const = default;
};

/// The rule of a place behind the whole answer.
inline constexpr std::uint32_t kGrammarEnd = 0xFFFFFFFF;

/// All ways; empty: the bytes do not fit. Sorted, and none twice.
using GrammarPlaces = std::vector<GrammarPlace>;

/// Where an object's reader is. A place holds it with the number of a member: the first that may
/// still come, or the one whose name was read.
enum class ObjectPart : std::uint8_t {
  kOpen,   // the brace comes
  kFirst,  // after it
  kName,   // in the name of a listed member; detail: the place in the trie
  kOther,  // in the name of another member; detail: see other_detail
  kColon,
  kValue,
  kAfter,  // after a value
  kNext,   // after a comma
};

/// Where an array's reader is; detail: items so far, which stay at the least or most number.
enum class ArrayPart : std::uint8_t { kOpen, kFirst, kAfter, kNext };

/// The part of an object's place, and the member.
inline ObjectPart object_part(std::uint32_t place) { return static_cast<ObjectPart>(place & 7); }
inline std::uint32_t object_member(std::uint32_t place) { return place >> 3; }
inline std::uint32_t object_place(ObjectPart part, std::uint32_t member) {
  return static_cast<std::uint32_t>(part) | member << 3;
}

/// Of a name that is not listed: the place in the trie of those that are, or kApart, and the mode
/// of the string.
inline constexpr std::uint32_t kApart = 0xFFFFFF;
inline JsonMode other_mode(std::uint32_t detail) { return static_cast<JsonMode>(detail >> 24); }
inline std::uint32_t other_detail(std::uint32_t trie_place, JsonMode mode) {
  return trie_place | static_cast<std::uint32_t>(mode) << 24;
}

/// The places before the first byte.
GrammarPlaces grammar_start(const Grammar& grammar, GrammarStack& stack);

/// The places after one more byte from any of `from`.
GrammarPlaces grammar_step(const Grammar& grammar, GrammarStack& stack, const GrammarPlaces& from,
                           std::uint8_t byte);

/// The same for a token without bytes: it may stand for a literal, and in any text.
GrammarPlaces grammar_step_token(const Grammar& grammar, GrammarStack& stack,
                                 const GrammarPlaces& from, TokenId id);

/// Whether an answer may end here.
bool grammar_may_end(const Grammar& grammar, const GrammarPlaces& places);

}  // namespace cairn::engine

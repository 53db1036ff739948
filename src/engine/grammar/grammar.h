// Grammar: the form that an answer is kept to, as a table of rules.
//
// Purpose     what a JSON Schema or a syntax of calls allows, in terms of bytes.
// Invariants  rules name each other by index, so that recursion needs no expansion; once sealed it
//             does not change, every rule that can be entered can also be left, and an object's
//             members come in the order in which they were added.
// Threads     built by one thread; sealed, it is read by any.
// Adding      a kind of rule: its enumerator, its maker, its line in seal(), its step in state.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "base/token.h"
#include "engine/grammar/word_trie.h"

namespace cairn::engine {

/// The index of a rule.
using GrammarNode = std::uint32_t;

/// Most rules of one grammar: a state and its masks cost by their number.
inline constexpr std::size_t kGrammarRulesMax = 16384;

enum class GrammarKind : std::uint8_t {
  kLiteral,   // a text
  kWords,     // one of some texts
  kString,    // a JSON string
  kNumber,    // a JSON number
  kInteger,   // one without fraction and exponent
  kObject,    // a JSON object with listed members, and others
  kArray,     // a JSON array
  kChoice,    // one of some rules
  kSequence,  // rules one after the other
  kPadded,    // white space, then a rule
  kUntil,     // any text up to a marker, which belongs to it
};

/// One listed member of an object.
struct GrammarMember {
  std::string name = {};
  GrammarNode value = 0;
  bool required = false;
};

/// Whether an answer may end inside a text that goes up to a marker.
enum class MayEnd : std::uint8_t { kNo, kYes };

/// No limit to an array's items.
inline constexpr std::uint32_t kItemsAny = std::numeric_limits<std::uint32_t>::max();

/// One rule; which members count follows from its kind.
struct GrammarRule {
  GrammarKind kind = GrammarKind::kLiteral;
  std::string text = {};  // kLiteral, kUntil: the marker
  TokenId id = -1;        // of these: a token without bytes that stands for the text
  std::vector<std::size_t> shorter = {};  // kUntil: see ByteAutomaton
  MayEnd may_end = MayEnd::kNo;
  std::vector<std::string> words = {};
  std::vector<GrammarNode> parts = {};      // kChoice, kSequence, kPadded
  std::vector<GrammarMember> members = {};  // kObject
  std::optional<GrammarNode> others = {};   // values of members that are not listed; items
  std::uint32_t items_min = 0;              // kArray
  std::uint32_t items_max = kItemsAny;
  WordTrie trie = {};  // words; names as they are spelled, up to the quote
  std::vector<std::uint32_t> next_required =
      {};  // kObject: from each member on, the first required
};

class Grammar {
 public:
  /// Each adds a rule. An empty literal is nothing at all.
  GrammarNode literal(std::string text, TokenId id = -1);
  GrammarNode words(std::vector<std::string> words);
  GrammarNode string() { return add({.kind = GrammarKind::kString}); }
  GrammarNode number() { return add({.kind = GrammarKind::kNumber}); }
  GrammarNode integer() { return add({.kind = GrammarKind::kInteger}); }
  GrammarNode object(std::vector<GrammarMember> members, std::optional<GrammarNode> others);
  GrammarNode array(GrammarNode items, std::uint32_t items_min, std::uint32_t items_max);
  GrammarNode choice(std::vector<GrammarNode> parts);
  GrammarNode sequence(std::vector<GrammarNode> parts);
  GrammarNode padded(GrammarNode part);
  GrammarNode until(std::string marker, TokenId id, MayEnd may_end);
  /// Any JSON value.
  GrammarNode any();
  /// Any JSON object.
  GrammarNode any_object();

  /// A choice whose parts come later, so that a rule can hold itself.
  GrammarNode reserve() { return choice({}); }
  void set_parts(GrammarNode choice, std::vector<GrammarNode> parts);

  /// Takes out what can never be finished and makes the rest ready. Errors: kInvalidArgument when
  /// that is all of it, kTooLarge with more than kGrammarRulesMax rules.
  Status seal(GrammarNode start);

  const GrammarRule& rule(GrammarNode node) const { return rules_[node]; }
  GrammarNode start() const { return start_; }
  std::size_t size() const { return rules_.size(); }

 private:
  GrammarNode add(GrammarRule rule);
  bool can_finish(const GrammarRule& rule, const std::vector<bool>& finishes) const;
  std::vector<bool> find_finishing() const;

  std::vector<GrammarRule> rules_;
  std::optional<GrammarNode> any_;
  GrammarNode start_ = 0;
};

}  // namespace cairn::engine

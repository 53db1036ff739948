#include "engine/grammar/grammar.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/json.h"
#include "engine/byte_automaton.h"

namespace cairn::engine {
namespace {

/// A name as it stands in a JSON text behind its first quote.
std::string spelled(const std::string& name) { return line_of(Json(name)).substr(1); }

void seal_object(GrammarRule& rule, const std::vector<bool>& finishes) {
  std::erase_if(rule.members, [&](const GrammarMember& each) { return !finishes[each.value]; });
  if (rule.others && !finishes[*rule.others]) rule.others.reset();
  std::vector<std::string> names;
  for (const GrammarMember& each : rule.members) names.push_back(spelled(each.name));
  rule.trie = WordTrie(names);
  auto next = static_cast<std::uint32_t>(rule.members.size());
  rule.next_required.assign(rule.members.size() + 1, next);
  for (std::size_t i = rule.members.size(); i > 0; --i) {
    if (rule.members[i - 1].required) next = static_cast<std::uint32_t>(i - 1);
    rule.next_required[i - 1] = next;
  }
}

void seal_until(GrammarRule& rule) {
  const ByteAutomaton automaton(rule.text);
  for (std::size_t i = 0; i <= rule.text.size(); ++i) rule.shorter.push_back(automaton.shorter(i));
}

void seal_rule(GrammarRule& rule, const std::vector<bool>& finishes) {
  if (rule.kind == GrammarKind::kObject) seal_object(rule, finishes);
  if (rule.kind == GrammarKind::kUntil) seal_until(rule);
  if (rule.kind == GrammarKind::kWords) rule.trie = WordTrie(rule.words);
  if (rule.kind == GrammarKind::kArray && !finishes[*rule.others]) rule.items_max = 0;
  if (rule.kind == GrammarKind::kChoice) {
    std::erase_if(rule.parts, [&](GrammarNode part) { return !finishes[part]; });
  }
}

}  // namespace

GrammarNode Grammar::add(GrammarRule rule) {
  rules_.push_back(std::move(rule));
  return static_cast<GrammarNode>(rules_.size() - 1);
}

GrammarNode Grammar::literal(std::string text, TokenId id) {
  return add({.kind = GrammarKind::kLiteral, .text = std::move(text), .id = id});
}

GrammarNode Grammar::words(std::vector<std::string> words) {
  return add({.kind = GrammarKind::kWords, .words = std::move(words)});
}

GrammarNode Grammar::object(std::vector<GrammarMember> members, std::optional<GrammarNode> others) {
  return add(
      {.kind = GrammarKind::kObject, .members = std::move(members), .others = std::move(others)});
}

GrammarNode Grammar::array(GrammarNode items, std::uint32_t items_min, std::uint32_t items_max) {
  return add({.kind = GrammarKind::kArray,
              .others = items,
              .items_min = items_min,
              .items_max = items_max});
}

GrammarNode Grammar::choice(std::vector<GrammarNode> parts) {
  return add({.kind = GrammarKind::kChoice, .parts = std::move(parts)});
}

GrammarNode Grammar::sequence(std::vector<GrammarNode> parts) {
  return add({.kind = GrammarKind::kSequence, .parts = std::move(parts)});
}

GrammarNode Grammar::padded(GrammarNode part) {
  return add({.kind = GrammarKind::kPadded, .parts = {part}});
}

GrammarNode Grammar::until(std::string marker, TokenId id, MayEnd may_end) {
  return add(
      {.kind = GrammarKind::kUntil, .text = std::move(marker), .id = id, .may_end = may_end});
}

GrammarNode Grammar::any() {
  if (any_) return *any_;
  any_ = reserve();
  const GrammarNode value = *any_;
  set_parts(value, {string(), number(), words({"true", "false", "null"}), any_object(),
                    array(value, 0, kItemsAny)});
  return value;
}

GrammarNode Grammar::any_object() { return object({}, any()); }

void Grammar::set_parts(GrammarNode choice, std::vector<GrammarNode> parts) {
  rules_[choice].parts = std::move(parts);
}

bool Grammar::can_finish(const GrammarRule& rule, const std::vector<bool>& finishes) const {
  const auto finishing = [&](GrammarNode part) { return finishes[part]; };
  switch (rule.kind) {
    case GrammarKind::kWords:
      return !rule.words.empty();
    case GrammarKind::kObject:
      return std::ranges::all_of(rule.members, [&](const GrammarMember& each) {
        return !each.required || finishing(each.value);
      });
    case GrammarKind::kArray:
      return rule.items_min <= rule.items_max && (rule.items_min == 0 || finishing(*rule.others));
    case GrammarKind::kChoice:
      return std::ranges::any_of(rule.parts, finishing);
    case GrammarKind::kSequence:
    case GrammarKind::kPadded:
      return std::ranges::all_of(rule.parts, finishing);
    default:
      return true;
  }
}

/// Which rules have an end: at first none is known to, and each round finds those whose parts have.
std::vector<bool> Grammar::find_finishing() const {
  std::vector<bool> finishes(rules_.size(), false);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < rules_.size(); ++i) {
      if (finishes[i] || !can_finish(rules_[i], finishes)) continue;
      finishes[i] = true;
      changed = true;
    }
  }
  return finishes;
}

Status Grammar::seal(GrammarNode start) {
  if (rules_.size() > kGrammarRulesMax) {
    return too_large(fmt::format("the form has {} rules; at most {} are accepted", rules_.size(),
                                 kGrammarRulesMax));
  }
  start_ = start;
  const std::vector<bool> finishes = find_finishing();
  if (!finishes[start]) {
    return invalid_argument(
        "nothing satisfies it: it refers to itself without an end, or asks for what it forbids");
  }
  for (GrammarRule& rule : rules_) seal_rule(rule, finishes);
  return {};
}

}  // namespace cairn::engine

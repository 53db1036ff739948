// Objects: listed members in their order, those that need not be there left out or not, and others
// behind them.
#include "engine/grammar/reader.h"

namespace cairn::engine {
namespace {

/// How many members are listed.
std::uint32_t listed(const GrammarRule& rule) {
  return static_cast<std::uint32_t>(rule.members.size());
}

/// Whether nothing that is still to come must come.
bool may_close(const GrammarRule& rule, std::uint32_t next) {
  return rule.next_required[next] == listed(rule);
}

}  // namespace

void GrammarReader::read_object(const GrammarPlace& from, std::uint8_t byte) {
  const GrammarRule& rule = grammar_.rule(from.at.rule);
  const ObjectPart part = object_part(from.at.place);
  const std::uint32_t member = object_member(from.at.place);
  if (part == ObjectPart::kName) return read_name(from, byte);
  if (part == ObjectPart::kOther) return read_other_name(from, byte);
  GrammarCell at = from.at;
  const auto go = [&](ObjectPart next) {
    at.place = object_place(next, member);
    add(at);
  };
  if (part == ObjectPart::kOpen) {
    if (byte == '{') go(ObjectPart::kFirst);
    return;
  }
  if (stays_blank(from, byte)) return;
  if (part == ObjectPart::kColon) {
    if (byte == ':') go(ObjectPart::kValue);
    return;
  }
  if (part == ObjectPart::kValue) {
    const bool other = member == listed(rule);
    at.place = object_place(ObjectPart::kAfter, other ? member : member + 1);
    return begin_inside(other ? *rule.others : rule.members[member].value, at, byte);
  }
  if (byte == '}' && part != ObjectPart::kNext && may_close(rule, member)) {
    return finish(at.around);
  }
  if (part != ObjectPart::kAfter) {
    if (byte == '"') open_name(from);
    return;
  }
  const bool more = member < listed(rule) || rule.others.has_value();
  if (byte == ',' && more) go(ObjectPart::kNext);
}

/// After the quote of a name.
void GrammarReader::open_name(const GrammarPlace& from) {
  const GrammarRule& rule = grammar_.rule(from.at.rule);
  const std::uint32_t member = object_member(from.at.place);
  GrammarCell at = from.at;
  if (member < listed(rule)) {
    at.place = object_place(ObjectPart::kName, member);
    at.detail = WordTrie::kRoot;
    add(at);
  }
  if (!rule.others || !may_close(rule, member)) return;
  at.place = object_place(ObjectPart::kOther, listed(rule));
  at.detail = other_detail(rule.members.empty() ? kApart : WordTrie::kRoot, JsonMode::kString);
  add(at);
}

void GrammarReader::read_name(const GrammarPlace& from, std::uint8_t byte) {
  const GrammarRule& rule = grammar_.rule(from.at.rule);
  const std::uint32_t first = object_member(from.at.place);
  const auto next = rule.trie.step(from.at.detail, byte);
  if (!next || !rule.trie.leads_to(*next, first, rule.next_required[first])) return;
  GrammarCell at = from.at;
  at.detail = *next;
  if (const auto word = rule.trie.word(*next)) {
    at.place = object_place(ObjectPart::kColon, *word);
    at.detail = 0;
  }
  add(at);
}

/// No listed name may come once more with another value. Where there are any, the others have no
/// escapes, so that a name has one spelling.
void GrammarReader::read_other_name(const GrammarPlace& from, std::uint8_t byte) {
  const GrammarRule& rule = grammar_.rule(from.at.rule);
  const bool exact = !rule.members.empty();
  if (exact && byte == '\\') return;
  GrammarCell at = from.at;
  JsonState state{.mode = other_mode(at.detail)};
  if (state.step_string(byte) != JsonVerdict::kYes) return;
  std::uint32_t place = at.detail & kApart;
  if (place != kApart) {
    const auto next = rule.trie.step(place, byte);
    if (next && rule.trie.word(*next)) return;
    place = next.value_or(kApart);
  }
  at.detail = other_detail(place, state.mode);
  if (state.mode == JsonMode::kAfter) {
    at.place = object_place(ObjectPart::kColon, listed(rule));
    at.detail = 0;
  }
  add(at);
}

}  // namespace cairn::engine

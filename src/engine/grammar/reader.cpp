#include "engine/grammar/reader.h"

#include <algorithm>

namespace cairn::engine {
namespace {

bool is_blank(std::uint8_t byte) {
  return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t';
}

/// Whether another byte may belong to the number.
bool number_goes_on(JsonMode mode, bool integer, std::uint32_t digits) {
  if (mode == JsonMode::kExponent2) return false;
  if (!integer) return true;
  return mode == JsonMode::kMinus || (mode == JsonMode::kInteger && digits < kDigitsMax);
}

bool is_digit_run(JsonMode mode) {
  return mode == JsonMode::kInteger || mode == JsonMode::kFraction;
}

}  // namespace

void GrammarReader::enter(GrammarNode node, std::uint32_t around) {
  const GrammarRule& rule = grammar_.rule(node);
  if (rule.kind == GrammarKind::kLiteral && rule.text.empty()) {
    finish(around);
  } else if (rule.kind == GrammarKind::kSequence) {
    const std::vector<GrammarNode>& parts = rule.parts;
    enter(parts[0], parts.size() == 1
                        ? around
                        : stack_.list_of({.rule = node, .place = 1, .around = around}));
  } else if (rule.kind == GrammarKind::kChoice) {
    if (std::ranges::find(entered_, std::pair(node, around)) != entered_.end()) return;
    entered_.emplace_back(node, around);
    for (const GrammarNode part : rule.parts) enter(part, around);
  } else if (rule.kind == GrammarKind::kString || rule.kind == GrammarKind::kNumber ||
             rule.kind == GrammarKind::kInteger) {
    add({.rule = node, .place = static_cast<std::uint32_t>(JsonMode::kValue), .around = around});
  } else {
    add({.rule = node, .around = around});
  }
}

/// Whatever waited for the rule goes on.
void GrammarReader::finish(std::uint32_t around) {
  // Lists move while others are made.
  const auto list = stack_.list(around);
  const std::vector<std::uint32_t> cells(list.begin(), list.end());
  for (const std::uint32_t number : cells) {
    if (number == GrammarStack::kEnd) {
      add({.rule = kGrammarEnd});
    } else {
      go_on(stack_.cell(number));
    }
  }
}

void GrammarReader::go_on(const GrammarCell& cell) {
  const GrammarRule& rule = grammar_.rule(cell.rule);
  if (rule.kind != GrammarKind::kSequence) return add(cell);
  const bool last = cell.place + 1 == rule.parts.size();
  GrammarCell next = cell;
  ++next.place;
  enter(rule.parts[cell.place], last ? cell.around : stack_.list_of(next));
}

/// Begins a rule with a byte; what its beginning may be is looked at now and not before, so that a
/// place in front of it is one place.
void GrammarReader::begin(GrammarNode node, std::uint32_t around, std::uint8_t byte) {
  GrammarPlaces first;
  GrammarReader reader(grammar_, stack_, first);
  reader.enter(node, around);
  for (const GrammarPlace& each : first) read(each, byte);
}

void GrammarReader::begin_inside(GrammarNode node, const GrammarCell& then, std::uint8_t byte) {
  begin(node, stack_.list_of(then), byte);
}

bool GrammarReader::stays_blank(const GrammarPlace& from, std::uint8_t byte) {
  if (!is_blank(byte)) return false;
  if (from.run < kBlanksMax) add(from.at, from.run + 1);
  return true;
}

void GrammarReader::read(const GrammarPlace& from, std::uint8_t byte) {
  if (from.at.rule == kGrammarEnd) return;
  const GrammarRule& rule = grammar_.rule(from.at.rule);
  switch (rule.kind) {
    case GrammarKind::kLiteral:
      return read_literal(from, byte);
    case GrammarKind::kWords:
      return read_words(from, byte);
    case GrammarKind::kString:
      return read_string(from, byte);
    case GrammarKind::kNumber:
    case GrammarKind::kInteger:
      return read_number(from, byte);
    case GrammarKind::kObject:
      return read_object(from, byte);
    case GrammarKind::kArray:
      return read_array(from, byte);
    case GrammarKind::kUntil:
      return read_until(from, byte);
    case GrammarKind::kPadded:
      if (!stays_blank(from, byte)) begin(rule.parts[0], from.at.around, byte);
      return;
    case GrammarKind::kChoice:
    case GrammarKind::kSequence:
      return;  // no place is in one: entering goes on to its parts
  }
}

void GrammarReader::read_token(const GrammarPlace& from, TokenId id) {
  if (from.at.rule == kGrammarEnd) return;
  const GrammarRule& rule = grammar_.rule(from.at.rule);
  const bool until = rule.kind == GrammarKind::kUntil;
  if (rule.id == id && id >= 0 && (until || from.at.place == 0)) return finish(from.at.around);
  if (!until) return;
  GrammarCell at = from.at;
  at.place = 0;
  add(at);
}

void GrammarReader::read_literal(const GrammarPlace& from, std::uint8_t byte) {
  const std::string& text = grammar_.rule(from.at.rule).text;
  if (static_cast<std::uint8_t>(text[from.at.place]) != byte) return;
  GrammarCell at = from.at;
  if (++at.place == text.size()) return finish(at.around);
  add(at);
}

void GrammarReader::read_words(const GrammarPlace& from, std::uint8_t byte) {
  const WordTrie& trie = grammar_.rule(from.at.rule).trie;
  const auto next = trie.step(from.at.place, byte);
  if (!next) return;
  GrammarCell at = from.at;
  at.place = *next;
  if (trie.goes_on(*next)) add(at);
  if (trie.word(*next)) finish(at.around);
}

void GrammarReader::read_string(const GrammarPlace& from, std::uint8_t byte) {
  GrammarCell at = from.at;
  const auto mode = static_cast<JsonMode>(at.place);
  JsonState state{.mode = mode};
  if (mode == JsonMode::kValue) {
    if (byte != '"') return;
    state.mode = JsonMode::kString;
  } else if (state.step_string(byte) != JsonVerdict::kYes) {
    return;
  }
  if (state.mode == JsonMode::kAfter) return finish(at.around);
  at.place = static_cast<std::uint32_t>(state.mode);
  add(at);
}

void GrammarReader::read_number(const GrammarPlace& from, std::uint8_t byte) {
  GrammarCell at = from.at;
  const auto mode = static_cast<JsonMode>(at.place);
  const std::optional<JsonMode> next = next_in_number(mode, byte);
  if (!next) return;
  const bool integer = grammar_.rule(at.rule).kind == GrammarKind::kInteger;
  if (integer && (*next == JsonMode::kPoint || *next == JsonMode::kExponent)) return;
  std::uint32_t run = 0;
  if (is_digit_run(*next)) run = *next == mode ? from.run + 1 : 1;
  if (run > kDigitsMax) return;
  at.place = static_cast<std::uint32_t>(*next);
  if (number_goes_on(*next, integer, run)) add(at, run);
  if (ends_number(*next)) finish(at.around);
}

void GrammarReader::read_until(const GrammarPlace& from, std::uint8_t byte) {
  const GrammarRule& rule = grammar_.rule(from.at.rule);
  GrammarCell at = from.at;
  while (at.place > 0 && static_cast<std::uint8_t>(rule.text[at.place]) != byte) {
    at.place = static_cast<std::uint32_t>(rule.shorter[at.place]);
  }
  if (static_cast<std::uint8_t>(rule.text[at.place]) == byte) ++at.place;
  if (at.place == rule.text.size()) return finish(at.around);
  add(at);
}

void GrammarReader::read_array(const GrammarPlace& from, std::uint8_t byte) {
  const GrammarRule& rule = grammar_.rule(from.at.rule);
  const auto part = static_cast<ArrayPart>(from.at.place);
  GrammarCell at = from.at;
  const auto go = [&](ArrayPart next) { at.place = static_cast<std::uint32_t>(next); };
  if (part == ArrayPart::kOpen) {
    go(ArrayPart::kFirst);
    if (byte == '[') add(at);
    return;
  }
  if (stays_blank(from, byte)) return;
  const bool between = part == ArrayPart::kAfter;
  if (byte == ']' && part != ArrayPart::kNext && at.detail >= rule.items_min) {
    return finish(at.around);
  }
  if (at.detail >= rule.items_max) return;
  if (between) {
    go(ArrayPart::kNext);
    if (byte == ',') add(at);
    return;
  }
  // Where there is no limit, more than enough is as many as enough.
  const bool counts = rule.items_max != kItemsAny || at.detail < rule.items_min;
  if (counts) ++at.detail;
  go(ArrayPart::kAfter);
  begin_inside(*rule.others, at, byte);
}

}  // namespace cairn::engine

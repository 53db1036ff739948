#include "engine/grammar/grammar_mask.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace cairn::engine {
namespace {

// 32 KiB each at 262,144 ids. Most answers come back to a few dozens.
constexpr std::size_t kKnownMax = 64;
constexpr int kBytes = 256;

void set(std::vector<std::uint64_t>& words, TokenId id) {
  const auto at = static_cast<std::size_t>(id);
  words[at / 64] |= std::uint64_t{1} << (at % 64);
}

void clear(std::vector<std::uint64_t>& words, TokenId id) {
  const auto at = static_cast<std::size_t>(id);
  words[at / 64] &= ~(std::uint64_t{1} << (at % 64));
}

/// Forgets what was put on a stack meanwhile.
class Trial {
 public:
  explicit Trial(GrammarStack& stack) : stack_(stack), mark_(stack.mark()) {}
  ~Trial() { stack_.release(mark_); }
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

 private:
  GrammarStack& stack_;
  GrammarStack::Mark mark_;
};

}  // namespace

GrammarMask::GrammarMask(const TokenIndex& index, std::shared_ptr<const Grammar> grammar)
    : index_(index), grammar_(std::move(grammar)), now_(grammar_start(*grammar_, stack_)) {}

void GrammarMask::allow(std::span<std::uint64_t> words) {
  for (const GrammarPlace& place : now_) {
    const Words& own = words_of(place);
    for (std::size_t i = 0; i < own.size(); ++i) words[i] |= own[i];
  }
}

const GrammarMask::Words& GrammarMask::words_of(const GrammarPlace& place) {
  const auto found = known_.find(place);
  if (found != known_.end()) return found->second;
  if (known_.size() == kKnownMax) known_.clear();
  return known_.emplace(place, find_words(place)).first->second;
}

GrammarMask::Words GrammarMask::find_words(const GrammarPlace& place) {
  Words words((index_.vocabulary() + 63) / 64);
  if (place.at.rule == kGrammarEnd) return words;
  const GrammarRule& rule = grammar_->rule(place.at.rule);
  const auto mode = static_cast<JsonMode>(place.at.place);
  if (rule.kind == GrammarKind::kString && mode != JsonMode::kValue) {
    add_string(place, *index_.text_masks().string(mode, Escapes::kYes), words);
  } else if (rule.kind == GrammarKind::kObject &&
             object_part(place.at.place) == ObjectPart::kOther) {
    const Escapes escapes = rule.members.empty() ? Escapes::kYes : Escapes::kNo;
    add_string(place, *index_.text_masks().string(other_mode(place.at.detail), escapes), words);
  } else if (rule.kind == GrammarKind::kUntil) {
    add_all_but(place, words);
  } else {
    add_by_first_byte(place, words);
  }
  if (rule.id >= 0 && place.at.place == 0) set(words, rule.id);
  return words;
}

void GrammarMask::add_string(const GrammarPlace& place, const StringMask& mask, Words& words) {
  std::ranges::copy(mask.inside, words.begin());
  add_walked(place, mask.leaving, words);
}

void GrammarMask::add_by_first_byte(const GrammarPlace& place, Words& words) {
  for (int byte = 0; byte < kBytes; ++byte) {
    {
      const Trial trial(stack_);
      const auto first = static_cast<std::uint8_t>(byte);
      if (grammar_step(*grammar_, stack_, {place}, first).empty()) continue;
    }
    const char first = static_cast<char>(byte);
    add_walked(place, index_.beginning_with({&first, 1}), words);
  }
}

/// In front of a marker anything goes, but for tokens in which it ends and goes on as it may not.
void GrammarMask::add_all_but(const GrammarPlace& place, Words& words) {
  const GrammarRule& rule = grammar_->rule(place.at.rule);
  for (std::size_t id = 0; id < index_.vocabulary(); ++id) set(words, static_cast<TokenId>(id));
  const auto holding = index_.text_masks().holding(rule.text);
  std::vector<TokenId> ends(holding->begin(), holding->end());
  for (std::size_t read = place.at.place; read > 0; read = rule.shorter[read]) {
    const auto rest = index_.beginning_with(std::string_view(rule.text).substr(read));
    ends.insert(ends.end(), rest.begin(), rest.end());
  }
  std::ranges::sort(ends, {}, [&](TokenId id) { return std::pair(index_.bytes(id), id); });
  for (const TokenId id : ends) clear(words, id);
  add_walked(place, ends, words);
}

/// `ids` in the order of their bytes: a beginning that they share is read once, and where it has
/// failed, a token that has it is passed over.
void GrammarMask::add_walked(const GrammarPlace& place, std::span<const TokenId> ids,
                             Words& words) {
  const Trial trial(stack_);
  std::vector<GrammarPlaces> steps = {{place}};  // after each byte that was read
  std::string_view before;
  bool failed = false;
  for (const TokenId id : ids) {
    const std::string_view bytes = index_.bytes(id);
    const auto ends = std::ranges::mismatch(before, bytes);
    const auto shared = static_cast<std::size_t>(ends.in2 - bytes.begin());
    before = bytes;
    // The steps end at the byte that failed: a token that has this byte too fails there.
    if (failed && shared >= steps.size()) continue;
    if (steps.size() > shared + 1) steps.resize(shared + 1);
    failed = false;
    for (std::size_t at = steps.size() - 1; at < bytes.size() && !failed; ++at) {
      const auto byte = static_cast<std::uint8_t>(bytes[at]);
      GrammarPlaces next = grammar_step(*grammar_, stack_, steps.back(), byte);
      failed = next.empty();
      if (!failed) steps.push_back(std::move(next));
    }
    if (!failed) set(words, id);
  }
}

GrammarPlaces GrammarMask::after(const GrammarPlaces& from, TokenId id) {
  const std::string_view bytes = index_.bytes(id);
  if (bytes.empty()) return grammar_step_token(*grammar_, stack_, from, id);
  GrammarPlaces places = from;
  for (const char each : bytes) {
    places = grammar_step(*grammar_, stack_, places, static_cast<std::uint8_t>(each));
  }
  return places;
}

bool GrammarMask::advance(TokenId id) {
  const GrammarStack::Mark mark = stack_.mark();
  GrammarPlaces places = after(now_, id);
  if (places.empty()) {
    stack_.release(mark);
    return false;
  }
  before_.push_back(std::exchange(now_, std::move(places)));
  return true;
}

void GrammarMask::rollback(std::size_t count) {
  now_ = std::move(before_[before_.size() - count]);
  before_.resize(before_.size() - count);
}

bool GrammarMask::must_end() const {
  return std::ranges::all_of(now_,
                             [](const GrammarPlace& each) { return each.at.rule == kGrammarEnd; });
}

}  // namespace cairn::engine

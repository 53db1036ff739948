#include "engine/sampling/filter.h"

#include <fmt/core.h>

#include <algorithm>

#include "engine/grammar/grammar_mask.h"
#include "engine/sampling/json_mask.h"
#include "engine/sampling/token_index.h"

namespace cairn::engine {
namespace {

std::size_t words_of(std::size_t vocabulary) { return (vocabulary + 63) / 64; }

std::uint64_t bit_of(TokenId id) {
  return std::uint64_t{1} << (static_cast<std::uint32_t>(id) % 64);
}

std::size_t word_of(TokenId id) { return static_cast<std::size_t>(id) / 64; }

std::unique_ptr<MaskSource> make_mask(const SamplingParams& params, const TokenBytes* bytes) {
  if (params.mask) return params.mask();
  if (params.grammar) return std::make_unique<GrammarMask>(bytes->index(), params.grammar);
  if (params.format == AnswerFormat::kText) return nullptr;
  return std::make_unique<JsonMask>(bytes->index());
}

}  // namespace

Filter::Filter(const SamplingParams& params, std::size_t vocabulary, const TokenBytes* bytes,
               std::span<const TokenId> stop_ids)
    : vocabulary_(vocabulary),
      bytes_(bytes),
      stop_ids_(stop_ids.begin(), stop_ids.end()),
      tokens_min_(static_cast<std::size_t>(params.tokens_min)),
      banned_(params.banned_words),
      bans_words_(!params.banned_words.empty()),
      mask_(make_mask(params, bytes)) {
  if (!params.allowed_ids.empty()) allow_only(params.allowed_ids);
  if (bans_words_) ban_words();
  if (mask_ != nullptr) step_.resize(words_of(vocabulary));
}

void Filter::allow_only(std::span<const TokenId> ids) {
  always_.assign(words_of(vocabulary_), 0);
  for (const TokenId id : ids) always_[word_of(id)] |= bit_of(id);
}

void Filter::take_out(TokenId id) { always_[word_of(id)] &= ~bit_of(id); }

/// Whatever stands before them, tokens that contain a word are out.
void Filter::ban_words() {
  if (always_.empty()) always_.assign(words_of(vocabulary_), ~std::uint64_t{0});
  const auto count = static_cast<TokenId>(std::min(vocabulary_, bytes_->size()));
  for (TokenId id = 0; id < count; ++id) {
    if (banned_.stands_in(bytes_->bytes(id))) take_out(id);
  }
}

bool Filter::is_stop(TokenId id) const {
  return std::ranges::find(stop_ids_, id) != stop_ids_.end();
}

/// What the mask source allows, stop ids where the answer may end, less what is always out.
std::span<const std::uint64_t> Filter::step_words() {
  std::ranges::fill(step_, 0);
  mask_->allow(step_);
  for (const TokenId id : stop_ids_) {
    if (mask_->may_end()) {
      step_[word_of(id)] |= bit_of(id);
    } else {
      step_[word_of(id)] &= ~bit_of(id);
    }
  }
  for (std::size_t i = 0; i < always_.size(); ++i) step_[i] &= always_[i];
  return step_;
}

void Filter::apply(Draft& draft) {
  if (mask_ != nullptr) {
    draft.mask(step_words());
  } else if (!always_.empty()) {
    draft.mask(always_);
  }
  if (tokens_ < tokens_min_) {
    for (const TokenId id : stop_ids_) draft.ban(id);
  }
  if (!bans_words_) return;
  banned_.for_rests([&](std::string_view rest) {
    for (const TokenId id : bytes_->index().beginning_with(rest)) draft.ban(id);
  });
}

std::size_t Filter::may_follow(std::span<const TokenId> ids) {
  const auto out = [&](TokenId id) {
    return is_stop(id) || (!always_.empty() && (always_[word_of(id)] & bit_of(id)) == 0);
  };
  std::size_t count = 0;
  for (; count < ids.size() && !out(ids[count]); ++count) {
    if (mask_ != nullptr && (mask_->must_end() || !mask_->advance(ids[count]))) break;
  }
  if (mask_ != nullptr && count > 0) mask_->rollback(count);
  return count;
}

Status Filter::accept(TokenId id) {
  ++tokens_;
  if (bans_words_) banned_.push(bytes_->bytes(id));
  if (mask_ == nullptr || (is_stop(id) && mask_->may_end()) || mask_->advance(id)) return {};
  return invalid_argument(fmt::format(
      "token {} of the answer is id {}, which its format does not allow", tokens_ - 1, id));
}

}  // namespace cairn::engine

#include "engine/sampling/token_index.h"

#include <algorithm>

#include "engine/grammar/text_masks.h"
#include "engine/sampling/json_masks.h"
#include "engine/sampling/token_bytes.h"

namespace cairn::engine {

TokenIndex::TokenIndex(const TokenBytes& bytes) : bytes_(bytes) {
  const auto count = static_cast<TokenId>(bytes.size());
  for (TokenId id = 0; id < count; ++id) {
    if (!bytes.bytes(id).empty()) sorted_.push_back(id);
  }
  std::ranges::stable_sort(sorted_, {}, [&](TokenId id) { return bytes_.bytes(id); });
  shared_.resize(sorted_.size());
  for (std::size_t i = 1; i < sorted_.size(); ++i) {
    const std::string_view before = bytes_.bytes(sorted_[i - 1]);
    const std::string_view here = bytes_.bytes(sorted_[i]);
    const auto ends = std::ranges::mismatch(before, here);
    shared_[i] = static_cast<std::uint32_t>(ends.in2 - here.begin());
  }
  json_masks_ = std::make_unique<JsonMasks>(*this);
  text_masks_ = std::make_unique<TextMasks>(*this);
}

TokenIndex::~TokenIndex() = default;

std::size_t TokenIndex::vocabulary() const { return bytes_.size(); }

std::string_view TokenIndex::bytes(TokenId id) const { return bytes_.bytes(id); }

std::span<const TokenId> TokenIndex::beginning_with(std::string_view prefix) const {
  const auto start = [&](TokenId id) { return bytes_.bytes(id).substr(0, prefix.size()); };
  const auto range = std::ranges::equal_range(sorted_, prefix, {}, start);
  return {range.begin(), range.end()};
}

}  // namespace cairn::engine

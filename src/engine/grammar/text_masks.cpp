#include "engine/grammar/text_masks.h"

#include <string_view>

#include "engine/sampling/token_index.h"

namespace cairn::engine {
namespace {

// Markers come from a dozen of syntaxes.
constexpr std::size_t kHoldingMax = 64;

enum class StringEnd : std::uint8_t { kInside, kLeaves, kBreaks };

StringEnd end_of(std::string_view bytes, JsonMode mode, Escapes escapes) {
  JsonState state{.mode = mode};
  for (const char each : bytes) {
    if (escapes == Escapes::kNo && each == '\\') return StringEnd::kBreaks;
    if (state.step_string(static_cast<std::uint8_t>(each)) != JsonVerdict::kYes) {
      return StringEnd::kBreaks;
    }
    if (state.mode == JsonMode::kAfter) return StringEnd::kLeaves;
  }
  return StringEnd::kInside;
}

StringMask make_string_mask(const TokenIndex& index, JsonMode mode, Escapes escapes) {
  StringMask mask;
  mask.inside.resize((index.vocabulary() + 63) / 64);
  for (const TokenId id : index.sorted()) {
    const StringEnd end = end_of(index.bytes(id), mode, escapes);
    const auto at = static_cast<std::size_t>(id);
    if (end == StringEnd::kInside) mask.inside[at / 64] |= std::uint64_t{1} << (at % 64);
    if (end == StringEnd::kLeaves) mask.leaving.push_back(id);
  }
  return mask;
}

}  // namespace

std::shared_ptr<const StringMask> TextMasks::string(JsonMode mode, Escapes escapes) {
  const std::lock_guard lock(mutex_);
  auto& entry = strings_[{mode, escapes}];
  if (entry == nullptr) {
    entry = std::make_shared<const StringMask>(make_string_mask(index_, mode, escapes));
  }
  return entry;
}

std::shared_ptr<const std::vector<TokenId>> TextMasks::holding(const std::string& text) {
  const std::lock_guard lock(mutex_);
  if (holding_.size() == kHoldingMax && !holding_.contains(text)) holding_.clear();
  auto& entry = holding_[text];
  if (entry != nullptr) return entry;
  std::vector<TokenId> ids;
  for (const TokenId id : index_.sorted()) {
    if (index_.bytes(id).find(text) != std::string_view::npos) ids.push_back(id);
  }
  entry = std::make_shared<const std::vector<TokenId>>(std::move(ids));
  return entry;
}

}  // namespace cairn::engine

#include "engine/sampling/json_mask.h"

namespace cairn::engine {
namespace {

/// How long the run of white space or digits is after `byte` took `before` to `after`.
std::size_t run_after(std::size_t run, const JsonState& before, const JsonState& after,
                      std::uint8_t byte) {
  if (exceeds(JsonLimit::kWhitespace, byte)) return before.takes_whitespace() ? run + 1 : 1;
  if (!exceeds(JsonLimit::kDigits, byte) || !after.takes_digits()) return 0;
  return before.mode == after.mode ? run + 1 : 1;
}

}  // namespace

JsonLimit JsonMask::limit() const {
  if (now_.state.takes_whitespace() && now_.run >= kJsonWhitespaceMax) {
    return JsonLimit::kWhitespace;
  }
  return now_.state.takes_digits() && now_.run >= kJsonDigitsMax ? JsonLimit::kDigits
                                                                 : JsonLimit::kNone;
}

bool JsonMask::allows(std::string_view bytes) {
  if (bytes.empty() || exceeds(limit(), static_cast<std::uint8_t>(bytes[0]))) return false;
  JsonState state = now_.state;
  const std::size_t size = stack_.size();
  const JsonVerdict verdict = read_json(state, stack_, bytes);
  stack_.shrink(size);
  return verdict == JsonVerdict::kYes;
}

void JsonMask::allow(std::span<std::uint64_t> words) {
  if (must_end()) return;
  const auto entry = index_.json_masks().find(JsonSituation(now_.state, limit(), stack_));
  for (std::size_t i = 0; i < entry->words.size(); ++i) words[i] |= entry->words[i];
  for (const TokenId id : entry->unsure) {
    const auto at = static_cast<std::size_t>(id);
    if (allows(index_.bytes(id))) words[at / 64] |= std::uint64_t{1} << (at % 64);
  }
}

bool JsonMask::advance(TokenId id) {
  const std::string_view bytes = index_.bytes(id);
  if (must_end() || !allows(bytes)) return false;
  before_.push_back(now_);
  for (const char each : bytes) {
    const auto byte = static_cast<std::uint8_t>(each);
    const JsonState state = now_.state;
    (void)now_.state.step(byte, stack_);  // kYes, as allows() found
    now_.run = run_after(now_.run, state, now_.state, byte);
  }
  return true;
}

void JsonMask::rollback(std::size_t count) {
  now_ = before_[before_.size() - count];
  before_.resize(before_.size() - count);
}

}  // namespace cairn::engine

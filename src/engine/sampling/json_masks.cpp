#include "engine/sampling/json_masks.h"

#include <utility>

#include "engine/sampling/token_index.h"

namespace cairn::engine {
namespace {

// 32 KiB each at 262,144 ids. Texts move between some dozens.
constexpr std::size_t kEntriesMax = 512;

/// Walks the sorted vocabulary with one state per byte of the current token, so that a beginning
/// which tokens share is read once, and a token is passed over where its beginning has failed.
class Walk {
 public:
  Walk(const TokenIndex& index, const JsonSituation& situation)
      : index_(index), limit_(situation.limit) {
    std::uint32_t level = situation.more ? JsonStack::kUnknown : JsonStack::kEmpty;
    for (std::size_t i = situation.levels.size(); i > 0; --i) {
      level = stack_.push(level, situation.levels[i - 1]);
    }
    const JsonState state{.mode = situation.mode, .key = situation.key, .level = level};
    steps_.push_back({.state = state, .levels = stack_.size()});
  }

  JsonMaskEntry run() {
    JsonMaskEntry entry;
    entry.words.resize((index_.vocabulary() + 63) / 64);
    const auto sorted = index_.sorted();
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      const std::size_t shared = index_.shared()[i];
      // The steps end at the byte that failed: a token that has this byte too fails there.
      const bool failed = verdict_ != JsonVerdict::kYes && shared >= steps_.size();
      if (!failed) verdict_ = read(index_.bytes(sorted[i]), shared);
      const auto id = static_cast<std::size_t>(sorted[i]);
      if (verdict_ == JsonVerdict::kYes) entry.words[id / 64] |= std::uint64_t{1} << (id % 64);
      if (verdict_ == JsonVerdict::kUnknown) entry.unsure.push_back(sorted[i]);
    }
    return entry;
  }

 private:
  struct Step {
    JsonState state;
    std::size_t levels = 0;  // of the stack, up to here
  };

  JsonVerdict read(std::string_view bytes, std::size_t shared) {
    if (steps_.size() > shared + 1) steps_.resize(shared + 1);
    stack_.shrink(steps_.back().levels);
    if (exceeds(limit_, static_cast<std::uint8_t>(bytes[0]))) return JsonVerdict::kNo;
    for (std::size_t at = steps_.size() - 1; at < bytes.size(); ++at) {
      JsonState state = steps_.back().state;
      const JsonVerdict verdict = state.step(static_cast<std::uint8_t>(bytes[at]), stack_);
      if (verdict != JsonVerdict::kYes) return verdict;
      steps_.push_back({.state = state, .levels = stack_.size()});
    }
    return JsonVerdict::kYes;
  }

  const TokenIndex& index_;
  JsonLimit limit_;
  JsonStack stack_;
  std::vector<Step> steps_;
  JsonVerdict verdict_ = JsonVerdict::kYes;
};

}  // namespace

JsonSituation::JsonSituation(const JsonState& state, JsonLimit reached, const JsonStack& stack)
    : mode(state.mode), key(state.key), limit(reached) {
  std::uint32_t level = state.level;
  for (; level != JsonStack::kEmpty && levels.size() < kLevels; level = stack.outer(level)) {
    levels.push_back(stack.kind(level));
  }
  more = level != JsonStack::kEmpty;
}

std::uint64_t JsonSituation::number() const {
  std::uint64_t number = 1;  // so that the count of levels shows
  for (const JsonStack::Kind kind : levels) number = number * 2 + static_cast<std::uint64_t>(kind);
  number = number * 2 + static_cast<std::uint64_t>(more);
  number = number * 4 + static_cast<std::uint64_t>(limit);
  number = number * 2 + static_cast<std::uint64_t>(key);
  return number * 256 + static_cast<std::uint64_t>(mode);
}

std::shared_ptr<const JsonMaskEntry> JsonMasks::find(const JsonSituation& situation) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(situation.number());
  if (found != entries_.end()) return found->second;
  if (entries_.size() == kEntriesMax) entries_.clear();
  auto entry = std::make_shared<const JsonMaskEntry>(Walk(index_, situation).run());
  entries_.emplace(situation.number(), entry);
  return entry;
}

JsonVerdict read_json(JsonState& state, JsonStack& stack, std::string_view bytes) {
  for (const char byte : bytes) {
    const JsonVerdict verdict = state.step(static_cast<std::uint8_t>(byte), stack);
    if (verdict != JsonVerdict::kYes) return verdict;
  }
  return JsonVerdict::kYes;
}

bool exceeds(JsonLimit limit, std::uint8_t byte) {
  if (limit == JsonLimit::kDigits) return byte >= '0' && byte <= '9';
  const bool space = byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t';
  return limit == JsonLimit::kWhitespace && space;
}

}  // namespace cairn::engine

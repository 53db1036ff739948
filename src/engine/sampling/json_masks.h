// JsonMasks: which ids of a vocabulary may follow, for each state that a JSON text can be in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "base/token.h"
#include "engine/sampling/json_state.h"

namespace cairn::engine {

class TokenIndex;

/// What an answer has had enough of: more of it may not come next.
enum class JsonLimit : std::uint8_t { kNone, kWhitespace, kDigits };

/// A state as far as most tokens can tell: the mode and the innermost levels.
struct JsonSituation {
  JsonMode mode = JsonMode::kStart;
  bool key = false;
  JsonLimit limit = JsonLimit::kNone;
  std::vector<JsonStack::Kind> levels = {};  // innermost first, at most kLevels
  bool more = false;                         // whether there are levels around those

  static constexpr std::size_t kLevels = 4;
  JsonSituation() = default;
  JsonSituation(const JsonState& state, JsonLimit reached, const JsonStack& stack);
  /// A number that only this situation has.
  std::uint64_t number() const;
};

/// The ids that may follow in a situation, and those that only the levels further out decide.
struct JsonMaskEntry {
  std::vector<std::uint64_t> words;  // bit id
  std::vector<TokenId> unsure;
};

/// Makes each entry once, walking the whole vocabulary, and remembers some hundred.
class JsonMasks {
 public:
  /// `index` outlives this.
  explicit JsonMasks(const TokenIndex& index) : index_(index) {}

  /// From any thread. The entry lives as long as it is held.
  std::shared_ptr<const JsonMaskEntry> find(const JsonSituation& situation);

 private:
  const TokenIndex& index_;
  std::mutex mutex_;
  std::map<std::uint64_t, std::shared_ptr<const JsonMaskEntry>> entries_;
};

/// Reads `bytes` from `state` on; kYes leaves the state behind them.
JsonVerdict read_json(JsonState& state, JsonStack& stack, std::string_view bytes);

/// Whether a token that begins with `byte` would have more of what there was enough of.
bool exceeds(JsonLimit limit, std::uint8_t byte);

}  // namespace cairn::engine

// TextMasks: which ids of a vocabulary stay inside a text, whatever is around it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/token.h"
#include "engine/sampling/json_state.h"

namespace cairn::engine {

class TokenIndex;

/// Whether a string may have escapes.
enum class Escapes : std::uint8_t { kYes, kNo };

/// The ids that stay inside a string, and those whose bytes end it, in the order of their bytes:
/// what is around the string decides on these.
struct StringMask {
  std::vector<std::uint64_t> inside;  // bit id
  std::vector<TokenId> leaving;
};

/// Each is made once, by a walk over the vocabulary, and kept: there are some dozens.
class TextMasks {
 public:
  /// `index` outlives this.
  explicit TextMasks(const TokenIndex& index) : index_(index) {}

  /// Of a string in `mode`. From any thread; lives as long as it is held.
  std::shared_ptr<const StringMask> string(JsonMode mode, Escapes escapes);
  /// The ids whose bytes hold `text`, in the order of their bytes. Likewise.
  std::shared_ptr<const std::vector<TokenId>> holding(const std::string& text);

 private:
  const TokenIndex& index_;
  std::mutex mutex_;
  std::map<std::pair<JsonMode, Escapes>, std::shared_ptr<const StringMask>> strings_;
  std::map<std::string, std::shared_ptr<const std::vector<TokenId>>> holding_;
};

}  // namespace cairn::engine

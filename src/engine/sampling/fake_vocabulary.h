// A made-up vocabulary for tests: every byte, then given pieces, then one control token.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/sampling/token_bytes.h"

namespace cairn::engine {

class FakeVocabulary final : public TokenBytes {
 public:
  explicit FakeVocabulary(std::vector<std::string> pieces = {}) {
    for (int byte = 0; byte < 256; ++byte) tokens_.emplace_back(1, static_cast<char>(byte));
    for (std::string& piece : pieces) tokens_.push_back(std::move(piece));
    tokens_.emplace_back();
  }
  std::size_t size() const override { return tokens_.size(); }
  std::string_view bytes(TokenId id) const override {
    return tokens_[static_cast<std::size_t>(id)];
  }
  /// The control token, which prints nothing.
  TokenId end() const { return static_cast<TokenId>(tokens_.size() - 1); }
  /// The id of a piece, or of a byte.
  TokenId id(std::string_view text) const {
    for (std::size_t i = tokens_.size(); i > 0; --i) {
      if (tokens_[i - 1] == text) return static_cast<TokenId>(i - 1);
    }
    return -1;
  }

 private:
  std::vector<std::string> tokens_;
};

}  // namespace cairn::engine

// TokenBytes: the engine's whole knowledge of text.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string_view>

#include "base/token.h"

namespace cairn::engine {

class TokenIndex;

/// The bytes that each id prints.
class TokenBytes {
 public:
  TokenBytes();
  virtual ~TokenBytes();
  TokenBytes(const TokenBytes&) = delete;
  TokenBytes& operator=(const TokenBytes&) = delete;

  /// Ids are 0 up to this; the engine emits no others.
  virtual std::size_t size() const = 0;
  /// Empty for control tokens. Valid as long as this object.
  virtual std::string_view bytes(TokenId id) const = 0;

  /// The ids by their bytes; made on the first call (a sort of the vocabulary), from any thread.
  const TokenIndex& index() const;

 private:
  mutable std::once_flag once_;
  mutable std::unique_ptr<const TokenIndex> index_;
};

}  // namespace cairn::engine

// MaskSource: says which ids may come next in an answer that has to keep to a form.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/token.h"

namespace cairn::engine {

/// One answer's own. Owned by its sampler, which asks it before each token.
class MaskSource {
 public:
  virtual ~MaskSource() = default;

  /// Sets the bits of the ids that may come next: id in words[id / 64] at bit id % 64. `words`
  /// [(vocabulary + 63) / 64] come zeroed.
  virtual void allow(std::span<std::uint64_t> words) = 0;

  /// Takes the id that was chosen. False, with nothing taken, when it was not allowed.
  [[nodiscard]] virtual bool advance(TokenId id) = 0;

  /// Takes back the last `count` ids that advance() took.
  virtual void rollback(std::size_t count) = 0;

  /// Whether the answer may end here; stop ids are allowed then.
  virtual bool may_end() const = 0;
  /// Whether it must: nothing may follow.
  virtual bool must_end() const = 0;
};

}  // namespace cairn::engine

#include "engine/sampling/token_bytes.h"

#include "engine/sampling/token_index.h"

namespace cairn::engine {

TokenBytes::TokenBytes() = default;
TokenBytes::~TokenBytes() = default;

const TokenIndex& TokenBytes::index() const {
  std::call_once(once_, [this] { index_ = std::make_unique<TokenIndex>(*this); });
  return *index_;
}

}  // namespace cairn::engine
